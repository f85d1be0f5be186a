import { describe, expect, it } from 'vitest';
import { microsSpan, milliseconds, seconds } from '../../src/base/units.ts';
import type { ScriptedWrite, StoredInput } from '../../src/sim/clusterInput.ts';
import type { Frontend, ServiceRules } from '../../src/sim/proxy/rules.ts';
import { historyOf, slicesOf } from '../../src/sim/trace/storedObjects.ts';
import {
  clusterInput,
  clusterScenario,
  nodeObject,
  proxyInput,
  runningStatus,
  scriptedPod,
  service,
  servicePort,
} from '../support/cluster.ts';
import { at, deletePod, frontends, podIp, proxyRun, setReady } from '../support/proxyRun.ts';
import { type ReadRun, readRun } from '../support/readRun.ts';

const HERE = 'node-a';
const AWAY = 'node-b';

/** Begins and ends of the syncs after `second`, s. */
const syncsAfter = (run: ReadRun, second: number): readonly (readonly [number, number])[] =>
  run.all('proxySync', (event) => event.at > second * 1e6).map((event) => [event.at / 1e6, event.end / 1e6]);

describe('J4 a Service port that names no container port', () => {
  const pods = Array.from({ length: 7 }, (_, n): StoredInput => {
    const ports = n < 5 ? [{ name: 'http', containerPort: 8080 }] : [];
    const status = runningStatus([podIp(n)], true);
    return { resource: 'pods', object: scriptedPod(`x-${n}`, { app: 'x' }, status, { node: AWAY }, ports) };
  });
  const spec = { selector: { app: 'x' }, ports: [servicePort({ name: 'web', targetPort: 'http' })] };
  const existing: readonly StoredInput[] = [
    { resource: 'nodes', object: nodeObject(AWAY) },
    ...pods,
    { resource: 'services', object: service('x', spec) },
  ];
  const { reader } = readRun(clusterScenario(clusterInput({ existing, proxies: [proxyInput('proxy-a')] }), 5));

  it('two slices: one with the port and five endpoints, one without ports and two, all ready', () => {
    const slices = slicesOf(reader, 'default/x').map((key) => historyOf(reader, 'endpointslices', key).at(-1)?.object);
    const seen = slices.map((slice) => [
      slice?.ports.length,
      slice?.endpoints.filter(({ conditions }) => conditions.ready).length,
    ]);
    expect(seen.sort()).toEqual([
      [0, 2],
      [1, 5],
    ]);
  });

  it('kube-proxy has five backends', () => {
    const [rules] = reader.versionsOf('rules/proxy-a/IPv4/default/x').slice(-1);
    const { frontends } = JSON.parse(reader.versionText(rules?.index ?? -1)) as ServiceRules;
    expect(frontends[0]?.backends).toHaveLength(5);
  });

  it('Endpoints have five addresses', () => {
    const last = historyOf(reader, 'endpoints', 'default/x').at(-1)?.object;
    expect(last?.subsets.map(({ addresses }) => addresses?.length)).toEqual([5]);
  });
});

describe('S2 ten seconds of minSyncPeriod', () => {
  const burst = [58.716, 58.923, 58.963, 59.121];
  /** A run that ends a little after 57.6 s, the burst, and one change after more than ten quiet seconds. */
  const writes = [
    setReady(57.6, 0, false),
    ...burst.map((second, i) => setReady(second, 0, i % 2 === 0)),
    setReady(85, 0, true),
  ];
  const runs = (minSyncSeconds: number) => {
    const proxy = { minSyncPeriod: seconds(minSyncSeconds) };
    const run = proxyRun({ pods: [AWAY, AWAY], proxy, writes, duration: 100 });
    const [first, ...later] = syncsAfter(run, 57);
    return { run, first: first ?? [0, 0], later };
  };

  it('one run ten seconds after the last ended covers the whole burst', () => {
    const { run, first, later } = runs(10);
    const [second] = later;
    expect(second?.[0]).toBeCloseTo(first[1] + 10, 3);
    const changes = run.all('proxyChange', ({ at: t }) => t > 58e6 && t < 60e6);
    expect(changes).toHaveLength(burst.length);
    expect(later).toHaveLength(2);
  });

  it('a change after ten quiet seconds is applied at once', () => {
    const [, isolated] = runs(10).later;
    expect(isolated?.[1]).toBeGreaterThan(85);
    expect(isolated?.[1]).toBeLessThan(85.1);
  });

  it('with the default of one second the first change of the burst runs at once, the rest a second later', () => {
    const [second, third] = runs(1).later;
    expect(second?.[0]).toBeCloseTo(58.72, 1);
    expect(third?.[0]).toBeCloseTo((second?.[1] ?? 0) + 1, 3);
    expect(third?.[0]).toBeLessThan(59.8);
  });
});

