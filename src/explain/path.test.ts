import { describe, expect, it } from 'vitest';
import { finishedRunOf, serviceRun } from '../../test/support/services.ts';
import { micros } from '../base/units.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { backendAt } from './backendAt.ts';
import { type Budget, joiningBudget, leavingBudget, type PathPart } from './hops.ts';
import { type PodPath, pathOf, pathsOf } from './path.ts';

/** Ready at 11.5 s; deleted at 30 s with a preStop of 5 s. */
const alone = serviceRun(
  'duration: 60s\napps: [{workload: web, readyAfter: 8s}]\nactions: [{at: 30s, do: deletePod, pod: web-0}]\nclients: []',
);

const only = (run: FinishedRun): PodPath => {
  const [path] = pathsOf(run);
  if (path === undefined) throw new Error('no path');
  return path;
};

describe('budgets', () => {
  const path = only(alone);
  const { horizon } = alone.reader.data;
  const budgets = path.joining.nodes.flatMap(({ node }) => [
    joiningBudget(path, node, horizon),
    leavingBudget(path, node, horizon),
  ]);

  it('hops follow each other without a gap, and their shares are the whole', () => {
    for (const budget of budgets) {
      if (budget === null) throw new Error('no budget');
      const { hops, from, to } = budget;
      expect(hops[0]?.from).toBe(from);
      for (const [i, hop] of hops.entries()) expect(hop.from).toBe(i === 0 ? from : hops[i - 1]?.to);
      expect(hops.at(-1)?.to).toBe(to);
      expect(hops.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    }
  });

  it.each<[name: string, index: number, hops: readonly PathPart[], waitingFor: PathPart | null]>([
    ['on the way in all count, and without clients nobody waits for a next attempt', 0, [1, 2, 3, 4, 5, 6], null],
    [
      'a deletion of the only Pod is hops 5 and 6, and between them it is kept as a fall-back',
      1,
      [5, 'fallback', 6],
      null,
    ],
  ])('%s', (_name, index, hops, waitingFor) => {
    expect(budgets[index]?.hops.map(({ hop }) => hop)).toEqual(hops);
    expect(budgets[index]?.waitingFor).toBe(waitingFor);
  });

  it('nobody waits on a node without a kube-proxy', () => {
    expect(joiningBudget(path, 'nowhere', horizon)).toBe(null);
  });
});

const GATE = 'lb.example/ready';
/** A Pod with a readiness gate, its app ready at 3.2 s and probed at 6.5 s; `actions` are what somebody outside does. */
const gated = (actions: string, fields = ''): FinishedRun =>
  finishedRunOf(`apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ${fields}ports: [{name: http, port: 80, targetPort: 8080}]}
---
apiVersion: v1
kind: Pod
metadata: {name: web-0, labels: {app: web}}
spec:
  readinessGates: [{conditionType: ${GATE}}]
  containers: [{name: app, image: i, readinessProbe: {httpGet: {path: /ready, port: 8080}, periodSeconds: 5}}]
---
apiVersion: podtopool/v1
kind: Scenario
startTime: 2026-01-01T00:00:00Z
duration: 60s
apps: [{pod: web-0, readyAfter: 2s}]
actions: [${actions}]
clients: [{from: {node: node-a}, to: {service: web}, interval: 500ms}]
`);
const open = (at: number, condition = GATE, status = 'True'): string =>
  `{at: ${at}s, do: patchCondition, pod: web-0, condition: ${condition}, status: '${status}'}`;

/** Its client comes when it has left. */
const late = serviceRun(
  'duration: 60s\napps: [{workload: web, readyAfter: 8s}]\nactions: [{at: 30s, do: deletePod, pod: web-0}]\nclients: [{to: {service: web}, start: 50s}]',
);

describe('a Pod that leaves before it has served', () => {
  const joiningIn = (run: FinishedRun) => joiningBudget(only(run), 'node-a', run.reader.data.horizon);
  const deletion = (at: number): string => `{at: ${at}s, do: deletePod, pod: web-0}`;

  it.each<[name: string, run: FinishedRun, waitingFor: PathPart, end: number]>([
    ['waits for its probe until it is deleted', gated(deletion(5)), 1, 5],
    ['waits for its gate until it is deleted', gated(deletion(20)), 'gate', 20],
    [
      'waits for a request until the rules have it no more',
      late,
      7,
      only(late).leaving?.nodes[0]?.rulesWithout?.at ?? 0,
    ],
    ['that stays waits to the end of the run', gated(''), 'gate', 60],
  ])('%s', (_name, run, waitingFor, end) => {
    const budget = joiningIn(run);
    const at = end < 1000 ? end * 1e6 : end;
    expect(budget).toMatchObject({ to: null, waitingFor, end: at, leftBefore: at < 60e6 });
    const sum = budget?.hops.reduce((all, hop) => all + ((hop.to ?? budget.end) - hop.from), 0);
    expect(sum).toBe(at - (budget?.from ?? 0));
  });
});

/** Pods `web-0` and on, web-0 deleted at 30 s with a preStop of 5 s, its app serving on; web-1 is ready after `next`. */
const deleted = (replicas: number, next = '1s', more = ''): FinishedRun =>
  serviceRun(
    `${more}duration: 60s
apps: [{workload: web, readyAfter: 1s}${replicas > 1 ? `, {pod: web-1, readyAfter: ${next}}` : ''}]
actions: [{at: 30s, do: deletePod, pod: web-0}]
clients: []`,
    replicas,
  );

/** The same with web-0 on node-a and a ready web-1 on node-b. */
const deletedOnTwoNodes = (policy: string): FinishedRun => {
  const pod = (name: string, node: string): string => `---
apiVersion: v1
kind: Pod
metadata: {name: ${name}, labels: {app: web}}
spec:
  nodeName: ${node}
  containers: [{name: app, image: i, lifecycle: {preStop: {sleep: {seconds: 5}}}, readinessProbe: {httpGet: {path: /, port: 8080}}}]
`;
  return finishedRunOf(`apiVersion: v1
kind: Node
metadata: {name: node-a}
---
apiVersion: v1
kind: Node
metadata: {name: node-b}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, internalTrafficPolicy: ${policy}, ports: [{name: http, port: 80, targetPort: 8080}]}
${pod('web-0', 'node-a')}${pod('web-1', 'node-b')}---
apiVersion: podtopool/v1
kind: Scenario
startTime: 2026-01-01T00:00:00Z
duration: 60s
actions: [{at: 30s, do: deletePod, pod: web-0}]
clients: []
`);
};

describe('waits that are no hop', () => {
  /** `1 wait for probe 3.3` and so on, in seconds, without what takes less than a tenth of one. */
  const parts = (run: FinishedRun, direction: Budget['direction']): readonly string[] => {
    const path = pathsOf(run).find(({ pod }) => pod.endsWith('/0') || pod.includes('web-0'));
    const { horizon } = run.reader.data;
    const [node = ''] = path?.joining.nodes.map((one) => one.node) ?? [];
    const budget = path && (direction === 'joining' ? joiningBudget : leavingBudget)(path, node, horizon);
    const { hops = [] } = budget ?? {};
    return hops.flatMap(({ hop, from, to }) => {
      const length = ((to ?? horizon) - from) / 1e6;
      return length < 0.1 ? [] : [`${hop} ${length.toFixed(1)}${to === null ? ' and more' : ''}`];
    });
  };

  it.each<[name: string, run: () => FinishedRun, direction: Budget['direction'], parts: readonly string[]]>([
    [
      'nobody waits for a gate that is open before the probe succeeds',
      () => gated(open(4)),
      'joining',
      ['1 3.3', '7 0.5'],
    ],
    [
      'from the success of the probe on, a gate is waited for until somebody opens it',
      () => gated(open(20)),
      'joining',
      ['1 3.3', 'gate 13.5', '7 0.4'],
    ],
    [
      'a gate that is opened, closed and opened again counts as opened the last time',
      () => gated(`${open(5)}, ${open(6, GATE, 'False')}, ${open(20)}`),
      'joining',
      ['1 3.3', 'gate 13.5', '7 0.4'],
    ],
    [
      'a gate that nobody opens is waited for to the end of the run',
      () => gated(''),
      'joining',
      ['1 3.3', 'gate 53.5 and more'],
    ],
    [
      'a gate means nothing where the Service publishes the Pod ready or not',
      () => gated(open(20), 'publishNotReadyAddresses: true, '),
      'joining',
      ['7 0.3'],
    ],
    ['the only Pod is kept as a fall-back until it is gone', () => deleted(1), 'leaving', ['fallback 5.1']],
    ['beside a ready Pod there is no fall-back', () => deleted(2), 'leaving', []],
    ['a fall-back ends as another Pod is ready', () => deleted(2, '29s'), 'leaving', ['fallback 1.5']],
    ['beside a ready Pod of another node there is none either', () => deletedOnTwoNodes('Cluster'), 'leaving', []],
    ['with the Local policy that one does not count', () => deletedOnTwoNodes('Local'), 'leaving', ['fallback 5.1']],
    ['versions before 1.26 have no fall-back', () => deleted(1, '1s', 'kubernetes: "1.25"\n'), 'leaving', []],
  ])('%s', (_name, run, direction, expected) => {
    expect(parts(run(), direction)).toEqual(expected);
  });
});

describe('pathOf', () => {
  const { joining, leaving } = only(alone);

  it('on the way in, each party speaks after the one before', () => {
    const { containerStarted, appCanAnswer, probe, resultSet, statusVersion, patchCommit, sliceCommit } = joining;
    const times = [
      containerStarted,
      appCanAnswer,
      { at: probe?.start },
      resultSet,
      statusVersion,
      patchCommit,
      sliceCommit,
    ];
    const said = times.map((moment) => Number(moment?.at));
    expect(said).toEqual([...said].sort((a, b) => a - b));
    for (const { rulesInForce } of joining.nodes)
      expect(Number(rulesInForce?.at)).toBeGreaterThan(Number(sliceCommit?.at));
  });

  it('its commits are those that the view of the backend shows', () => {
    const [pod] = alone.scenario.pods;
    const [view] = pod === undefined ? [] : backendAt(alone, pod, micros(20_000_000));
    expect(joining.sliceCommit?.at).toBe(view?.slice.since);
    expect(joining.nodes.map(({ rulesInForce }) => rulesInForce?.at)).toEqual(view?.proxies.map(({ since }) => since));
  });

  it('a deleted Pod leaves by its deletion, and no probe is named', () => {
    expect(leaving).toMatchObject({ cause: 'delete', probe: null, patchCommit: null });
    expect(Number(leaving?.sliceCommit.at)).toBeGreaterThan(Number(leaving?.deleteCommit?.at));
  });

  it('a Service that never lists the Pod has no path for it', () => {
    const [pod] = alone.scenario.pods;
    expect(pod && pathOf(alone, pod, 'default/other', '')).toBe(null);
  });
});
