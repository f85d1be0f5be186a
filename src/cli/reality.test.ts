import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from './commands.ts';

const RECORDING = 'test/reality/slow-start-long-period';

function runs(args: readonly string[]): { status: number; out: string; err: string } {
  const result = { status: 0, out: '', err: '' };
  result.status = runCommand(['reality', '--seeds', '5', ...args], {
    readStdin: () => '',
    out: (text) => {
      result.out += text;
    },
    err: (text) => {
      result.err += text;
    },
  });
  return result;
}

const empty = mkdtempSync(join(tmpdir(), 'podtopool-empty-'));

/** A folder with the recording, one of its files changed. */
function broken(file: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'podtopool-'));
  const copy = join(folder, 'broken');
  mkdirSync(copy);
  cpSync(RECORDING, copy, { recursive: true });
  writeFileSync(join(copy, file), text);
  return folder;
}

describe('podtopool reality', () => {
  it.each<[name: string, args: string[], message: RegExp]>([
    ['no folder', [], /name a folder of recordings/],
    ['a folder that is not there', ['no-such-folder'], /cannot read no-such-folder: ENOENT/],
    ['a folder without recordings', [empty], /no recordings \(folders with a world\.json\) in /],
    ['a text that no path has', ['test/reality', '--only', 'nothing'], /none of 1 recordings has "nothing"/],
    ['a number of seeds that is none', [RECORDING, '--seeds', 'many'], /--seeds many is not a whole number/],
    ['an option that there is not', [RECORDING, '--fast'], /--fast/],
  ])('%s is wrong usage', (_name, args, message) => {
    const { status, err } = runs(args);
    expect(status).toBe(2);
    expect(err).toMatch(message);
  });

  it('says of each recording and each hop whether it holds, and how many do', () => {
    const { status, out } = runs([RECORDING]);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toBe('pass slow-start-long-period: 14 of 14 real instants lie in the simulated range');
    expect(lines[1]).toMatch(/^pass 01 container start -> .*: 1 of 1 inside, median rank [\d.]+ /);
    expect(lines.at(-1)).toBe(`${lines.length - 1} passed, 0 failed`);
    expect(status).toBe(0);
  });

  it('finds the recordings in a folder, and shows every hop with --verbose', () => {
    expect(runs(['test/reality', '--verbose']).out).toMatch(/\n {4}09 web\/web-0\/joins#1: 27\.4 ms, rank [\d.]+ of /);
  });

  it.each<[name: string, file: string, text: string, message: RegExp]>([
    ['without its world', 'world.json', '{', /world\.json: no JSON .*; is the file cut off\?/],
    ['of another shape', 'world.json', '{"schema": 2}', /world\.json, schema: /],
    ['whose manifests are no YAML', 'manifests.yaml', 'a: [', /manifests\.yaml: /],
    ['whose manifests lack the Pod', 'manifests.yaml', 'kind: Service\nmetadata: {name: web}\n', /manifests\.yaml: /],
    ['with a line cut off', 'client.jsonl', '{"o":"ok","t":1}\n{"o":"o', /client\.jsonl, line 2: no JSON/],
  ])('a recording %s fails with its place, and the others go on', (_name, file, text, message) => {
    const { status, out } = runs([broken(file, text), RECORDING]);
    expect(out).toMatch(new RegExp(`^FAIL broken: ${message.source}`));
    expect(out).toMatch(/\npass slow-start-long-period: /);
    expect(out).toMatch(/, 1 failed\n$/);
    expect(status).toBe(1);
  });

  it('keeps explanations in the file that --write writes', () => {
    const file = join(empty, 'reality.json');
    runs([RECORDING, '--write', file]);
    const report = JSON.parse(readFileSync(file, 'utf8')) as { rows: { row: string; why: string }[] };
    expect(report.rows.every(({ why }) => why === '')).toBe(true);
    const explained = { ...report, rows: report.rows.map((row) => ({ ...row, why: `why ${row.row}` })) };
    writeFileSync(file, JSON.stringify(explained));
    runs([RECORDING, '--write', file]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(explained);
  });
});
