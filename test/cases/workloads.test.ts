import { describe, expect, it } from 'vitest';
import { micros } from '../../src/base/units.ts';
import { answerAt } from '../../src/explain/answer.ts';
import { stateAt } from '../../src/explain/stateAt.ts';
import type { PodInput } from '../../src/sim/scenario.ts';
import { finishedRun } from '../../src/sim/trace/podsOfRun.ts';
import { historyOf } from '../../src/sim/trace/storedObjects.ts';
import { caseRuns, conditionOf, first, podAt, podViews } from '../support/caseRuns.ts';
import type { ReadRun } from '../support/readRun.ts';
import { deploymentStatuses, endpointsAt, lostOf, sigterms } from '../support/wholePath.ts';

/** Handed cases of rollouts, nodes and clocks, as people would paste them. */

const SERVICE = `apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
---
`;
const CONTAINER = '{name: app, image: i, readinessProbe: {httpGet: {port: 8080}, periodSeconds: 1}}';

const workload = (kind: string, fields: string, name = 'web', labels = 'app: web', container = CONTAINER): string =>
  `apiVersion: apps/v1
kind: ${kind}
metadata: {name: ${name}}
spec:
  selector: {matchLabels: {${labels}}}
  template: {metadata: {labels: {${labels}}}, spec: {containers: [${container}]}}
  ${fields}
---
`;

describe('O1: minReadySeconds 120 and the old Pod dies in seconds', () => {
  const ROLLED_OUT = 150;
  const run = (strategy: string): ReadRun =>
    caseRuns(
      SERVICE + workload('Deployment', `replicas: 1\n  minReadySeconds: 120\n  strategy: {rollingUpdate: ${strategy}}`),
      `duration: 6m
apps: [{workload: web, onTerm: {exitAfter: 1ms}}, {workload: web, revision: 2, readyAfter: 20s, onTerm: {exitAfter: 1ms}}]
actions: [{at: ${ROLLED_OUT}s, do: rollOut, workload: web}]`,
      [1],
    )[0] as ReadRun;
  const OLD = 'default/web#1/0';
  const NEW = 'default/web#2/0';
  const firstOfNew = (ran: ReadRun): number =>
    first(ran.all('clientAttempt', ({ payload }) => payload.pod === NEW).map(({ at }) => at / 1e6)) - ROLLED_OUT;
  const available = (ran: ReadRun): number =>
    (deploymentStatuses(ran, 'default/web').find(
      ({ at, updatedReplicas, availableReplicas, replicas }) =>
        at > ROLLED_OUT + 5 && updatedReplicas === 1 && availableReplicas === 1 && replicas === 1,
    )?.at ?? Number.NaN) - ROLLED_OUT;

  it('with maxUnavailable 2 of one the old Pod goes at once: no endpoint until the new one is Ready, available 120 s later', () => {
    const ran = run('{maxSurge: 2, maxUnavailable: 2}');
    expect((sigterms(ran).get(OLD) ?? 0) - ROLLED_OUT).toBeLessThan(2);
    const lost = lostOf(ran).filter(({ at }) => at > ROLLED_OUT);
    expect((lost.at(-1)?.at ?? 0) - (lost[0]?.at ?? 0)).toBeGreaterThan(18);
    expect(firstOfNew(ran)).toBeGreaterThan(20);
    expect(firstOfNew(ran)).toBeLessThan(24);
    expect(available(ran)).toBeGreaterThan(140);
    expect(available(ran)).toBeLessThan(145);
  });

  it('with 0 and a surge of 1 it stays until the new one is available; the new one has traffic as soon as it is Ready', () => {
    const ran = run('{maxSurge: 1, maxUnavailable: 0}');
    expect((sigterms(ran).get(OLD) ?? 0) - ROLLED_OUT).toBeGreaterThan(140);
    expect((sigterms(ran).get(OLD) ?? 0) - ROLLED_OUT).toBeLessThan(145);
    expect(firstOfNew(ran)).toBeGreaterThan(20);
    expect(firstOfNew(ran)).toBeLessThan(26);
  });
});

