import { describe, expect, it } from 'vitest';
import { caseRuns } from '../support/caseRuns.ts';
import type { ReadRun } from '../support/readRun.ts';

/** Surprises that people met, seen by clients: F1, P1, P3, R1, T1. */

interface World {
  readonly replicas: number;
  /** Of the containers. */
  readonly container?: string;
  /** Of the Pods. */
  readonly pod?: string;
  readonly protocol?: 'TCP' | 'UDP';
  readonly scenario: string;
}
/** A Deployment `web` with a Service in front. */
function runOf({ replicas, container = '', pod = '', protocol = 'TCP', scenario }: World): ReadRun {
  const manifests = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {${pod} containers: [{name: app, image: i, ports: [{containerPort: 53, protocol: ${protocol}}]${container}}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 53, protocol: ${protocol}}]}`;
  const [ran] = caseRuns(manifests, scenario, [1]);
  if (!ran) throw new Error('no run');
  return ran;
}
const deletions = (pods: number, at: number): string =>
  Array.from({ length: pods }, (_, i) => `{at: ${at}s, do: deletePod, pod: default/web#1/${i}}`).join(', ');

describe('F1: ten Pods to five, retries cannot save you', () => {
  /** Share of the requests that fail while a proxy still has the endpoints of 1.5 s ago. */
  function lost(dying: number, retries: number, container = ''): number {
    const ran = runOf({
      replicas: 10,
      container,
      scenario: `duration: 62s
actions: [${deletions(dying, 60)}]
clients:
- to: {service: web, via: endpointSlices, lag: 1500ms}
  start: 60100ms
  interval: 1ms
  count: 1300
  timeout: 20ms
  retries: {count: ${retries}}`,
    });
    const final = ran.all('clientAttempt', ({ payload }) => payload.final === 1);
    return final.filter(({ payload }) => payload.outcome !== 'served').length / final.length;
  }

  it.each<[string, number, number, number]>([
    ['without a retry half of the requests fail', 5, 0, 1 / 2],
    ['with three picks one of twelve does: all three are dead', 5, 2, (5 * 4 * 3) / (10 * 9 * 8)],
    ['with three picks and one dying Pod none does', 1, 2, 0],
  ])('%s', (_name, dying, retries, share) => {
    expect(lost(dying, retries)).toBeGreaterThanOrEqual(share * 0.85);
    expect(lost(dying, retries)).toBeLessThanOrEqual(share * 1.15);
  });
  it('a preStop sleep longer than the lag saves them all', () => {
    expect(lost(5, 0, ', lifecycle: {preStop: {sleep: {seconds: 2}}}')).toBe(0);
  });
});

describe('R1: a UDP client that keeps its port', () => {
  const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const ask = (keepAlive: string, until = ''): ReadRun =>
    runOf({
      replicas: 4,
      protocol: 'UDP',
      scenario: `duration: 80s
actions: [${deletions(2, 50)}]
apps: [{workload: web, onTerm: {exitAfter: 0s}}]
clients: [${NAMES.map((name, i) => `{name: ${name}, to: {service: web}, interval: 1s, start: ${5 + i / 10}s${keepAlive}${until}}`).join(', ')}]`,
    });
  const ran = ask(', keepAlive: {}');
  /** Pods that answered a client in order, a row of the same one only once. */
  const answering = (name: string): readonly string[] =>
    ran
      .all('clientAttempt', ({ subject, payload }) => subject.object === name && payload.outcome === 'served')
      .map(({ payload }) => payload.pod)
      .filter((pod, i, all) => pod !== all[i - 1]);
  const lost = ran.all(
    'clientAttempt',
    ({ payload, at }) => payload.final === 1 && payload.outcome !== 'served' && at > 10e6,
  );

  it('stays with its Pod while that serves', () => {
    for (const name of NAMES) expect(answering(name).length).toBeLessThanOrEqual(2);
    expect(NAMES.filter((name) => answering(name).length === 2).length).toBeGreaterThan(0);
  });
  it('is lost for a second or two after the slice has changed: then kube-proxy forgets its flow', () => {
    expect(lost.length).toBeGreaterThan(0);
    for (const { at, payload } of lost) {
      expect(payload.outcome).toBe('timeout');
      expect(at / 1e6).toBeLessThan(52);
    }
    expect(ran.all('conntrackDelete')).toHaveLength(new Set(lost.map(({ subject }) => subject.object)).size);
  });
  it('goes to one Pod after the other where it takes a new port for each packet', () => {
    const pods = ask('').all('clientAttempt', ({ subject, at }) => subject.object === 'a' && at > 10e6 && at < 50e6);
    expect(new Set(pods.map(({ payload }) => payload.pod)).size).toBe(4);
  });
});

describe('T1: a kept connection outlives its endpoint', () => {
  it.each(['iptables', 'ipvs', 'nftables'])(
    '%s: new ones go elsewhere within a second, it goes on until the Pod closes it',
    (mode) => {
      const ran = runOf({
        replicas: 2,
        pod: 'terminationGracePeriodSeconds: 60,',
        scenario: `duration: 90s
kubeProxy: {mode: ${mode}}
apps: [{workload: web, onTerm: {exitAfter: 40s}}]
actions: [{at: 20s, do: deletePod, pod: default/web#1/1}]
clients:
- {name: kept, to: {service: web}, start: 5s, interval: 5s, keepAlive: {}}
- {name: new, to: {service: web}, start: 5s, interval: 100ms}`,
      });
      const toDeleted = (name: string): readonly number[] =>
        ran
          .all('clientAttempt', ({ subject, payload }) => subject.object === name && payload.pod === 'default/web#1/1')
          .map(({ at }) => at / 1e6);
      expect(toDeleted('kept')).toEqual([5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60]);
      expect(toDeleted('new').at(-1)).toBeGreaterThan(19);
      expect(toDeleted('new').at(-1)).toBeLessThan(21.1);
      const [closed] = ran.all('connectionClosed');
      expect(closed?.payload).toEqual({ connection: 1, reason: 'byApp' });
      expect(closed?.at).toBeGreaterThan(60e6);
      const lost = ran.all('clientAttempt', ({ payload, at }) => payload.outcome !== 'served' && at > 6e6);
      expect(lost).toEqual([]);
    },
  );
});

describe('P1: peers unresolvable for 30 s although published', () => {
  const manifests = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  replicas: 3
  serviceName: web
  podManagementPolicy: Parallel
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: i, ports: [{containerPort: 80}], readinessProbe: {httpGet: {port: 80}, periodSeconds: 1}}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {clusterIP: None, publishNotReadyAddresses: true, selector: {app: web}, ports: [{port: 80}]}`;
  // The image of web-1 is pulled for 3 s.
  const client = (name: string, dns: string): string =>
    `- {name: ${name}, from: {pod: web-0}, to: {service: web, hostname: web-1}, start: 100ms, interval: 100ms${dns}}`;
  const [ran] = caseRuns(
    manifests,
    `duration: 50s
apps: [{pod: web-1, imagePull: {takes: 3s}, readyAfter: 60s}]
clients:
${client('kubeadm', '')}
${client('addon', ', dns: {profile: addon}')}
${client('node', ', dns: {profile: nodeLocal}')}`,
    [1],
  );
  if (!ran) throw new Error('no run');
  /** From the first question for the name to the first answer with an address, s. */
  const unresolvable = (name: string): number => {
    const all = ran.all('dnsLookup', ({ subject }) => subject.object === name);
    const known = all.find(({ payload }) => payload.answer !== 'NXDOMAIN');
    return ((known?.at ?? Number.NaN) - (all[0]?.at ?? Number.NaN)) / 1e6;
  };

  it('the endpoint is published within seconds, as soon as its Pod has an address', () => {
    expect(unresolvable('kubeadm')).toBeGreaterThan(1);
    expect(unresolvable('kubeadm')).toBeLessThan(5);
  });
  it('a resolver that caches says for 30 s that there is no such name', () => {
    expect(unresolvable('addon')).toBeCloseTo(30, 0);
  });
  it('a cache on the node says so for 5 s', () => {
    expect(unresolvable('node')).toBeCloseTo(5, 0);
  });
});

describe('P3: readiness that needs peers, peers that need readiness', () => {
  const PERIOD = 5;
  const runs = (policy: string, published: boolean, dns = ''): readonly ReadRun[] =>
    caseRuns(
      `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  replicas: 3
  serviceName: web
  podManagementPolicy: ${policy}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: i, readinessProbe: {httpGet: {port: 80}, periodSeconds: ${PERIOD}}}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {clusterIP: None, publishNotReadyAddresses: ${published}, selector: {app: web}, ports: [{port: 80}]}`,
      `duration: 60s\napps: [{workload: web, needs: {service: web, addresses: 3${dns}}}]`,
      [1, 2, 3],
    );
  /** When the last Pod got its address, s. */
  const lastAddress = (ran: ReadRun): number => Math.max(...ran.all('runPodSandbox').map(({ end }) => end / 1e6));

  it('where only ready Pods are published, none ever becomes Ready', () => {
    for (const ran of runs('Parallel', false)) {
      expect(ran.readyTurned('True')).toEqual([]);
      const last = ran.all('appState', ({ subject }) => subject.pod === 'default/web#1/0').at(-1);
      expect(last?.payload).toEqual({
        state: 'starting',
        detail: 'readiness: 0 of 3 addresses of web.default.svc.cluster.local',
      });
    }
  });
  it('published before, all are Ready within a period of the last address', () => {
    for (const ran of runs('Parallel', true)) {
      expect(ran.readyTurned('True')).toHaveLength(3);
      expect(ran.all('appState').at(-1)?.payload.state).toBe('serving');
      expect(Math.max(...ran.readyTurned('True')) - lastAddress(ran)).toBeLessThan(PERIOD + 1);
    }
  });
  it('with a resolver that caches it may take 30 s more', () => {
    const late = runs('Parallel', true, ', dns: {profile: addon}').map(
      (ran) => Math.max(...ran.readyTurned('True')) - lastAddress(ran),
    );
    expect(Math.max(...late)).toBeGreaterThan(PERIOD + 1);
    expect(Math.max(...late)).toBeLessThan(30 + PERIOD + 1);
  });
  it('one after the other it does not help: the second Pod is not made before the first is Ready', () => {
    for (const ran of runs('OrderedReady', true)) {
      expect(ran.readyTurned('True')).toEqual([]);
      expect(ran.starts).toHaveLength(1);
    }
  });
});
