import { describe, expect, it } from 'vitest';
import {
  clusterInput,
  clusterScenario,
  nodeObject,
  proxyInput,
  runningStatus,
  scriptedPod,
  service,
} from '../../../test/support/cluster.ts';
import { at, deletePod, frontends, podIp, proxyRun, setReady } from '../../../test/support/proxyRun.ts';
import { type ReadRun, readRun } from '../../../test/support/readRun.ts';
import { micros, microsSpan, milliseconds, seconds } from '../../base/units.ts';
import { LABEL, type ServiceObject } from '../api/objects.ts';
import type { ProxyInput, StoredInput } from '../clusterInput.ts';

const PODS = ['node-a', 'node-b'];
/** Writes take no part of their time from their size here. */
const EVEN: Partial<ProxyInput> = { kernelWriteBase: milliseconds(20), kernelWritePerLineNs: 0 };

/** `begin–end` of the syncs from t = 0 on, ms; F: full, x: failed. */
const syncs = (run: ReadRun): readonly string[] =>
  run
    .all('proxySync', (event) => event.at >= 0)
    .map(({ at: begin, end, payload }) => {
      const marks = `${payload.isFull ? 'F' : ''}${payload.result === 'failed' ? 'x' : ''}`;
      return `${begin / 1000}–${end / 1000}${marks}`;
    });

describe('the start gate (P-003)', () => {
  const START = 2_000_000;
  const run = proxyRun({ pods: PODS, proxy: { ...EVEN, start: micros(START) }, duration: 4 });
  const since = (kind: 'proxyNotInitialised' | 'proxySync' | 'proxyChange'): readonly number[] =>
    run.all(kind).map((event) => event.at - START);

  it('Services and slices come a list later, and are looked for each 100 ms; the second of the two syncs at once', () => {
    expect(since('proxyChange')).toEqual([1300 + 7000 + 2630, 1300 + 7000 + 2970]);
    expect(since('proxyNotInitialised')).toEqual([100_000]);
    expect(since('proxySync')).toEqual([101_300]);
  });

  it('the first sync is a full one and takes no time', () => {
    expect(syncs(run)).toEqual(['2101.3–2101.3F']);
  });

  it('a list that takes longer than the first look is found at the second', () => {
    const slow = clusterInput({
      existing: [{ resource: 'services', object: service('web') }],
      proxies: [proxyInput('proxy-a', { start: micros(0) })],
      latency: { ...clusterInput().latency, listExtra: milliseconds(150) },
    });
    const [sync] = readRun(clusterScenario(slow, 2)).all('proxySync');
    expect(sync?.at).toBe(201_300);
  });

  it('a zone label asks for a sync before, which starts a cool-down', () => {
    const existing: readonly StoredInput[] = [
      { resource: 'nodes', object: nodeObject('node-a', { [LABEL.zone]: 'z1' }) },
      { resource: 'services', object: service('web') },
    ];
    const proxies = [proxyInput('proxy-a', { ...EVEN, start: micros(0) })];
    const writes = [{ at: at(0.2), do: 'deleteService', service: 'default/web' } as const];
    const zoned = readRun(clusterScenario(clusterInput({ existing, proxies, writes }), 3));
    const asked = 1300 + 7000 + 2510;
    expect(zoned.all('proxyNotInitialised').map((event) => event.at)).toEqual([asked, 100_000]);
    expect(syncs(zoned)).toEqual(['101.3–101.3F', `${(asked + 1_000_000) / 1000}–${(asked + 1_020_000) / 1000}`]);
  });
});

describe('a write that fails (P-024)', () => {
  const failing = (writes: Parameters<typeof proxyRun>[0]['writes'] = []): ReadRun =>
    proxyRun({
      pods: PODS,
      proxy: { ...EVEN, fail: { from: at(1.9), until: at(3) } },
      writes: [setReady(2, 0, false), ...(writes ?? [])],
      duration: 60,
    });

  it('leaves the old rules until the retry, which is a full sync', () => {
    const run = failing();
    const [first, second] = run.all('proxySync', (event) => event.at >= 0);
    expect(second?.at).toBe((first?.end ?? 0) + 3 + 30_000_000);
    expect(second?.payload.isFull).toBe(1);
    const changes = run.all('rulesChanged', (event) => event.at >= 0).map((event) => event.at);
    expect(changes).toEqual([second?.end]);
  });

  it('a change comes before the retry, and then it is that sync that is full', () => {
    const run = failing([setReady(10, 1, false)]);
    expect(run.all('proxySync', (event) => event.at >= 0).map(({ payload }) => payload.isFull)).toEqual([0, 1]);
    expect(frontends(run)).toMatchObject([{ verdict: 'reject' }]);
  });

  it('a Service that went with it goes with the retry', () => {
    const proxy = { ...EVEN, fail: { from: at(1.9), until: at(3) } };
    const writes = [{ at: at(2), do: 'deleteService', service: 'default/web' } as const];
    expect(frontends(proxyRun({ pods: PODS, proxy, writes }))).toHaveLength(1);
    expect(frontends(proxyRun({ pods: PODS, proxy, writes, duration: 60 }))).toEqual([]);
  });
});

