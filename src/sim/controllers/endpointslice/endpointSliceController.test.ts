import { describe, expect, it } from 'vitest';
import {
  clusterInput,
  clusterScenario,
  nodeObject,
  runningStatus,
  scriptedPod,
  service,
} from '../../../../test/support/cluster.ts';
import { micros, seconds } from '../../../base/units.ts';
import type { ClusterInput, ScriptedWrite, StoredInput } from '../../clusterInput.ts';
import type { Scenario } from '../../scenario.ts';
import { simulate } from '../../simulate.ts';
import { TraceReader } from '../../trace/reader.ts';

const NODE: StoredInput = {
  resource: 'nodes',
  object: nodeObject('node-a', { 'topology.kubernetes.io/zone': 'zone-1' }),
};
const storedService = (
  spec: Parameters<typeof service>[1] = {},
  over: Parameters<typeof service>[2] = {},
): StoredInput => ({
  resource: 'services',
  object: service('web', spec, over),
});
const storedPod = (name: string, ips: readonly string[], ready: boolean, node = 'node-a'): StoredInput => ({
  resource: 'pods',
  object: scriptedPod(name, { app: 'web' }, runningStatus(ips, ready), { node }),
});
const at = (ms: number, write: object): ScriptedWrite => ({ at: micros(ms * 1000), ...write }) as ScriptedWrite;
const turnsReady = (ms: number, pod: string, ready: boolean): ScriptedWrite =>
  at(ms, { do: 'setReady', pod: `default/${pod}`, ready });

/** What the slices hold after a run, and what the controller did after t = 0. */
function run(cluster: Partial<ClusterInput>, over: Partial<Scenario> = {}) {
  const reader = new TraceReader(simulate(clusterScenario(clusterInput(cluster), 20, over)));
  const events = reader.events(micros(0)).filter(({ subject }) => subject.component === 'endpointSliceController');
  const writes = reader
    .events(micros(0))
    .flatMap((event) => (event.kind === 'apiWrite' && event.payload.actor === 'endpointslices' ? [event] : []));
  return {
    reader,
    retries: events.flatMap((event) => (event.kind === 'queueRetry' ? [event] : [])),
    syncs: events.flatMap((event) => (event.kind === 'controllerSync' ? [event] : [])),
    told: events.flatMap((event) => (event.kind === 'controllerEvent' ? [event.payload] : [])),
    logged: events.flatMap((event) => (event.kind === 'controllerLog' ? [event.payload.message] : [])),
    writes,
    verbs: writes.map(({ payload }) => payload.verb),
  };
}

const inSeconds = (us: number): number => Math.round(us / 1e5) / 10;

describe('EndpointSlice controller', () => {
  const flap = (gapMs: number) =>
    run({
      existing: [NODE, storedPod('a', ['10.0.0.1'], true), storedService()],
      writes: [turnsReady(1000, 'a', false), turnsReady(1000 + gapMs, 'a', true)],
    });

  it('a change that comes before the cache shows the own last write costs a second (C-212)', () => {
    const { retries, writes } = flap(2);
    expect(retries.map(({ payload }) => payload.error)).toEqual(['EndpointSlice informer cache is out of date']);
    expect(writes.map(({ at: start }) => inSeconds(start))).toEqual([1, 2]);
  });

  it('one that comes after it costs nothing', () => {
    const { retries, writes } = flap(50);
    expect(retries).toEqual([]);
    expect(writes.map(({ at: start }) => inSeconds(start))).toEqual([1, 1.1]);
  });

  it('a sync with nothing to change writes nothing', () => {
    const { syncs, writes } = run({
      existing: [NODE, storedPod('a', ['10.0.0.1'], true), storedService()],
      writes: [at(1000, { do: 'replace', stored: storedService({ affinitySeconds: 10 }) })],
    });
    expect([syncs.length, writes.length]).toEqual([1, 0]);
  });

  it('an error is told and tried again after 1, 2 and 4 s', () => {
    const fault = { actor: 'endpointslices', verb: 'update', resource: 'endpointslices', code: 500 } as const;
    const { retries, told, writes } = run({
      existing: [NODE, storedPod('a', ['10.0.0.1'], true), storedService()],
      writes: [turnsReady(1000, 'a', false)],
      faults: [{ ...fault, from: micros(0), count: 3, committed: false }],
    });
    expect(retries).toHaveLength(3);
    expect(told[0]?.message).toMatch(
      /^Error updating Endpoint Slices for Service default\/web: failed to update web-\w{5} EndpointSlice for Service default\/web: Internal error/,
    );
    expect(told.map(({ count }) => count)).toEqual([1, 2, 3]);
    expect(writes.map(({ at: start }) => inSeconds(start))).toEqual([1, 2, 4, 8]);
  });

  it('the first error ends an address type: what is left waits for the next try', () => {
    const { controllers } = clusterInput();
    const endpointslices = { ...controllers.endpointslices, maxEndpointsPerSlice: 1, batchPeriod: seconds(1) };
    const fault = { actor: 'endpointslices', verb: 'update', resource: 'endpointslices', code: 500 } as const;
    const { writes } = run({
      controllers: { ...controllers, endpointslices },
      existing: [NODE, storedPod('a', ['10.0.0.1'], true), storedPod('b', ['10.0.0.2'], true), storedService()],
      writes: [turnsReady(1000, 'a', false), turnsReady(1001, 'b', false)],
      faults: [{ ...fault, from: micros(0), count: 1, committed: false }],
    });
    expect(writes.map(({ at: start, payload }) => `${inSeconds(start)} ${payload.code}`)).toEqual([
      '2 500',
      '3 200',
      '3 200',
    ]);
  });

  it('a Pod without its Node is left out and tried for again; others are written (C-204)', () => {
    const { retries, logged, verbs } = run({
      existing: [NODE, storedPod('a', ['10.0.0.1'], true), storedService()],
      writes: [
        at(1000, { do: 'create', stored: storedPod('b', ['10.0.0.2'], true, 'node-b') }),
        turnsReady(1500, 'a', false),
      ],
    });
    expect(retries[0]?.payload.error).toBe('skipping Pod b for Service default/web: Node node-b Not Found');
    expect(logged[0]).toBe('skipping Pod for Service, Node not found');
    expect(verbs).toEqual(['update']);
  });

  it('somebody else’s change of a slice is looked at a second later (C-213)', () => {
    const { syncs, verbs } = run({
      existing: [NODE, storedPod('a', ['10.0.0.1'], true), storedService()],
      writes: [at(1000, { do: 'touchSlice', service: 'default/web', annotations: null })],
    });
    expect(syncs.map(({ at: start }) => inSeconds(start))).toEqual([2]);
    expect(verbs).toEqual(['update']);
  });

  it('after the batch period if that is longer', () => {
    const controllers = clusterInput().controllers;
    const endpointslices = { ...controllers.endpointslices, batchPeriod: seconds(3) };
    const { syncs } = run({
      controllers: { ...controllers, endpointslices },
      existing: [NODE, storedPod('a', ['10.0.0.1'], true), storedService()],
      writes: [at(1000, { do: 'touchSlice', service: 'default/web', annotations: null })],
    });
    expect(syncs.map(({ at: start }) => inSeconds(start))).toEqual([4]);
  });

  it.each([
    ['an ExternalName', storedService({ type: 'ExternalName' })],
    ['a Service without a selector', storedService({ selector: null })],
  ])('%s keeps the slices that it had', (_, stored) => {
    const { syncs, writes } = run({
      existing: [NODE, storedPod('a', ['10.0.0.1'], true), storedService()],
      writes: [at(1000, { do: 'replace', stored }), turnsReady(2000, 'a', false)],
    });
    expect(syncs.every(({ payload }) => payload.isBare === 1)).toBe(true);
    expect(writes).toEqual([]);
  });
});