describe('O3: 25 % of one', () => {
  const ROLLED_OUT = 30;
  it.each([
    [1, 0, 1],
    [2, 0, 1],
    [3, 0, 1],
    [4, 1, 1],
    [5, 1, 2],
    [6, 1, 2],
    [10, 2, 3],
  ])('of %i replicas %i may be away and %i be too many', (replicas, unavailable, surge) => {
    const [ran] = caseRuns(
      workload('Deployment', `replicas: ${replicas}`),
      `duration: 2m
apps: [{workload: web, readyAfter: 2s}]
actions: [{at: ${ROLLED_OUT}s, do: rollOut, workload: web}]`,
      [1],
    );
    const during = deploymentStatuses(ran as ReadRun, 'default/web').filter(({ at }) => at > ROLLED_OUT);
    expect(Math.min(...during.map(({ availableReplicas = 0 }) => availableReplicas))).toBe(replicas - unavailable);
    expect(Math.max(...during.map((status) => status.replicas ?? 0))).toBe(replicas + surge);
    expect(during.at(-1)).toMatchObject({ replicas, updatedReplicas: replicas, availableReplicas: replicas });
  });
});

describe('O7: a StatefulSet that ignores the fix', () => {
  const run = (policy: string): ReadRun =>
    caseRuns(
      SERVICE + workload('StatefulSet', `replicas: 3\n  serviceName: web\n  podManagementPolicy: ${policy}`),
      `duration: 11m
apps: [{workload: web}, {workload: web, revision: 2, readyAfter: 9s, exit: {at: 1s, code: 1}}]
clients: [{to: {service: web}, start: 30s}]
actions:
- {at: 60s, do: rollOut, workload: web}
- {at: 360s, do: rollOut, workload: web}
- {at: 480s, do: deletePod, pod: web-2}`,
      [1],
    )[0] as ReadRun;
  const startOf = (ran: ReadRun, pod: string): number =>
    first(ran.all('startContainer', ({ subject }) => subject.pod === pod).map(({ end }) => end / 1e6));

  it('the broken Pod blocks the good template until somebody deletes it; the other two serve on', () => {
    const ran = run('OrderedReady');
    expect(startOf(ran, 'default/web#2/2')).toBeGreaterThan(60);
    expect(startOf(ran, 'default/web#2/2')).toBeLessThan(95);
    expect(startOf(ran, 'default/web#3/2')).toBeGreaterThan(480);
    expect(startOf(ran, 'default/web#3/2')).toBeLessThan(520);
    expect(startOf(ran, 'default/web#2/1')).toBeNaN();
    const until = ran.all('clientAttempt', ({ at }) => at > 95e6 && at < 480e6);
    expect(new Set(until.map(({ payload }) => payload.outcome))).toEqual(new Set(['served']));
    expect(new Set(until.map(({ payload }) => payload.pod))).toEqual(new Set(['default/web#1/0', 'default/web#1/1']));
  });

  it('with Parallel the controller replaces the broken Pod by itself', () => {
    const ran = run('Parallel');
    expect(startOf(ran, 'default/web#3/2')).toBeGreaterThan(360);
    expect(startOf(ran, 'default/web#3/2')).toBeLessThan(400);
  });
});

const PLAIN = '{name: app, image: i}';
const POD = 'default/web#1/0';
const nodeMarks = (ran: ReadRun): readonly number[] =>
  historyOf(ran.reader, 'nodes', 'node-a').flatMap(({ at, object }) =>
    object?.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'Unknown') ? [at / 1e6] : [],
  );

