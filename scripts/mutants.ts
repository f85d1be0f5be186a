/**
 * `npm run mutants`: applies each wrong edit of scripts/mutants/ to a copy of the simulator, and requires that a
 * test fails. One line an edit, then `N passed, N failed`; exit status 1 when an edit survives or does not apply any more.
 * `npm run mutants -- C-1` takes only the edits of rules that begin so.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './lib/run.mjs';
import { EDITS, type JudgedEdit } from './mutants/edits.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const COPIED = [
  'src',
  'test',
  'scripts/mutants',
  'package.json',
  'vitest.config.ts',
  ...readdirSync(ROOT).filter((name) => name.startsWith('tsconfig')),
];
/** What an edit has to outlive after the recordings of its part; most do not get so far. */
const SUITES = ['test/conformance.test.ts', 'src/sim/', 'test/cases/', 'test/properties/'];
/** Copies that are worked on side by side. */
const LANES = 2;
/** An edit that makes the simulator run for ever is found out too. */
const LONGEST_MS = 120_000;
/** Exit status of vitest when it was told to end. */
const TERMINATED = 143;

/** A copy of the repository that an edit may spoil. */
function copyRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'podtopool-mutant-'));
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
  return folder;
}

/** The first recording that the copy does not reproduce, or test that fails in it; null when there is none. */
async function firstFailure(folder: string, recordings: JudgedEdit['recordings'] | null): Promise<string | null> {
  return (
    (recordings && (await firstDifference(folder, recordings))) || firstFailedTest(folder, recordings ? LONGEST_MS : 0)
  );
}

/** Empty when all recordings of that folder are reproduced. */
async function firstDifference(folder: string, recordings: JudgedEdit['recordings']): Promise<string> {
  const script = join(folder, 'scripts/mutants/firstDifference.ts');
  const args = ['--import', import.meta.resolve('tsx'), script, recordings];
  const { status, output } = await run(process.execPath, args, { timeoutMs: LONGEST_MS });
  if (status === null) return `${recordings}: the simulator never ends`;
  if (status !== 0) throw new Error(`the recordings were not compared:\n${output}`);
  return output.trim();
}

/** `timeoutMs` for each suite; 0: without an edit they come to their end, however slow the machine. */
async function firstFailedTest(folder: string, timeoutMs: number): Promise<string | null> {
  for (const suite of SUITES) {
    const vitest = [join(folder, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder, '--project', 'unit'];
    const { status, output } = await run(
      process.execPath,
      [...vitest, '--bail', '1', '--pool', 'threads', '--no-isolate', suite],
      {
        timeoutMs,
        env: { NO_COLOR: '1' },
      },
    );
    if (status === 0) continue;
    if (status === null || status === TERMINATED) return 'the tests never end';
    const failed = /FAIL\s+(?:unit\s+)?(.*)/.exec(output)?.[1];
    if (!failed?.includes(' > ')) throw new Error(`vitest did not come to its tests:\n${output}`);
    return failed;
  }
  return null;
}

/** Null when the edit was found out; else what is wrong. */
async function judge(
  folder: string,
  { file, search, replace, recordings }: JudgedEdit,
): Promise<{ passed: boolean; message: string }> {
  const path = join(folder, 'src/sim', file);
  const text = readFileSync(path, 'utf8');
  const places = text.split(search).length - 1;
  if (places !== 1) return { passed: false, message: `"${search}" occurs ${places} times in src/sim/${file}` };
  writeFileSync(
    path,
    text.replace(search, () => replace),
  );
  try {
    const failed = await firstFailure(folder, recordings);
    return failed === null
      ? { passed: false, message: 'SURVIVED: no test fails' }
      : { passed: true, message: `found by ${failed}` };
  } finally {
    writeFileSync(path, text);
  }
}

const folders = Array.from({ length: LANES }, copyRepository);
const [rule = ''] = process.argv.slice(2);
const edits = EDITS.filter((edit) => edit.rule.startsWith(rule));
const waiting = [...edits];
let passed = 0;
try {
  const broken = await firstFailure(folders[0] as string, null);
  if (broken !== null) throw new Error(`without any edit a test fails already: ${broken}`);
  await Promise.all(
    folders.map(async (folder) => {
      for (let edit = waiting.shift(); edit; edit = waiting.shift()) {
        const verdict = await judge(folder, edit);
        if (verdict.passed) passed++;
        console.log(`${verdict.passed ? '✓' : '✗'} ${edit.rule} ${edit.wrong}: ${verdict.message}`);
      }
    }),
  );
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true });
}
console.log(`${passed} passed, ${edits.length - passed} failed`);
process.exitCode = passed === edits.length ? 0 : 1;
