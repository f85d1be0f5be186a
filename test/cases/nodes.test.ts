import { describe, expect, it } from 'vitest';
import { historyOf } from '../../src/sim/trace/storedObjects.ts';
import { caseRuns, conditionOf, podAt } from '../support/caseRuns.ts';
import type { ReadRun } from '../support/readRun.ts';
import { endpointsAt, lostOf } from '../support/wholePath.ts';

/** A kubelet that is down, a node without power and a node without a network: what is the same for the control plane, and what is not for a client. */

const AT = 60;
const LASTS = 90;
const BACK = AT + LASTS;
/** The Pod on node-b. */
const POD = 'default/web#1/1';

const run = (actions: string): ReadRun =>
  caseRuns(
    `apiVersion: v1
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
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: app
          image: i
          ports: [{containerPort: 8080}]
          readinessProbe: {httpGet: {port: 8080}, periodSeconds: 5}
`,
    `duration: 5m
clients: [{name: shop, from: {node: node-a}, to: {service: web}, start: 10s, interval: 250ms}]
actions: [${actions}]`,
    [1],
  )[0] as ReadRun;

const RUNS = {
  'a kubelet that is down': run(`{at: ${AT}s, do: restartKubelet, node: node-b, down: ${LASTS}s}`),
  'a node that does not reach the API server': run(`{at: ${AT}s, do: cutApi, node: node-b, lasts: ${LASTS}s}`),
  'a node without power': run(`{at: ${AT}s, do: stopNode, node: node-b}, {at: ${BACK}s, do: startNode, node: node-b}`),
  'a node that nobody reaches': run(`{at: ${AT}s, do: cutNode, node: node-b, lasts: ${LASTS}s}`),
} as const;
type Kind = keyof typeof RUNS;
const KINDS = Object.keys(RUNS) as Kind[];

const markedAt = ({ reader }: ReadRun): number =>
  (historyOf(reader, 'nodes', 'node-b').find(({ object }) =>
    object?.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'Unknown'),
  )?.at ?? Number.NaN) / 1e6;

describe.each(KINDS)('%s', (kind) => {
  const ran = RUNS[kind];
  const marked = markedAt(ran);

  it('is given up when the Lease has been missed for the grace period, and its Pod leaves the pool (N-031, N-033)', () => {
    expect(marked - AT).toBeGreaterThan(39.5);
    expect(marked - AT).toBeLessThan(55.4);
    expect(conditionOf(podAt(ran, marked + 0.5, POD), 'Ready')?.status).toBe('False');
    expect(podAt(ran, marked + 0.5, POD).status.containerStatuses?.[0]?.ready).toBe(true);
    expect([...endpointsAt(ran, 'default/web', marked + 1).values()].toSorted()).toEqual(['not ready', 'ready']);
  });

  it('has its Pod back in the pool soon after it is back, the same one (N-040)', () => {
    expect([...endpointsAt(ran, 'default/web', BACK + 45).values()]).toEqual(['ready', 'ready']);
    const served = ran.all('clientAttempt', ({ at, payload }) => at > (BACK + 45) * 1e6 && payload.pod === POD);
    expect(served.length).toBeGreaterThan(20);
    expect(lostOf(ran).filter(({ at }) => at > BACK + 45)).toEqual([]);
  });
});

describe('what a client meets', () => {
  it.each<Kind>(['a kubelet that is down', 'a node that does not reach the API server'])(
    '%s costs no request: the app and the proxy go on',
    (kind) => {
      expect(lostOf(RUNS[kind]).filter(({ at }) => at < BACK)).toEqual([]);
    },
  );

  it.each<Kind>(['a node without power', 'a node that nobody reaches'])(
    '%s is silent: half of the requests time out until the control plane has given it up',
    (kind) => {
      const ran = RUNS[kind];
      const lost = lostOf(ran).filter(({ at }) => at < BACK);
      expect(new Set(lost.map(({ pod, outcome }) => `${pod} ${outcome}`))).toEqual(new Set([`${POD} timeout`]));
      expect(lost.length).toBeGreaterThan(50);
      expect((lost.at(-1)?.at ?? 0) - markedAt(ran)).toBeLessThan(1.2);
    },
  );
});

describe('what the process in the Pod meets', () => {
  const restarts = (ran: ReadRun): number =>
    ran.all('startContainer', ({ subject, at }) => subject.pod === POD && at > AT * 1e6).length;
  it.each<[Kind, number]>([
    ['a kubelet that is down', 0],
    ['a node that does not reach the API server', 0],
    ['a node that nobody reaches', 0],
    ['a node without power', 1],
  ])('%s: it is started %i times more', (kind, times) => {
    expect(restarts(RUNS[kind])).toBe(times);
  });
});
