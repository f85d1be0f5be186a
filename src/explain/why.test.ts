import { describe, expect, it } from 'vitest';
import { finishedRunOf, serviceRun } from '../../test/support/services.ts';
import { micros } from '../base/units.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { backendAt } from './backendAt.ts';
import { joiningBudget } from './hops.ts';
import { pathsOf } from './path.ts';
import { podsOf } from './podsOf.ts';
import { stateAt } from './stateAt.ts';
import { firstMissing, whoSees } from './whoSees.ts';
import { PRECONDITIONS, type Why, whyAt } from './why.ts';
import { pathEn } from './words/pathEn.ts';
import type { PathWords } from './words/pathWords.ts';
import { pathZh } from './words/pathZh.ts';

/** The app serves at 9.2 s, the Pod is a backend at 11.5 s; deleted at 30 s with a preStop of 5 s. */
const alone = serviceRun(
  'duration: 60s\napps: [{workload: web, readyAfter: 8s}]\nactions: [{at: 30s, do: deletePod, pod: web-0}]\nclients: []',
);
const asked = (
  run: FinishedRun,
  seconds: number,
  over: { readonly service?: string; readonly node?: string } = {},
): Why => {
  const [pod] = run.scenario.pods;
  if (pod === undefined) throw new Error('no Pod');
  const { service = 'default/web', node = null } = over;
  return whyAt(run, { pod, service, node, at: micros(Math.round(seconds * 1e6)) });
};
const becomes = asked(alone, 10).comesTrueAt as number;