describe('C3: kubelet stopped for 40 s', () => {
  const DOWN = 60;
  const runs = (kubernetes: string): readonly ReadRun[] =>
    caseRuns(
      workload('Deployment', 'replicas: 1', 'web', 'app: web', PLAIN),
      `kubernetes: '${kubernetes}'
duration: 3m
controllerManager: {controllers: ['*']}
actions: [{at: ${DOWN}s, do: restartKubelet, node: node-a, down: 40s}]`,
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    );
  const all = runs('1.31');

  it('up to 1.31 it is a coin toss whether the node is given up, (30, 45] s after the stop', () => {
    const marks = all.map((ran) => first(nodeMarks(ran)) - DOWN);
    const given = marks.filter((at) => !Number.isNaN(at));
    expect(given.length).toBeGreaterThan(0);
    expect(given.length).toBeLessThan(all.length);
    for (const at of given) {
      expect(at).toBeGreaterThan(29.6);
      expect(at).toBeLessThan(45.1);
    }
  });

  it('then its Pods are not Ready while their containers are, until the kubelet has looked at their status again', () => {
    for (const ran of all) {
      const mark = first(nodeMarks(ran));
      if (Number.isNaN(mark)) continue;
      const marked = podAt(ran, mark + 0.2, POD);
      expect(conditionOf(marked, 'Ready')?.status).toBe('False');
      expect(conditionOf(marked, 'ContainersReady')?.status).toBe('True');
      expect(marked.status.containerStatuses?.every(({ ready }) => ready)).toBe(true);
      const back = podViews(ran, POD).find(
        (view) => view.since > mark + 0.2 && conditionOf(view, 'Ready')?.status === 'True',
      );
      expect((back?.since ?? 0) - DOWN).toBeGreaterThan(40);
      expect((back?.since ?? 0) - DOWN).toBeLessThan(52);
    }
  });

  it('from 1.32 on nobody notices', () => {
    for (const ran of runs('1.32')) expect(nodeMarks(ran)).toEqual([]);
  });
});

describe('X2: Pods became unready but no probe failed', () => {
  const CUT = 60;
  const all = caseRuns(
    SERVICE + workload('DaemonSet', 'minReadySeconds: 0', 'web', 'app: web', PLAIN),
    `duration: 4m\nactions: [{at: ${CUT}s, do: cutApi, node: node-a, lasts: 90s}]`,
  );
  it('the node missed its heartbeats: Ready is False although the containers are, and an event on the Pod names it', () => {
    for (const ran of all) {
      const [mark] = nodeMarks(ran);
      expect((mark ?? 0) - CUT).toBeGreaterThan(39.5);
      expect((mark ?? 0) - CUT).toBeLessThan(55.4);
      const view = podAt(ran, (mark ?? 0) + 0.2, POD);
      expect(conditionOf(view, 'Ready')?.status).toBe('False');
      expect(conditionOf(view, 'ContainersReady')?.status).toBe('True');
      const [event] = ran.all(
        'controllerEvent',
        ({ subject, payload }) => subject.object === POD && payload.reason === 'NodeNotReady',
      );
      expect((event?.at ?? 0) / 1e6).toBeCloseTo(mark ?? 0, 0);
      expect([...endpointsAt(ran, 'default/web', (mark ?? 0) + 1).values()]).toEqual(['not ready']);
    }
  });

  it('the answer names the node and no probe', () => {
    const [ran] = all;
    const { scenario } = ran as ReadRun;
    const run = finishedRun(scenario, (ran as ReadRun).reader);
    const [mark = 0] = nodeMarks(ran as ReadRun);
    const pod = run.scenario.pods.find(({ identity }) => identity === POD) as PodInput;
    const at = micros((mark + 2) * 1e6);
    const { because } = answerAt(run, stateAt(run, pod, at));
    expect(because).toEqual({
      kind: 'nodeTrouble',
      node: 'node-a',
      trouble: 'apiCut',
      since: CUT * 1e6,
      givenUp: Math.round(mark * 1e6),
      isReady: false,
    });
    // Back in touch, and the kubelet has not rewritten its status yet.
    const later = micros((CUT + 90.5) * 1e6);
    expect(answerAt(run, stateAt(run, pod, later)).because).toMatchObject({ kind: 'nodeSilent', node: 'node-a' });
  });
});

describe('W1: running on a dead host', () => {
  const OFF = 60;
  const all = caseRuns(
    `${SERVICE}apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec: {nodeName: node-b, containers: [${PLAIN}]}
---
apiVersion: v1
kind: Node
metadata: {name: node-a}
---
apiVersion: v1
kind: Node
metadata: {name: node-b}
`,
    `duration: 15m\nstaticPods: [web]\nactions: [{at: ${OFF}s, do: stopNode, node: node-b}]`,
    [1, 2, 3],
  );
  it('the mirror Pod reads Running for ever, not Ready within N-033, and no taint evicts it', () => {
    for (const ran of all) {
      const turned = ran.readyTurned('False').filter((at) => at > OFF);
      expect(turned).toHaveLength(1);
      expect(first(turned) - OFF).toBeGreaterThan(39.5);
      expect(first(turned) - OFF).toBeLessThan(55.4);
      const last = podAt(ran, 900);
      expect(last.status.phase).toBe('Running');
      expect(last.metadata.deletionTimestamp).toBeUndefined();
      expect(last.status.containerStatuses?.every(({ ready }) => ready)).toBe(true);
      expect([...endpointsAt(ran, 'default/web', first(turned) + 1).values()]).toEqual(['not ready']);
    }
  });
});