describe('S4 one rule write takes 17.5 seconds', () => {
  const proxy = { minSyncPeriod: milliseconds(300), kernelWriteBase: seconds(17.5), kernelWritePerLineNs: 0 };
  const removal = 22;

  it('a removal two seconds after a run began is in force 33 seconds later', () => {
    const run = proxyRun({
      pods: [AWAY, AWAY, AWAY],
      proxy,
      writes: [setReady(removal - 2, 0, false), setReady(removal, 1, false)],
      duration: 90,
    });
    const [, second] = syncsAfter(run, 19);
    expect((second?.[1] ?? 0) - removal).toBeCloseTo(17.5 - 2 + 0.3 + 17.5, 1);
    expect(frontends(run)[0]?.backends).toEqual([`${podIp(2)}:8080`]);
  });

  it('when only full syncs are long, the second run is short', () => {
    const full = { ...proxy, kernelWriteBase: microsSpan(0), kernelWritePerLineNs: 14_300_000 };
    const zone: ScriptedWrite = {
      at: at(removal - 2),
      do: 'labelNode',
      node: HERE,
      labels: { 'topology.kubernetes.io/zone': 'z' },
    };
    const run = manyServices(200, full, [zone, setReady(removal, 0, false)]);
    const [first, second] = syncsAfter(run, 19).map(([begin, end]) => end - begin);
    expect(first).toBeCloseTo(17.5, 0);
    expect(second).toBeLessThan(5);
  });

  /** `web` among other Services with a Pod each. */
  function manyServices(others: number, over: typeof proxy, writes: readonly ScriptedWrite[]): ReadRun {
    const names = ['web', ...Array.from({ length: others }, (_, n) => `other-${n}`)];
    const existing = names.flatMap((name, n): StoredInput[] => {
      const ip = `10.245.${n >> 8}.${n & 255}`;
      const clusterIP = `10.97.${n >> 8}.${n & 255}`;
      return [
        {
          resource: 'pods',
          object: scriptedPod(`${name}-0`, { app: name }, runningStatus([ip], true), { node: AWAY }),
        },
        { resource: 'services', object: service(name, { clusterIP, clusterIPs: [clusterIP] }) },
      ];
    });
    const nodes = [HERE, AWAY].map((name): StoredInput => ({ resource: 'nodes', object: nodeObject(name) }));
    const proxies = [proxyInput('proxy-a', over)];
    return readRun(clusterScenario(clusterInput({ existing: [...nodes, ...existing], proxies, writes }), 60));
  }
});

describe('U1 which fallback: other nodes or dying Pods', () => {
  const external = (
    policy: 'Local' | 'Cluster',
    writes: readonly ScriptedWrite[],
    publishNotReadyAddresses = false,
  ) => {
    const spec = {
      type: 'LoadBalancer' as const,
      externalTrafficPolicy: policy,
      publishNotReadyAddresses,
      healthCheckNodePort: policy === 'Local' ? 31_080 : 0,
      ports: [servicePort({ nodePort: 30_080 })],
    };
    const run = proxyRun({ pods: [HERE, AWAY], spec, writes });
    const health = run.all('healthCheck').at(-1)?.payload.httpStatus;
    return { rules: frontends(run).find(({ kind }) => kind === 'nodePort') as Frontend, health };
  };
  const [a, b] = [`${podIp(0)}:8080`, `${podIp(1)}:8080`];
  const dying = [deletePod(2, 0)];

  it.each<[string, 'Local' | 'Cluster', readonly ScriptedWrite[], Frontend['verdict'], readonly string[]]>([
    ['Local: the dying Pod of this node, not the ready one of another', 'Local', dying, 'dnat', [a]],
    ['Local, and the dying Pod does not serve: dropped', 'Local', [...dying, setReady(3, 0, false)], 'drop', []],
    ['Cluster: only the ready Pod', 'Cluster', dying, 'dnat', [b]],
    ['Cluster, and all terminate: those that serve', 'Cluster', [...dying, deletePod(3, 1)], 'dnat', [a, b]],
    [
      'Cluster, all terminate and none serves: rejected',
      'Cluster',
      [...dying, deletePod(3, 1), setReady(4, 0, false), setReady(5, 1, false)],
      'reject',
      [],
    ],
  ])('%s', (_, policy, writes, verdict, backends) => {
    const { rules } = external(policy, writes);
    expect([rules.verdict, rules.backends]).toEqual([verdict, backends]);
  });

  it('the health check port says 503 as soon as no local Pod is ready, though traffic is accepted', () => {
    const { health, rules } = external('Local', dying);
    expect([health, rules.verdict]).toEqual([503, 'dnat']);
  });

  it('with publishNotReadyAddresses a dying Pod counts as ready', () => {
    expect(external('Cluster', dying, true).rules.backends).toEqual([a, b]);
  });
});
