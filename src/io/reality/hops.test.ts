import { describe, expect, it } from 'vitest';
import { hopsOf } from './hops.ts';
import type { EndpointState, Observations, SliceWrite } from './observations.ts';

const MS = 1000;
const NOTHING: Observations = {
  firstProbes: [],
  results: [],
  patches: [],
  deletions: [],
  sliceWrites: [],
  syncs: [],
  attempts: new Map(),
  silences: [],
};
const READY: EndpointState = { ready: true, serving: true, terminating: false };
const NOT_READY: EndpointState = { ready: false, serving: false, terminating: false };
const LEAVING: EndpointState = { ready: false, serving: true, terminating: true };

const write = (atMs: number, pods: Readonly<Record<string, EndpointState>>): SliceWrite => ({
  service: 'web',
  receivedAt: atMs * MS,
  answeredAt: (atMs + 4) * MS,
  seenAt: (atMs + 5) * MS,
  heardFrom: (atMs + 4) * MS,
  endpoints: new Map(Object.entries(pods)),
});
const sync = (fromMs: number, toMs: number) => ({ startedAt: fromMs * MS, completeAt: toMs * MS });
const patch = (atMs: number, ready: boolean | null) => ({
  pod: 'web-0',
  receivedAt: atMs * MS,
  answeredAt: (atMs + 5) * MS,
  seenAt: (atMs + 7) * MS,
  ready,
});
const result = (atMs: number, isGood: boolean, kind: 'readiness' | 'startup' = 'readiness') => ({
  pod: 'web-0',
  kind,
  isGood,
  at: atMs * MS,
  seenAt: (atMs + 0.1) * MS,
});
/** The client's attempts, one each 50 ms from 0 on; a letter for each: o answered by web-0, x by web-1, - by nobody. */
const client = (letters: string): Observations['attempts'] =>
  new Map([
    ['web', [...letters].map((letter, i) => ({ at: i * 50 * MS, pod: { o: 'web-0', x: 'web-1' }[letter] ?? null }))],
  ]);

/** `key: length in ms` of each hop of the rows. */
const told = (seen: Partial<Observations>, rows: readonly string[]): string[] =>
  hopsOf({ ...NOTHING, ...seen }, 'iptables')
    .filter(({ row }) => rows.includes(row.slice(0, 2)))
    .map(({ key, from, to }) => `${key}: ${(to - from) / MS}`);

describe('hops of one run', () => {
  it('01 name container, probe and run', () => {
    const probe = {
      pod: 'web-0',
      container: 'app',
      kind: 'readiness',
      run: 1,
      startedAt: 5 * MS,
      at: 12 * MS,
    } as const;
    expect(told({ firstProbes: [probe] }, ['01'])).toEqual(['01 web-0/app/readiness/1#1: 7']);
  });

  it('02 and 03 begin with a result, and end with the PATCH that sets Ready to it', () => {
    const patches = [patch(2, null), patch(9, true)];
    expect(told({ results: [result(1, true)], patches }, ['02', '03'])).toEqual([
      '02 web-0/readiness/good#1: 0.1',
      '03 web-0/readiness/good#1: 7.9',
    ]);
  });

  it('02 leaves out the bad results before the first good one: they are the worker’s first', () => {
    expect(told({ results: [result(1, false), result(2, true), result(3, false)] }, ['02'])).toEqual([
      '02 web-0/readiness/good#1: 0.1',
      '02 web-0/readiness/bad#1: 0.1',
    ]);
  });

  it('03 ends a startup result with whatever PATCH comes next', () => {
    expect(told({ results: [result(1, true, 'startup')], patches: [patch(4, null)] }, ['03'])).toEqual([
      '03 web-0/startup/good#1: 2.9',
    ]);
  });

  it('04 and 05 are of PATCHes that change Ready', () => {
    expect(told({ patches: [patch(2, null), patch(9, false)] }, ['04', '05'])).toEqual([
      '04 web-0/not ready#1: 5',
      '05 web-0/not ready#1: 7',
    ]);
  });

  it('06 and 07 are of the write with which a Pod joins', () => {
    const sliceWrites = [write(1, { 'web-0': NOT_READY }), write(18, { 'web-0': READY })];
    expect(told({ sliceWrites, patches: [patch(10, true)] }, ['06', '07'])).toEqual([
      '06 web/web-0/joins#1: 3',
      '07a web/web-0/joins#1: 4',
      '07b web/web-0/joins#1: 5',
    ]);
  });

  it('13 is of the write that shows a deleted Pod as terminating', () => {
    const sliceWrites = [write(1, { 'web-0': READY }), write(108, { 'web-0': LEAVING })];
    const deletions = [
      { pod: 'web-0', receivedAt: 100 * MS, answeredAt: 104 * MS, isByController: false, graceSeconds: null },
    ];
    expect(told({ sliceWrites, deletions }, ['12', '13'])).toEqual([
      '12 web-0/deleted#1: 4',
      '13 web/web-0/leaves#1: 4',
    ]);
  });

  it.each<[name: string, syncs: ReturnType<typeof sync>[], told: string[]]>([
    ['08 of an idle proxy', [sync(-2000, -1970), sync(7, 37)], ['08 web/web-0/joins#1, idle: 1']],
    [
      '08 of one that holds back',
      [sync(-500, -470), sync(530, 560)],
      ['08 web/web-0/joins#1, within 1 s of the last sync: 524'],
    ],
    ['08 of a proxy that does not sync', [], []],
  ])('%s', (_name, syncs, expected) => {
    const sliceWrites = [write(1, { 'web-0': READY })];
    expect(told({ sliceWrites, syncs, attempts: client('-') }, ['08'])).toEqual(expected);
  });

  it('09 to 11 end with the first connection that the Pod answers', () => {
    const seen = {
      results: [result(-20, true)],
      patches: [patch(-10, true)],
      sliceWrites: [write(1, { 'web-0': READY, 'web-1': READY })],
      syncs: [sync(7, 37)],
      attempts: client('-xxo'),
    };
    expect(told(seen, ['09', '10', '11'])).toEqual([
      '09 web/web-0/joins#1: 30',
      '10 web/web-0/joins#1: 113',
      '11 web/web-0/joins#1, idle: 170',
      '09 web/web-1/joins#1: 30',
      '10 web/web-1/joins#1: 13',
    ]);
  });

  it.each<[name: string, letters: string, silentAtMs: number | null, told: string[]]>([
    [
      '14 goes back to the last connection that the leaving Pod answered',
      'oxoxx',
      null,
      ['14 web/web-0/leaves#1: -37'],
    ],
    ['14 is not of a Pod that goes on answering', 'oxoxo', null, []],
    ['14 is not of a Pod that had closed its port', 'oxoxx', 110, []],
  ])('%s', (_name, letters, silentAtMs, expected) => {
    const seen = {
      sliceWrites: [write(0, { 'web-0': READY }), write(100, { 'web-0': NOT_READY })],
      syncs: [sync(107, 137)],
      attempts: client(letters),
      silences: silentAtMs === null ? [] : [{ pod: 'web-0', at: silentAtMs * MS }],
    };
    expect(told(seen, ['14'])).toEqual(expected);
  });
});