describe('syncs', () => {
  it('a change that rules do not depend on is none; what comes during a run waits for the next', () => {
    const run = proxyRun({
      pods: PODS,
      proxy: EVEN,
      writes: [
        { at: at(1), do: 'annotatePod', pod: 'default/web-0', annotations: { a: 'b' } },
        setReady(2, 0, false),
        setReady(2.015, 1, false),
      ],
    });
    const [first, second] = run.all('proxySync', (event) => event.at >= 0);
    expect(run.all('proxySync', (event) => event.at >= 0)).toHaveLength(2);
    expect(second?.at).toBe((first?.end ?? 0) + 3 + 1_000_000);
  });

  it('say how long ago their changes were triggered', () => {
    const run = proxyRun({ pods: PODS, proxy: EVEN, writes: [setReady(2, 0, false)] });
    const [sync] = run.all('proxySync', (event) => event.at >= 0);
    const { end, payload } = sync ?? { end: 0, payload: { networkProgramming: '' } };
    expect(JSON.parse(payload.networkProgramming)).toEqual([{ service: 'default/web', elapsedUs: end - 2_000_000 }]);
  });

  it('a deletion has no trigger', () => {
    const run = proxyRun({ pods: PODS, proxy: EVEN, writes: [deletePod(2, 0)] });
    const [sync] = run.all('proxySync', (event) => event.at >= 0);
    expect(sync?.payload.networkProgramming).toBe('');
  });

  it('are caused by the changes that they take, these by deliveries', () => {
    const { reader, all } = proxyRun({ pods: PODS, proxy: EVEN, writes: [setReady(2, 0, false)] });
    const [sync] = all('proxySync', (event) => event.at >= 0);
    const [change] = sync ? reader.causesOf(sync.ref) : [];
    expect(change && reader.event(change)).toMatchObject({ kind: 'proxyChange', payload: { kind: 'EndpointSlice' } });
    const [delivery] = change ? reader.causesOf(change) : [];
    expect(delivery && reader.event(delivery).kind).toBe('watchEvent');
  });

  it('an hour without a change brings one, which is full only when the last full one is longer ago', () => {
    const run = proxyRun({ pods: PODS, proxy: EVEN, duration: 7300 });
    expect(run.all('proxySync', (event) => event.at >= 0).map(({ payload }) => payload.isFull)).toEqual([0, 1]);
  });

  it('an hour to the microsecond since the last full one is not longer', () => {
    const latency = { ...clusterInput().latency, proxyAfterSync: microsSpan(0) };
    const existing: readonly StoredInput[] = [{ resource: 'services', object: service('web') }];
    const cluster = clusterInput({ existing, proxies: [proxyInput('proxy-a', EVEN)], latency });
    const hourly = readRun(clusterScenario(cluster, 3 * 3600 + 100)).all('proxySync', (event) => event.at >= 0);
    expect(hourly.map(({ payload }) => payload.isFull)).toEqual([0, 1, 0]);
  });
});

describe('the node’s zone (P-007)', () => {
  const relabel = (second: number, zone: string) =>
    ({ at: at(second), do: 'labelNode', node: 'node-a', labels: { [LABEL.zone]: zone } }) as const;

  it('a change of it is a full sync', () => {
    const run = proxyRun({ pods: PODS, proxy: EVEN, writes: [relabel(2, 'z1')] });
    expect(syncs(run)).toEqual(['2002.51–2022.51F']);
  });

  it('another label is nothing', () => {
    const writes = [{ at: at(2), do: 'labelNode', node: 'node-a', labels: { disk: 'ssd' } } as const];
    expect(syncs(proxyRun({ pods: PODS, proxy: EVEN, writes }))).toEqual([]);
  });

  it('during a run it waits for the end of it', () => {
    const run = proxyRun({ pods: PODS, proxy: EVEN, writes: [setReady(2, 0, false), relabel(2.01, 'z1')] });
    const [sync] = run.all('proxySync', (event) => event.at >= 0);
    const [seen] = run.all('proxyTopology', ({ payload }) => payload.which === 'labels');
    expect(seen?.at).toBe((sync?.end ?? 0) + 3);
    expect(run.all('proxySync', (event) => event.at >= 0).map(({ payload }) => payload.isFull)).toEqual([0, 1]);
  });
});