describe('AA1: a DaemonSet is unavailable because the clock of its controller is slow', () => {
  const all = caseRuns(
    SERVICE + workload('DaemonSet', 'minReadySeconds: 10'),
    `duration: 4m
controllerManager: {controllers: ['*']}
clockSkew: {node-a: 30s}
apps: [{workload: web, readyAfter: 98s}]
clients: [{to: {service: web}, interval: 100ms}]`,
  );
  it('is available 40 s after Ready, when the controller has come to what the node wrote; traffic starts at once', () => {
    for (const ran of all) {
      const ready = first(ran.readyTurned('True'));
      const available = historyOf(ran.reader, 'daemonsets', 'default/web').find(
        ({ object }) => object?.status.numberAvailable === 1,
      );
      expect((available?.at ?? 0) / 1e6 - ready).toBeGreaterThan(38.9);
      expect((available?.at ?? 0) / 1e6 - ready).toBeLessThan(41.2);
      const [served] = ran.all('clientAttempt', ({ payload }) => payload.outcome === 'served');
      expect((served?.at ?? 0) / 1e6 - ready).toBeLessThan(1.5);
    }
  });
});

describe('F5: why a rollout controller waits 30 s before scaling down', () => {
  const SWITCHED = 30;
  const manifests = `${SERVICE.replace('{app: web}', '{app: web, track: old}')}${workload('Deployment', 'replicas: 2', 'old', 'app: web, track: old')}${workload('Deployment', 'replicas: 2', 'new', 'app: web, track: new')}apiVersion: v1
kind: Service
metadata: {name: noisy}
spec: {selector: {app: noisy}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: v1
kind: Pod
metadata: {name: noisy, labels: {app: noisy}}
spec: {containers: [${PLAIN}]}
`;
  const run = (scaledAt: number): ReadRun =>
    caseRuns(
      manifests,
      `duration: 90s
kubeProxy: {minSyncPeriod: 10s}
podsWithoutKubelet: [noisy]
apps: [{workload: old, onTerm: {exitAfter: 1ms}}]
clients: [{to: {service: web}, interval: 100ms, start: 20s}]
actions:
- {at: 26s, do: setReady, pod: noisy, ready: false}
- {at: ${SWITCHED}s, do: patchSelector, service: web, labels: {track: new}}
- {at: ${scaledAt}s, do: scale, workload: old, replicas: 0}`,
      [1],
    )[0] as ReadRun;

  it('scaled down with the switch, the old Pods take requests until the rules have changed', () => {
    const ran = run(SWITCHED);
    const lost = lostOf(ran).filter(({ outcome }) => outcome !== 'wrongPod');
    expect(lost.length).toBeGreaterThan(20);
    expect(new Set(lost.map(({ pod }) => pod))).toEqual(new Set(['default/old#1/0', 'default/old#1/1']));
    const lag = (lost.at(-1)?.at ?? 0) - SWITCHED;
    expect(lag).toBeGreaterThan(3);
    expect(lag).toBeLessThan(10.1);
  });

  it('they leave the slice at once, not as terminating ones: the fall-back can never help', () => {
    const names = [...endpointsAt(run(SWITCHED), 'default/web', SWITCHED + 0.5).entries()];
    expect(names.map(([, state]) => state)).toEqual(['ready', 'ready']);
    expect(names.every(([name]) => name.startsWith('new-'))).toBe(true);
  });

  it('with 30 s between the two every request is answered, for some seconds by Pods that are not selected any more', () => {
    expect(new Set(lostOf(run(SWITCHED + 30)).map(({ outcome }) => outcome))).toEqual(new Set(['wrongPod']));
  });
});
