import { describe, expect, it } from 'vitest';
import { recordedRun } from '../../test/support/recorded.ts';
import { serviceRun } from '../../test/support/services.ts';
import { type Micros, micros } from '../base/units.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { answerAt } from './answer.ts';
import { backendAt } from './backendAt.ts';
import { pendingChange, ruleLines } from './rulesView.ts';
import { stateAt } from './stateAt.ts';
import { firstMissing, lastToLetGo, whoSees } from './whoSees.ts';
import { en } from './words/en.ts';
import { zh } from './words/zh.ts';

const podOf = ({ scenario }: FinishedRun, i = 0) => {
  const pod = scenario.pods[i];
  if (!pod) throw new Error('no Pod');
  return pod;
};
const at = (seconds: number): Micros => micros(Math.round(seconds * 1e6));
const answer = (run: FinishedRun, t: number, i = 0) => answerAt(run, stateAt(run, podOf(run, i), at(t)));

/** Ready at 11.5 s; deleted at 30 s with a preStop of 5 s. */
const alone = serviceRun(
  'duration: 60s\napps: [{workload: web, readyAfter: 8s}]\nactions: [{at: 30s, do: deletePod, pod: web-0}]',
);
const pair = serviceRun(
  'duration: 60s\napps: [{workload: web, readyAfter: 8s}]\nactions: [{at: 30s, do: deletePod, pod: web-0}]',
  2,
);
const [view] = backendAt(alone, podOf(alone), at(20));
const readyAt = answer(alone, 20).since as number;
const sliceAt = view?.slice.since as number;
const rulesAtTime = view?.proxies[0]?.since as number;

describe('answerAt, behind the API server', () => {
  it.each<[name: string, t: number, kind: string | undefined]>([
    ['says nothing of a Pod that is not ready', 5, undefined],
    ['names the slice before it lists the Pod', (readyAt + sliceAt) / 2e6, 'waitingForSlice'],
    ['names the rules before a node has them', (sliceAt + rulesAtTime) / 2e6, 'waitingForRules'],
    ['says that it is a backend', 20, 'inRules'],
    ['says that the rules fall back to a terminating Pod, the last one', 31, 'fallback'],
  ])('%s', (_name, t, kind) => {
    expect(answer(alone, t).backend?.kind).toBe(kind);
  });

  it('a terminating Pod beside a ready one leaves the rules, and the slice keeps it', () => {
    expect(answer(pair, 30.02).backend?.kind).toBe('leaving');
    expect(answer(pair, 33).backend?.kind).toBe('dropped');
    const [other] = backendAt(pair, podOf(pair), at(33));
    expect(other).toMatchObject({ slice: { value: 'serving, terminating' }, endpoints: { value: 'absent' } });
  });

  it('the hops from the app to the rules add up', () => {
    const { backend } = answer(alone, 20);
    if (backend?.kind !== 'inRules' || backend.hops === null) throw new Error('no hops');
    const { toReady, toSlice, toRules } = backend.hops;
    const [app] = stateAt(alone, podOf(alone), at(20)).apps;
    expect(toReady + toSlice + toRules).toBe(rulesAtTime - (app?.since ?? 0));
    expect([toReady > 0, toSlice > 0, toRules > 0]).toEqual([true, true, true]);
  });

  it.each([
    ['English', en, 'It is a backend of web since'],
    ['Chinese', zh, '它是 web 的后端'],
  ])('is said in %s', (_name, words, part) => {
    expect(words.backend(answer(alone, 20))).toContain(part);
    expect(words.backend(answer(alone, 5))).toBe('');
  });
});

describe('whoSees, behind the API server', () => {
  const parties = (t: number) => whoSees(alone, stateAt(alone, podOf(alone), at(t)));
  it('ends with the slice, the rules of all nodes and what a client met last', () => {
    expect(parties(20).slice(-3)).toMatchObject([
      { kind: 'slice', service: 'default/web', says: 'yes', value: 'ready' },
      { kind: 'rules', service: 'default/web', says: 'yes', value: '1/1' },
      { kind: 'request', service: 'default/web', says: 'yes', value: 'served' },
    ]);
    expect(firstMissing(parties(20))).toBeNull();
  });

  it('forgets who was rejected before the rules had it, for want of any backend', () => {
    const before = (rulesAtTime - 1) / 1e6;
    expect(parties(before).at(-1)).toMatchObject({ kind: 'request', says: 'no', value: 'rejected' });
    expect(parties(rulesAtTime / 1e6).at(-1)).toMatchObject({ kind: 'request', says: 'unknown', value: '' });
  });

  it('finds the first that is missing among them', () => {
    expect(firstMissing(parties((sliceAt + rulesAtTime) / 2e6))?.kind).toBe('rules');
  });
});

describe('the rules of a node', () => {
  it('each backend has the same chance, and the name of its Pod', () => {
    const [line] = ruleLines(pair.reader, 'kube-proxy-node-a', at(20));
    expect(line).toMatchObject({ service: 'default/web', frontend: '10.96.0.10:80/tcp', verdict: 'dnat' });
    expect(line?.backends.map(({ pod, chance }) => [pod, chance])).toEqual([
      ['web-0', 0.5],
      ['web-1', 0.5],
    ]);
  });

  it('tells of a change that waits for the next sync', () => {
    // Ready while kube-proxy still rests after the sync for "not ready" of the same Pod.
    const busy = serviceRun('duration: 20s\nkubeProxy: {minSyncPeriod: 10s}\napps: [{workload: web, readyAfter: 4s}]');
    const [known] = backendAt(busy, podOf(busy), at(7));
    const t = at(((known?.slice.since ?? 0) + 100_000) / 1e6);
    const pending = pendingChange(busy.reader, 'kube-proxy-node-a', t);
    expect(pending?.until).toBeGreaterThan(t);
    expect(pendingChange(busy.reader, 'kube-proxy-node-a', at(19))).toBeNull();
  });
});

describe('lastToLetGo', () => {
  it.each<[name: string, seconds: number, kind: string | undefined]>([
    ['nobody while the Pod joins', 68, undefined],
    ['the rules, while the app of a deleted Pod does not answer any more', 74.551, 'rules'],
    ['nobody once the rules are without it', 76, undefined],
  ])('is %s', (_name, seconds, kind) => {
    const run = recordedRun('endtoend/rolling-replace-02');
    const pod = run.scenario.pods.find(({ name }) => name === 'old-0');
    if (pod === undefined) throw new Error('no Pod');
    const state = stateAt(run, pod, at(seconds));
    expect(lastToLetGo(whoSees(run, state), state)?.kind).toBe(kind);
  });
});
