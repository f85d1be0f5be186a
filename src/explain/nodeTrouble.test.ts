import { describe, expect, it } from 'vitest';
import { finishedRunOf } from '../../test/support/services.ts';
import { micros } from '../base/units.ts';
import { joiningBudget, leavingBudget } from './hops.ts';
import { pathsOf } from './path.ts';
import { podsOf } from './podsOf.ts';
import { waitOf } from './shorten.ts';
import { type Why, whyAt } from './why.ts';
import { pathEn } from './words/pathEn.ts';
import { pathZh } from './words/pathZh.ts';

const NODES = ['node-a', 'node-b']
  .map((name) => `apiVersion: v1\nkind: Node\nmetadata: {name: ${name}}\n---\n`)
  .join('');
const START = 60;

/** A Pod on node-b that is a backend from its first seconds on, and its client on node-a; `action` befalls node-b at 60 s. */
const runWith = (action: string) =>
  finishedRunOf(`${NODES}apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec:
  nodeName: node-b
  containers: [{name: app, image: i, readinessProbe: {httpGet: {path: /, port: 8080}, periodSeconds: 5}}]
---
apiVersion: podtopool/v1
kind: Scenario
startTime: 2026-01-01T00:00:00Z
duration: 5m
actions: [{at: ${START}s, node: node-b, ${action}}]
`);

const ACTIONS = {
  off: 'do: stopNode',
  cut: 'do: cutNode, lasts: 2m',
  apiCut: 'do: cutApi, lasts: 2m',
  kubeletDown: 'do: restartKubelet, down: 2m',
} as const;

describe.each(Object.entries(ACTIONS))('a node that falls silent: %s', (trouble, action) => {
  const run = runWith(action);
  const pod = [...podsOf(run.scenario).values()][0];
  if (pod === undefined) throw new Error('no Pod');
  const asked = (seconds: number): Why =>
    whyAt(run, { pod, service: 'default/web', node: null, at: micros(seconds * 1e6) });
  const [path] = pathsOf(run);
  if (path === undefined) throw new Error('no path');
  const { horizon } = run.reader.data;

  it('says nothing of the node while that is in touch', () => {
    expect(asked(START - 1).answer.because.kind).toBe('settled');
    expect(asked(START - 1).links.find(({ kind }) => kind === 'node')).toMatchObject({ says: 'yes', value: 'node-b' });
  });

  it('a backend by the rules all the same: the answer names the trouble, and that nobody has noticed', () => {
    const why = asked(START + 5);
    expect(why).toMatchObject({ isBackend: true, missing: null });
    expect(why.answer.because).toEqual({
      kind: 'nodeTrouble',
      node: 'node-b',
      trouble,
      since: START * 1e6,
      givenUp: null,
      isReady: true,
    });
    expect(pathEn.answer(why)).toMatch(/It is a backend .* But since 60\.000\ss .*node-b.* given up only after/);
    expect(pathZh.answer(why)).toMatch(/但自 60\.000\ss 起，node-b/);
  });

  it('given up: the node is what is missing, no app and no probe, and a command shows the node', () => {
    const why = asked(START + 58);
    expect(why).toMatchObject({ isBackend: false, missing: { kind: 'node', says: 'no', value: trouble } });
    expect(why.proof).toBe('kubectl describe node node-b');
    expect(pathEn.answer(why)).toMatch(/^Since 60\.000\ss .*node-b.* gave it up .* No probe has failed\./);
    expect(waitOf(run, why)).toBe(null);
  });

  it('the way out begins with the trouble, and no hop of the kubelet is part of it', () => {
    const budget = leavingBudget(path, 'node-a', horizon);
    expect(path.leaving?.cause).toBe('node');
    expect(budget?.from).toBe(START * 1e6);
    expect(budget?.hops.map(({ hop }) => hop)).toEqual(['silence', 5, 6]);
    expect(budget?.longest).toBe('silence');
    expect(budget?.to).toBe(path.leaving?.nodes.find(({ node }) => node === 'node-a')?.rulesWithout?.at);
    expect(joiningBudget(path, 'node-a', horizon)?.to).toBeLessThan(START * 1e6);
  });
});

it('an app that fails on a node that is out of touch is named before the node', () => {
  const run = finishedRunOf(`${NODES}apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  nodeName: node-b
  containers: [{name: app, image: i, readinessProbe: {httpGet: {path: /, port: 8080}, periodSeconds: 5}}]
---
apiVersion: podtopool/v1
kind: Scenario
duration: 3m
apps: [{pod: web, outages: [{since: scenario, from: 30s, answer: fail}]}]
actions: [{at: 60s, do: cutApi, node: node-b, lasts: 1m}]
`);
  const [pod] = run.scenario.pods;
  if (pod === undefined) throw new Error('no Pod');
  const why = whyAt(run, { pod, service: 'default/web', node: null, at: micros(90e6) });
  expect(why.answer.because.kind).toBe('appNotServing');
  expect(why.links.find(({ kind }) => kind === 'node')).toMatchObject({ says: 'no', matters: false });
});