describe('what it watches (P-001)', () => {
  const delivered = (object: ServiceObject, proxy: Partial<ProxyInput> = {}): readonly string[] => {
    const existing: readonly StoredInput[] = [
      { resource: 'nodes', object: nodeObject('node-a') },
      {
        resource: 'pods',
        object: scriptedPod('web-0', { app: 'web' }, runningStatus([podIp(0), 'fd00::1'], true), { node: 'node-a' }),
      },
      { resource: 'services', object },
    ];
    const run = readRun(clusterScenario(clusterInput({ existing, proxies: [proxyInput('proxy-a', proxy)] }), 1));
    return run.all('proxyChange').map(({ payload }) => payload.kind);
  };

  it.each<[string, ServiceObject, readonly string[]]>([
    ['a Service and its slice', service('web'), ['Service', 'EndpointSlice']],
    ['of a headless one neither', service('web', { clusterIP: 'None', clusterIPs: ['None'] }), []],
    [
      'of another proxy’s only the slice',
      service('web', {}, { labels: { [LABEL.proxyName]: 'other' } }),
      ['EndpointSlice'],
    ],
    [
      'an external name is watched, though it has no rules',
      service('web', { type: 'ExternalName', clusterIP: '', clusterIPs: [] }),
      ['Service'],
    ],
  ])('%s', (_, object, expected) => {
    expect(delivered(object)).toEqual(expected);
  });

  it('two families: two slices, and each family syncs for its own', () => {
    const dual = service('web', { clusterIPs: ['10.96.0.10', 'fd00:96::a'], ipFamilies: ['IPv4', 'IPv6'] });
    expect(delivered(dual, { ipFamilies: ['IPv4', 'IPv6'] })).toEqual(['Service', 'EndpointSlice', 'EndpointSlice']);
  });

  it('the handlers are called again each configSyncPeriod, and no sync follows', () => {
    const run = proxyRun({ pods: PODS, proxy: { ...EVEN, configSyncPeriod: seconds(5) } });
    const times = run.all('proxyChange', (event) => event.at >= 0).map((event) => event.at);
    const listed = -4_000_000 + 1300 + 7000;
    expect(times).toEqual([1, 2].flatMap((n) => [listed + 2630, listed + 2970].map((first) => first + n * 5_000_000)));
    expect(syncs(run)).toEqual([]);
  });
});

it('each family of a dual-stack proxy has its rules, and its syncs say which', () => {
  const ipFamilies = ['IPv4', 'IPv6'] as const;
  const spec = { clusterIPs: ['10.96.0.10', 'fd00:96::a'], ipFamilies };
  const run = proxyRun({ pods: PODS, spec, proxy: { ...EVEN, ipFamilies } });
  expect(run.all('proxySync').map(({ at: begin, payload }) => [begin + 3_898_700, payload.family])).toEqual([
    [0, 'IPv4'],
    [3, 'IPv6'],
  ]);
  expect(run.reader.objectKeys.filter((key) => key.startsWith('rules/'))).toEqual([
    'rules/proxy-a/IPv4/default/web',
    'rules/proxy-a/IPv6/default/web',
  ]);
});

describe('older versions', () => {
  it('up to 1.26 every sync of iptables is full', () => {
    const run = proxyRun({ pods: PODS, proxy: EVEN, writes: [setReady(2, 0, false)], kubernetes: '1.26' });
    expect(run.all('proxySync', (event) => event.at >= 0).map(({ payload }) => payload.isFull)).toEqual([1]);
  });

  it('up to 1.33 a second sync follows at once', () => {
    const writes = [setReady(2, 0, false), setReady(2.1, 1, false)];
    const begins = (kubernetes: string): readonly number[] =>
      proxyRun({ pods: PODS, proxy: EVEN, writes, kubernetes })
        .all('proxySync', (event) => event.at >= 0)
        .map((event) => Math.floor(event.at / 1e5));
    expect(begins('1.33')).toEqual([20, 21]);
    expect(begins('1.34')).toEqual([20, 30]);
  });
});

it('without a minimum the next sync follows at once', () => {
  const proxy = { ...EVEN, minSyncPeriod: microsSpan(0) };
  const run = proxyRun({ pods: PODS, proxy, writes: [setReady(2, 0, false), setReady(2.015, 1, false)] });
  const [first, second] = run.all('proxySync', (event) => event.at >= 0);
  expect(second?.at).toBe((first?.end ?? 0) + 3);
});

describe('syncs that neighbours ask for', () => {
  const neighbour = (second: number) => ({ at: at(second), write: milliseconds(5), after: milliseconds(30) });
  const run = proxyRun({
    pods: PODS,
    proxy: { ...EVEN, neighbours: [neighbour(1), neighbour(1.9)] },
    writes: [setReady(1.5, 0, false)],
    duration: 4,
  });

  it('take their own time, and hold the next one back as any other does (P-021)', () => {
    expect(syncs(run)).toEqual(['1000–1005', '2035–2040']);
  });
});
