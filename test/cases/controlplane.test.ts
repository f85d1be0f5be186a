import { describe, expect, it } from 'vitest';
import { micros, microsSpan, seconds } from '../../src/base/units.ts';
import type { StoredInput } from '../../src/sim/clusterInput.ts';
import { type EndpointJson, historyOf, slicesOf } from '../../src/sim/trace/storedObjects.ts';
import { caseRuns, podText } from '../support/caseRuns.ts';
import {
  CLUSTER_LATENCY,
  clusterInput,
  clusterScenario,
  nodeObject,
  runningStatus,
  scriptedPod,
  service,
} from '../support/cluster.ts';
import { type ReadRun, readRun } from '../support/readRun.ts';

const WEB = 'default/web';

/** The first change of `web`'s slices from `from` on after which `holds` is true of all endpoints, s. */
function sliceTurns(run: ReadRun, from: number, holds: (endpoints: readonly EndpointJson[]) => boolean): number {
  const [slice = ''] = slicesOf(run.reader, WEB);
  const found = historyOf(run.reader, 'endpointslices', slice).find(
    ({ at, object }) => at >= from * 1e6 && holds(object?.endpoints ?? []),
  );
  return (found?.at ?? Number.NaN) / 1e6;
}

/** Conditions of the endpoints of `web` at `t`, s. */
function conditionsAt({ reader }: ReadRun, t: number): readonly EndpointJson['conditions'][] {
  return slicesOf(reader, WEB).flatMap((key) => {
    const version = historyOf(reader, 'endpointslices', key).findLast(({ at }) => at <= t * 1e6);
    return (version?.object?.endpoints ?? []).map(({ conditions }) => conditions);
  });
}

/** Numbers of ready and not ready addresses in the Endpoints of `web` at `t`, s. */
function endpointsAt({ reader }: ReadRun, t: number): { readonly ready: number; readonly notReady: number } {
  const version = historyOf(reader, 'endpoints', WEB).findLast(({ at }) => at <= t * 1e6);
  const subsets = version?.object?.subsets ?? [];
  const count = (part: 'addresses' | 'notReadyAddresses'): number =>
    subsets.reduce((sum, subset) => sum + (subset[part]?.length ?? 0), 0);
  return { ready: count('addresses'), notReady: count('notReadyAddresses') };
}

const SERVICE = `---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}`;
const labelled = (spec: string): string => podText(spec).replace('{name: web}', '{name: web, labels: {app: web}}');

describe('D4: Ready while the Pod ends', () => {
  const spec = `
containers:
  - {name: app, image: i, readinessProbe: {exec: {command: [test, -f, /ready]}, periodSeconds: 3}}`;
  const afterTerm = 'onTerm: {exitAfter: 20s, outages: [{from: 0, answer: fail}]}';

  it('after a deletion the endpoint is not ready at once, and not serving within three periods', () => {
    const deleted = caseRuns(
      `${labelled(spec)}\n${SERVICE}`,
      `duration: 60s\napps: [{readyAfter: 1s, ${afterTerm}}]\nactions: [{at: 30s, do: deletePod, pod: web}]`,
    );
    for (const run of deleted) {
      expect(conditionsAt(run, 30)).toEqual([{ ready: true, serving: true, terminating: false }]);
      const notReady = sliceTurns(run, 30, ([one]) => one?.conditions.ready === false);
      expect(notReady - 30).toBeLessThan(0.1);
      expect(conditionsAt(run, notReady)).toEqual([{ ready: false, serving: true, terminating: true }]);
      const notServing = sliceTurns(run, 30, ([one]) => one?.conditions.serving === false);
      expect(notServing - notReady).toBeGreaterThan(6);
      expect(notServing - notReady).toBeLessThan(9.5);
    }
  });

  it('after an eviction it stays ready, serving and not terminating until the process has gone, 20 s later', () => {
    const evicted = caseRuns(
      `${labelled(spec)}\n${SERVICE}`,
      `duration: 60s\napps: [{readyAfter: 1s, ${afterTerm}}]\nactions: [{at: 30s, do: evictPod, pod: web, graceSeconds: 30}]`,
    );
    for (const run of evicted) {
      const gone = sliceTurns(run, 30, (endpoints) => endpoints.length === 0);
      expect(gone - 50).toBeGreaterThan(0);
      expect(gone - 50).toBeLessThan(0.3);
      expect(sliceTurns(run, 30, ([one]) => one !== undefined && !one.conditions.ready)).toBeNaN();
      expect(conditionsAt(run, 49.9)).toEqual([{ ready: true, serving: true, terminating: false }]);
      expect(endpointsAt(run, 49.9)).toEqual({ ready: 1, notReady: 0 });
    }
  });
});