describe('whyAt', () => {
  it.each<[name: string, seconds: number, missing: string | null]>([
    ['names the address before the API has one', 0.5, 'address'],
    ['names the app before it serves', 5, 'app'],
    ['names the readiness probe until it has seen the app', 10, 'probe'],
    ['names the rules when all others have spoken', (becomes - 1) / 1e6, 'rules'],
    ['names nothing for a backend', becomes / 1e6, null],
    ['names nothing while the rules fall back to a terminating Pod', 31, null],
    ['names the object when that is gone', 59, 'exists'],
  ])('%s', (_name, seconds, missing) => {
    const why = asked(alone, seconds);
    expect(why.missing?.kind ?? null).toBe(missing);
    expect(why.isBackend).toBe(missing === null);
  });

  it('what it predicts comes true, and not before', () => {
    expect(asked(alone, (becomes - 1) / 1e6).isBackend).toBe(false);
    expect(asked(alone, becomes / 1e6).isBackend).toBe(true);
    expect(asked(alone, 59).comesTrueAt).toBe(null);
  });

  it('a link that does not hold says when it comes, and then holds', () => {
    for (const link of asked(alone, 0.5).links.filter(({ says, comesAt }) => says !== 'yes' && comesAt !== null)) {
      const then = asked(alone, Number(link.comesAt) / 1e6).links.find(
        ({ kind, container, probe }) => kind === link.kind && container === link.container && probe === link.probe,
      );
      expect([link.kind, then?.says, then?.since]).toEqual([link.kind, 'yes', link.comesAt]);
    }
  });

  it('agrees with the ladder, row by row and on the first missing one', () => {
    const [pod] = alone.scenario.pods;
    if (pod === undefined) throw new Error('no Pod');
    for (let t = 2_000_000; t < 36_000_000; t += 500_000) {
      const why = asked(alone, t / 1e6);
      const parties = whoSees(alone, stateAt(alone, pod, micros(t)), backendAt(alone, pod, micros(t)));
      // The ladder's last row is what a client met last, the last link whether one was ever served.
      const links = why.links.filter(({ kind }) => !PRECONDITIONS.includes(kind) && kind !== 'request');
      const rows = parties.filter(({ kind }) => kind !== 'request');
      expect(links).toMatchObject(rows.map(({ says, value, since, container }) => ({ says, value, since, container })));
      if (why.missing !== null && !PRECONDITIONS.includes(why.missing.kind))
        expect(why.missing).toMatchObject({ value: firstMissing(parties)?.value });
    }
  });

  it.each<[name: string, question: Parameters<typeof asked>[2], seconds: number, cannotTell: string]>([
    ['a Service that the scenario does not have', { service: 'default/other' }, 5, 'noService'],
    ['a node without a kube-proxy', { node: 'node-z' }, 5, 'noProxies'],
    ['an instant behind the end', {}, 61, 'outside'],
  ])('cannot tell for %s', (_name, question, seconds, cannotTell) => {
    expect(asked(alone, seconds, question)).toMatchObject({ cannotTell, isBackend: false, missing: null });
  });

  it('of a Pod that no kubelet runs the chain has no app, no probe and no kubelet', () => {
    const scripted = serviceRun('duration: 20s\npodsWithoutKubelet: [web]\nclients: []');
    const [pod] = podsOf(scripted.scenario).values();
    if (pod === undefined) throw new Error('no Pod');
    const why = whyAt(scripted, { pod, service: 'default/web', node: null, at: micros(10e6) });
    expect(why.isBackend).toBe(true);
    expect(why.links.map(({ kind }) => kind)).toEqual([
      'exists',
      'kept',
      'scheduled',
      'selected',
      'address',
      'api',
      'slice',
      'rules',
    ]);
    const [path] = pathsOf(scripted);
    const budget = path && joiningBudget(path, 'node-a', scripted.reader.data.horizon);
    expect(budget?.hops.map(({ hop }) => hop)).toEqual([4, 5, 6]);
  });

  it('a Pod of a headless Service is a backend by its slices, and its way has no rule sync', () => {
    const headless = serviceRun('duration: 60s\nclients: [{to: {service: web}}]', 1, 'clusterIP: None, ');
    const why = asked(headless, 20);
    expect(why.links.map(({ kind }) => kind)).not.toContain('rules');
    expect(why).toMatchObject({ isBackend: true, answer: { backend: { kind: 'inSlices' } } });
    const [path] = pathsOf(headless);
    const budget = path && joiningBudget(path, 'node-a', headless.reader.data.horizon);
    expect(budget).toMatchObject({ waitingFor: null });
    expect(budget?.hops.map(({ hop }) => hop)).toEqual([1, 2, 3, 4, 5, 7]);
  });

  it.each<[name: string, targetPort: string, because: object]>([
    ['a port that no container declares', '9999', { kind: 'noListener', port: 9999 }],
    ['a port that one declares', '8080', { kind: 'settled' }],
  ])('a backend under %s', (_name, targetPort, because) => {
    const run = finishedRunOf(`apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: ${targetPort}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec: {containers: [{name: app, image: i, ports: [{containerPort: 8080}]}]}
`);
    const why = asked(run, 20);
    expect(why).toMatchObject({ isBackend: true, answer: { because } });
    // What is said agrees with what clients meet.
    expect(why.links.find(({ kind }) => kind === 'request')?.says === 'yes').toBe(targetPort === '8080');
  });

  it('of a text without a Service it says so, and speaks of no slice', () => {
    const [pod] = alone.scenario.pods;
    if (pod === undefined) throw new Error('no Pod');
    const why = whyAt(alone, { pod, service: '', node: null, at: micros(20e6) });
    expect(why).toMatchObject({ isBackend: false, missing: null, cannotTell: 'noServices' });
    expect(why.links.map(({ kind }) => kind)).not.toContain('slice');
    expect(why.proof).toBe('kubectl get services -n default -o wide');
    for (const words of [pathEn, pathZh]) expect(words.question(why)).not.toMatch(/ of at|undefined| {2}/);
  });

  it('each missing link has a command of its own', () => {
    const commands = [0.5, 5, 10, (becomes - 1) / 1e6].map((seconds) => asked(alone, seconds).proof);
    expect(new Set(commands).size).toBe(commands.length);
    for (const command of commands) expect(command).toMatch(/kubectl|iptables-save/);
  });
});

describe.each<[language: string, words: PathWords]>([
  ['English', pathEn],
  ['Chinese', pathZh],
])('the why card in %s', (_language, words) => {
  it.each([0.5, 5, 10, becomes / 1e6, 31, 59, 61])(
    'has a question, an answer and a name for each link at %s s',
    (seconds) => {
      const why = asked(alone, seconds);
      for (const text of [words.question(why), words.answer(why), ...why.links.map(words.link)]) {
        expect(text).not.toBe('');
        expect(text).not.toMatch(/undefined|null|NaN| {2}/);
      }
    },
  );
});
