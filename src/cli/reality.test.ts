import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** A folder with the recording, one of its files changed, or taken away with null. */
function broken(file: string, text: string | null): string {
  const folder = mkdtempSync(join(tmpdir(), 'podtopool-'));
  const copy = join(folder, 'broken');
  mkdirSync(copy);
  cpSync(RECORDING, copy, { recursive: true });
  if (text === null) rmSync(join(copy, `${file}.gz`));
  else writeFileSync(join(copy, file), text);
  return folder;
}

const world = (): Record<string, unknown> =>
  JSON.parse(readFileSync(join(RECORDING, 'world.json'), 'utf8')) as Record<string, unknown>;
const withAction = (name: string): string =>
  JSON.stringify({ ...world(), actions: [{ do: name, args: {}, t: world().t0Us, endUs: world().t0Us }] });

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

  it.each<[name: string, file: string, text: string | null, message: RegExp]>([
    ['without its world', 'world.json', '{', /world\.json: no JSON .*; is the file cut off\?/],
    ['of another shape', 'world.json', '{"schema": 2}', /world\.json, schema: /],
    ['whose manifests are no YAML', 'manifests.yaml', 'a: [', /manifests\.yaml: /],
    [
      'without a Service',
      'manifests.yaml',
      'kind: Namespace\nmetadata: {name: web}\n',
      /manifests\.yaml: there is no Service/,
    ],
    ['without a log', 'kubelet.log', null, /kubelet\.log is missing: name the folder of one recording/],
    [
      'whose Pod no watch shows',
      'pods-watch.jsonl',
      '',
      /pods-watch\.jsonl: the pod web-0 of world\.json is not in it/,
    ],
    [
      'with an action that is not known',
      'world.json',
      withAction('drainNode'),
      /world\.json: the action drainNode is not simulated/,
    ],
    ['with a line cut off', 'client.jsonl', '{"o":"ok","t":1}\n{"o":"o', /client\.jsonl, line 2: no JSON/],
  ])('a recording %s fails with its place, and the others go on', (_name, file, text, message) => {
    const { status, out } = runs([broken(file, text), RECORDING]);
    expect(out).toMatch(new RegExp(`^FAIL broken: ${message.source}`));
    expect(out).toMatch(/\npass slow-start-long-period: /);
    expect(out).toMatch(/, 1 failed\n$/);
    expect(status).toBe(1);
  });

  it('a recording that goes without the client is compared as far as the proxy', () => {
    const folder = broken('client.jsonl', null);
    writeFileSync(join(folder, 'broken', 'world.json'), JSON.stringify({ ...world(), client: null }));
    const { status, out } = runs([folder]);
    expect(out).toMatch(/^pass broken: 10 of 10 real instants/);
    expect(status).toBe(0);
  });

  it('a recording of which nothing can be read does not pass', () => {
    const folder = broken('audit.jsonl', '');
    writeFileSync(join(folder, 'broken', 'kubelet.log'), '');
    const { status, out } = runs([folder]);
    expect(out).toBe(
      'FAIL broken: none of the hops is in it: kubelet.log, audit.jsonl and kube-proxy.log show nothing of its Pods\n0 passed, 1 failed\n',
    );
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
