import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { checkRecording } from '../io/recording/conformance.ts';
import type { RecordedEvent } from '../io/recording/event.ts';
import type { Verdict } from '../io/recording/verdict.ts';
import { CommandError, EXIT } from './exitCodes.ts';
import { play } from './play.ts';
import { textOf } from './readInput.ts';
import type { Terminal } from './terminal.ts';

export const CONFORMANCE_HELP = `podtopool conformance [options] DIR|FILE…

Simulates what each recording (*.json, *.json.gz) played, with its draws and latencies pinned, and compares
everything it shows, to the microsecond. One line a file, then "N passed, N failed".

  --only TEXT   only files whose path contains TEXT
  --verbose     both sides around the first difference
`;

/** How much of both sides --verbose shows before and after the first difference, µs. */
const BEFORE = 2_000_000;
const AFTER = 100_000;

/** Compares recordings with the simulator. Returns the exit status. */
export function conformanceCommand(args: readonly string[], terminal: Terminal): number {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { only: { type: 'string' }, verbose: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help) {
    terminal.out(CONFORMANCE_HELP);
    return EXIT.ok;
  }
  if (positionals.length === 0)
    throw new CommandError(EXIT.usage, 'conformance: name a folder of recordings, or a file');
  const all = positionals.flatMap((path) => recordingsIn(path));
  if (all.length === 0)
    throw new CommandError(EXIT.usage, `conformance: no recordings (*.json, *.json.gz) in ${positionals.join(', ')}`);
  const files = all.filter((file) => file.includes(values.only ?? ''));
  if (files.length === 0)
    throw new CommandError(
      EXIT.usage,
      `conformance: none of ${all.length} recordings has "${values.only}" in its path`,
    );
  let passed = 0;
  for (const file of files) {
    const verdict = check(file);
    if (verdict.passed) passed++;
    terminal.out(`${verdict.passed ? 'pass' : 'FAIL'} ${relative('.', file)}: ${verdict.message}\n`);
    if (values.verbose && verdict.differsAt !== null) terminal.out(sideBySide(verdict, verdict.differsAt));
  }
  terminal.out(`${passed} passed, ${files.length - passed} failed\n`);
  return passed === files.length ? EXIT.ok : EXIT.failed;
}

/** All recordings below a folder, in order of their paths; or the file itself. */
export function recordingsIn(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.json(\.gz)?$/.test(name))
      .sort()
      .map((name) => join(path, name));
  } catch (error) {
    throw new CommandError(EXIT.usage, `conformance: cannot read ${path}: ${reasonOf(error)}`);
  }
}

/** The parsed content of a recording, packed or not. A file that is no JSON is a SyntaxError. */
export function readRecording(file: string): unknown {
  return JSON.parse(textOf(readFileSync(file)));
}

function check(file: string): Verdict {
  try {
    return checkRecording(readRecording(file), play);
  } catch (error) {
    return {
      passed: false,
      message: `could not be compared: ${reasonOf(error)}`,
      differsAt: null,
      expected: [],
      got: [],
    };
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function sideBySide({ expected, got }: Verdict, t: number): string {
  const near = (events: readonly RecordedEvent[]): string =>
    events
      .filter((event) => event.t >= t - BEFORE && event.t <= t + AFTER)
      .map((event) => `    ${event.t === t ? '>' : ' '} ${JSON.stringify(event)}\n`)
      .join('');
  return `  expected\n${near(expected)}  got\n${near(got)}`;
}
