import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { checked, jsonLines, klogLines, needed, parsedJson, valueIn } from './recordingFiles.ts';

/** 2026-12-31T23:59:59Z. */
const NEW_YEARS_EVE = 1_798_761_599_000_000;

describe('klog text', () => {
  it('has lines about what is asked for, with their microseconds', () => {
    const log = [
      'I1231 23:59:59.000007      48 kubelet.go:2877] "SyncLoop (probe)" probe="readiness" pod="a/web-0"',
      'I1231 23:59:59.100000      48 kubelet.go:2062] "SyncPod enter" pod="a/web-0"',
      'not a line of klog: "SyncLoop (probe)"',
    ].join('\n');
    expect(klogLines(log, ['"SyncLoop (probe)"'], NEW_YEARS_EVE)).toEqual([
      { at: NEW_YEARS_EVE + 7, text: 'kubelet.go:2877] "SyncLoop (probe)" probe="readiness" pod="a/web-0"' },
    ]);
  });

  it('goes over into the next year', () => {
    const [line] = klogLines('I0101 00:00:01.000000 1 a.go:1] "x"', ['x'], NEW_YEARS_EVE);
    expect(line?.at).toBe(NEW_YEARS_EVE + 2_000_000);
  });

  it('has values by their keys', () => {
    expect(valueIn('"Probe failed" probeType="Readiness" pod="a/web-0"', 'pod')).toBe('a/web-0');
    expect(valueIn('"Probe failed"', 'pod')).toBe('');
  });
});

describe('what is wrong with a file is said with its place', () => {
  const line = z.object({ t: z.number() });
  it.each<[name: string, read: () => unknown, message: RegExp]>([
    ['a missing file', () => needed(() => null, 'audit.jsonl'), /^audit\.jsonl is missing: name the folder/],
    ['a file cut off', () => parsedJson('{"a":', 'world.json'), /^world\.json: no JSON .*cut off/],
    ['a line cut off', () => jsonLines('{"t":1}\n{"t":', 'client.jsonl', line), /^client\.jsonl, line 2: no JSON/],
    ['a line of another shape', () => jsonLines('{"t":"now"}', 'client.jsonl', line), /^client\.jsonl, line 1, t: /],
    ['a file of another shape', () => checked(line, {}, 'world.json'), /^world\.json, t: /],
  ])('%s', (_name, read, message) => {
    expect(read).toThrow(message);
  });

  it('lines that nobody reads are not checked', () => {
    expect(jsonLines('broken\n{"t":1}\n\n', 'client.jsonl', line, (text) => text.startsWith('{'))).toEqual([{ t: 1 }]);
  });
});
