import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isInRange, missedBars } from '../io/reality/bars.ts';
import { checkReality } from '../io/reality/checkReality.ts';
import { LOWEST, type Placed, percentile, summarise } from '../io/reality/compare.ts';
import { type ReadFile, RecordingError } from '../io/reality/recordingFiles.ts';
import { type CheckedRecording, realityReport, reportOf, rowLine } from '../io/reality/report.ts';
import { CommandError, EXIT } from './exitCodes.ts';
import { play } from './play.ts';
import { textOf } from './readInput.ts';
import type { Terminal } from './terminal.ts';

const DEFAULT_SEEDS = 200;

export const REALITY_HELP = `podtopool reality [options] DIR…

Holds recordings of a real cluster (folders with a world.json, or folders of such) against ${DEFAULT_SEEDS} simulations of each, and
says for every hop where the real instants lie among the simulated ones. One line a recording and one a hop, then
"N passed, N failed".

  --seeds N     simulations of each recording
  --only TEXT   only recordings whose path contains TEXT
  --verbose     every hop with its place
  --write FILE  writes what docs/fidelity.md shows; explanations in the file are kept
`;

/** Compares recordings of a real cluster with simulations. Returns the exit status. */
export function realityCommand(args: readonly string[], terminal: Terminal): number {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      seeds: { type: 'string', default: String(DEFAULT_SEEDS) },
      only: { type: 'string', default: '' },
      verbose: { type: 'boolean', default: false },
      write: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    terminal.out(REALITY_HELP);
    return EXIT.ok;
  }
  const seeds = seedsOf(values.seeds);
  const folders = foldersOf(positionals, values.only);
  const checked: CheckedRecording[] = [];
  let passed = 0;
  for (const folder of folders) {
    const result = check(folder, seeds);
    const isGood = typeof result !== 'string' && isInRange(result);
    if (isGood) passed++;
    const said = typeof result === 'string' ? result : summaryOf(result);
    terminal.out(`${isGood ? 'pass' : 'FAIL'} ${basename(resolve(folder))}: ${said}\n`);
    if (typeof result === 'string') continue;
    checked.push({ name: basename(resolve(folder)), placed: result });
    for (const one of result) if (values.verbose || !one.isInside) terminal.out(`    ${placeOf(one)}\n`);
  }
  const rows = summarise(checked.flatMap(({ placed }) => placed));
  for (const row of rows) {
    const missed = missedBars(row);
    if (missed.length === 0) passed++;
    terminal.out(
      `${missed.length === 0 ? 'pass' : 'FAIL'} ${rowLine(row)}${missed.map((bar) => `; ${bar}`).join('')}\n`,
    );
  }
  if (values.write) write(values.write, checked, seeds);
  const all = folders.length + rows.length;
  terminal.out(`${passed} passed, ${all - passed} failed\n`);
  return passed === all ? EXIT.ok : EXIT.failed;
}

function seedsOf(text: string): number {
  const seeds = Number(text);
  if (Number.isInteger(seeds) && seeds > 0) return seeds;
  throw new CommandError(EXIT.usage, `reality: --seeds ${text} is not a whole number from 1 on`);
}

const isRecording = (folder: string): boolean => existsSync(join(folder, 'world.json'));

/** The recordings that are named, or lie in the folders that are. */
function foldersOf(paths: readonly string[], only: string): readonly string[] {
  if (paths.length === 0) throw new CommandError(EXIT.usage, 'reality: name a folder of recordings, or a recording');
  const all = paths.flatMap((path) => (isRecording(path) ? [path] : foldersIn(path).filter(isRecording)));
  if (all.length === 0)
    throw new CommandError(EXIT.usage, `reality: no recordings (folders with a world.json) in ${paths.join(', ')}`);
  const chosen = all.filter((folder) => folder.includes(only));
  if (chosen.length > 0) return chosen;
  throw new CommandError(EXIT.usage, `reality: none of ${all.length} recordings has "${only}" in its path`);
}

function foldersIn(path: string): readonly string[] {
  try {
    return readdirSync(path)
      .sort()
      .map((name) => join(path, name))
      .filter((child) => statSync(child).isDirectory());
  } catch (error) {
    throw new CommandError(EXIT.usage, `reality: cannot read ${path}: ${reasonOf(error)}`);
  }
}

/** Files may be packed with gzip, and then have that ending. */
const readerOf =
  (folder: string): ReadFile =>
  (name) => {
    const file = [join(folder, name), join(folder, `${name}.gz`)].find((path) => existsSync(path));
    return file === undefined ? null : textOf(readFileSync(file));
  };

/** The hops in their places; a text says why the recording could not be compared. */
function check(folder: string, seeds: number): readonly Placed[] | string {
  try {
    return checkReality(readerOf(folder), play, seeds);
  } catch (error) {
    if (error instanceof RecordingError) return error.message;
    return `could not be compared: ${reasonOf(error)}`;
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function summaryOf(placed: readonly Placed[]): string {
  const inside = placed.filter(({ isInside }) => isInside).length;
  return `${inside} of ${placed.length} real instants lie in the simulated range`;
}

const ms = (us: number): string => `${(us / 1000).toFixed(1)} ms`;

function placeOf({ key, real, rank, simulated }: Placed): string {
  if (rank === null) return `${key}: ${ms(real)}; hardly any simulation has it`;
  const range = [LOWEST, 0.5, 1 - LOWEST].map((u) => ms(percentile(simulated, u)));
  return `${key}: ${ms(real)}, rank ${rank.toFixed(3)} of ${range.join(' / ')}`;
}

function write(file: string, checked: readonly CheckedRecording[], seeds: number): void {
  const before = existsSync(file) ? realityReport.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
  const rows = summarise(checked.flatMap(({ placed }) => placed));
  writeFileSync(file, `${JSON.stringify(reportOf(checked, rows, seeds, before), null, 2)}\n`);
}