describe('N1: a Pod that waits for its gate, as its slice has it', () => {
  const gate = 'lb.example/target-ready';
  const manifests = `${labelled(`
readinessGates: [{conditionType: ${gate}}]
containers:
  - {name: app, image: i, readinessProbe: {tcpSocket: {port: 8080}, periodSeconds: 1}}`)}\n${SERVICE}`;
  const patch = (t: number, status: string): string =>
    `{at: ${t}s, do: patchCondition, pod: web, condition: ${gate}, status: '${status}'}`;
  const runs = caseRuns(
    manifests,
    `duration: 2m\napps: [{readyAfter: 5s}]\nactions: [${patch(45, 'True')}, ${patch(100, 'False')}]`,
  );

  it('the endpoint is listed without being ready while the condition is missing', () => {
    for (const run of runs) {
      expect(conditionsAt(run, 44.9)).toEqual([{ ready: false, serving: false, terminating: false }]);
      expect(endpointsAt(run, 44.9)).toEqual({ ready: 0, notReady: 1 });
    }
  });

  it('it is ready at once when the condition turns True, and out again when it turns False', () => {
    for (const run of runs) {
      const isReady =
        (ready: boolean) =>
        ([one]: readonly EndpointJson[]) =>
          one?.conditions.ready === ready;
      expect(sliceTurns(run, 45, isReady(true)) - 45).toBeLessThan(0.2);
      expect(sliceTurns(run, 100, isReady(false)) - 100).toBeLessThan(0.2);
      expect(endpointsAt(run, 119)).toEqual({ ready: 0, notReady: 1 });
    }
  });
});

/** A running Pod `web-<n>` without a kubelet. */
const webPod = (n: number, status = runningStatus([`10.244.0.${n}`], true)): StoredInput => ({
  resource: 'pods',
  object: scriptedPod(`web-${n}`, { app: 'web' }, status),
});
const common: readonly StoredInput[] = [
  { resource: 'nodes', object: nodeObject('node-a') },
  { resource: 'services', object: service('web') },
];

describe('Q2: not ready and back again within half a second, with a conflict', () => {
  const ready = (at: number, n: number, isReady: boolean) =>
    ({ at: micros(seconds(at)), do: 'setReady', pod: `default/web-${n}`, ready: isReady }) as const;
  const writes = [ready(39.149, 1, false), ready(39.149, 2, false), ready(39.763, 1, true), ready(39.786, 2, true)];

  it.each([
    ['a quick cache', 1570],
    ['a cache that is 58 ms behind', 58_467],
    ['a cache that is half a second behind', 500_000],
  ])('%s: both are ready in the end, in Endpoints and in the slice', (_name, behind) => {
    const { watch } = CLUSTER_LATENCY;
    const endpoints = { ...watch.endpoints, endpoints: microsSpan(behind) };
    const run = readRun(
      clusterScenario(
        clusterInput({
          existing: [...common, webPod(1), webPod(2)],
          latency: { ...CLUSTER_LATENCY, watch: { ...watch, endpoints } },
          faults: [
            {
              actor: 'endpoints',
              verb: 'update',
              resource: 'endpoints',
              code: 409,
              from: micros(39_700_000),
              count: 1,
              committed: false,
            },
          ],
          writes,
        }),
        60,
      ),
    );
    expect(run.all('apiWrite', ({ payload }) => payload.code === 409)).toHaveLength(1);
    expect(endpointsAt(run, 39.5)).toEqual({ ready: 0, notReady: 2 });
    expect(endpointsAt(run, 60)).toEqual({ ready: 2, notReady: 0 });
    expect(conditionsAt(run, 60).map((conditions) => conditions.ready)).toEqual([true, true]);
  });
});

describe('Q4: Pods of a Job that have ended', () => {
  const ended = (n: number, phase: 'Failed' | 'Succeeded'): StoredInput =>
    webPod(n, runningStatus([`10.244.1.${n}`], false, { phase }));
  const existing = [
    ...common,
    ...Array.from({ length: 40 }, (_, n) => ended(n + 10, 'Failed')),
    ...Array.from({ length: 3 }, (_, n) => ended(n + 60, 'Succeeded')),
    webPod(1),
    webPod(2, runningStatus(['10.244.0.2'], false)),
  ];

  it('only the two running ones are listed, one of them as ready', () => {
    const run = readRun(clusterScenario(clusterInput({ existing }), 5));
    expect(endpointsAt(run, 5)).toEqual({ ready: 1, notReady: 1 });
    const listed = conditionsAt(run, 5);
    expect(listed).toHaveLength(2);
    expect(listed.filter(({ ready }) => ready)).toHaveLength(1);
  });

  it('a running Pod of which one container has ended is listed and not ready', () => {
    const pod = labelled(`
restartPolicy: Never
containers:
  - {name: app, image: i}
  - {name: job, image: i}`);
    const runs = caseRuns(`${pod}\n${SERVICE}`, 'duration: 60s\napps: [{container: job, exit: {at: 20s, code: 0}}]');
    for (const run of runs) {
      expect(conditionsAt(run, 15)).toEqual([{ ready: true, serving: true, terminating: false }]);
      expect(conditionsAt(run, 60)).toEqual([{ ready: false, serving: false, terminating: false }]);
      expect(endpointsAt(run, 60)).toEqual({ ready: 0, notReady: 1 });
    }
  });
});