describe('two address types', () => {
  const dual = {
    existing: [NODE, storedPod('a', ['10.0.0.1', 'fd00::1'], true), storedService({ ipFamilies: ['IPv4', 'IPv6'] })],
  };
  const families = ({ reader, writes }: ReturnType<typeof run>): readonly string[] =>
    writes.flatMap(({ ref }) =>
      reader.effectsOf(ref).map((effect) => {
        const { payload } = reader.event(effect) as { payload: { object: number } };
        return JSON.parse(reader.versionText(payload.object)).addressType as string;
      }),
    );

  it('are written one after the other, in a drawn order that can be pinned', () => {
    const flips = { ...dual, writes: [turnsReady(1000, 'a', false)] };
    const orders = ['update IPv4 :8080/TCP, update IPv6 :8080/TCP', 'update IPv6 :8080/TCP, update IPv4 :8080/TCP'].map(
      (value) =>
        families(run(flips, { pins: { 'endpointslice/writeOrder/default/web': [{ value, at: micros(1_001_730) }] } })),
    );
    expect(orders).toEqual([
      ['IPv4', 'IPv6'],
      ['IPv6', 'IPv4'],
    ]);
  });

  it('of one that the Service has no more the slices are deleted, last', () => {
    const single = at(1000, { do: 'replace', stored: storedService({ ipFamilies: ['IPv4'] }) });
    expect(run({ ...dual, writes: [single] }).verbs).toEqual(['delete']);
  });
});

describe('topology mode Auto (C-232)', () => {
  const nodeIn = (name: string, zone: string): StoredInput => ({
    resource: 'nodes',
    object: nodeObject(name, { 'topology.kubernetes.io/zone': zone }),
  });
  const auto = { 'service.kubernetes.io/topology-mode': 'Auto' };
  const existing = [
    NODE,
    nodeIn('node-b', 'zone-2'),
    storedPod('a', ['10.0.0.1'], true),
    storedPod('b', ['10.0.0.2'], true, 'node-b'),
    storedService({}, { annotations: auto }),
  ];

  it('a node that goes not ready makes the Services sync that lack endpoints then, and only those', () => {
    const { logged, syncs, told } = run({
      existing,
      writes: [at(1000, { do: 'nodeReady', node: 'node-b', ready: false })],
    });
    expect(logged[0]).toBe('Queuing Service after Node change due to overloading');
    expect(syncs).toHaveLength(1);
    expect(told[0]).toMatchObject({ eventType: 'Warning', reason: 'TopologyAwareHintsDisabled' });
  });

  it('a label of a node that is no zone does nothing', () => {
    const labels = { 'topology.kubernetes.io/zone': 'zone-2', rack: '7' };
    expect(run({ existing, writes: [at(1000, { do: 'labelNode', node: 'node-b', labels })] }).syncs).toEqual([]);
  });

  it('before 1.24 there are no hints', () => {
    const { logged } = run(
      { existing, writes: [at(1000, { do: 'nodeReady', node: 'node-b', ready: false })] },
      { kubernetes: '1.23' },
    );
    expect(logged).toEqual([]);
  });
});
