import { describe, expect, it } from 'vitest';
import {
  address,
  clusterInput,
  clusterScenario,
  endpointPort,
  meta,
  runningStatus,
  scriptedPod,
  service,
  subset,
} from '../../../../test/support/cluster.ts';
import { type ReadRun, readRun } from '../../../../test/support/readRun.ts';
import { micros, milliseconds, seconds } from '../../../base/units.ts';
import { ANNOTATION, LABEL, type ObjectMeta, type ServiceSpec } from '../../api/objects.ts';
import type { ApiFault, ClusterInput, ScriptedWrite, StoredInput } from '../../clusterInput.ts';

const at = (ms: number) => micros(ms * 1000);
const APP = { app: 'web' };
const stored = (spec: Partial<ServiceSpec> = {}, over: Partial<ObjectMeta> = {}): StoredInput => ({
  resource: 'services',
  object: service('web', spec, over),
});
const pods = (...ready: readonly boolean[]): readonly StoredInput[] =>
  ready.map((isReady, i) => ({
    resource: 'pods',
    object: scriptedPod(`web-${i}`, APP, runningStatus([`10.0.0.${i + 1}`], isReady)),
  }));
const setReady = (ms: number, ready: boolean, pod = 0): ScriptedWrite => ({
  at: at(ms),
  do: 'setReady',
  pod: `default/web-${pod}`,
  ready,
});
const fault = (over: Partial<ApiFault>): ApiFault => ({
  actor: 'endpoints',
  verb: 'update',
  resource: 'endpoints',
  code: 409,
  from: micros(0),
  count: 1,
  committed: false,
  ...over,
});

function play(over: Partial<ClusterInput>, kubernetes = '1.37', durationSeconds = 30): ReadRun {
  const input = clusterInput({ existing: [...pods(true, true), stored()], ...over });
  return readRun(clusterScenario(input, durationSeconds, { kubernetes }));
}

interface EndpointsView {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>>; readonly annotations?: object };
  readonly subsets: readonly {
    readonly addresses?: readonly object[];
    readonly notReadyAddresses?: readonly object[];
  }[];
}
/** The stored versions of the Endpoints object `web`. */
const versions = ({ reader }: ReadRun): readonly EndpointsView[] =>
  reader
    .versionsOf('api/Endpoints/default/web')
    .map(({ index }) => JSON.parse(reader.versionText(index)) as EndpointsView);
const last = (run: ReadRun): EndpointsView | undefined => versions(run).at(-1);
const requests = (run: ReadRun): readonly string[] =>
  run
    .all('apiWrite', ({ payload }) => payload.actor === 'endpoints')
    .map(({ payload }) => `${payload.verb} ${payload.code}`);
const fromController = ({ subject }: { readonly subject: { readonly component: string } }): boolean =>
  subject.component === 'endpointsController';
const errors = (run: ReadRun): readonly string[] =>
  run.all('queueRetry', fromController).map(({ payload }) => payload.error);

describe('the endpoints controller', () => {
  it('creates the object once its caches are full, and writes nothing while nothing changes', () => {
    const run = play({ writes: [{ at: at(1000), do: 'annotatePod', pod: 'default/web-0', annotations: { a: 'b' } }] });
    expect(requests(run)).toEqual(['create 201']);
    expect(last(run)?.subsets[0]?.addresses).toHaveLength(2);
  });

  it('moves a Pod that is not ready to the other list', () => {
    const run = play({ writes: [setReady(1000, false)] });
    expect(requests(run)).toEqual(['create 201', 'update 200']);
    expect(last(run)?.subsets).toMatchObject([{ addresses: [{}], notReadyAddresses: [{}] }]);
  });

  it('waits for the batch period from the first change on, and takes all that came', () => {
    const controllers = { ...clusterInput().controllers, endpoints: { batchPeriod: seconds(1), workers: 5 } };
    const run = play({ controllers, writes: [setReady(1000, false), setReady(1900, false, 1)] });
    const syncs = run.all('controllerSync', fromController).filter((sync) => sync.at > 0);
    expect(syncs.map((sync) => sync.at)).toEqual([2_001_310]);
    expect(last(run)?.subsets).toMatchObject([{ notReadyAddresses: [{}, {}] }]);
  });

  it('fails on a cache that does not show its last write, and tries again 5 ms later', () => {
    const run = play({ writes: [setReady(1000, false), setReady(1000.5, true)] });
    expect(errors(run)).toHaveLength(1);
    expect(errors(run)[0]).toMatch(
      /^endpoints informer cache is out of date, resource version \d+ already processed for endpoints default\/web$/,
    );
    const again = run.all('queueAddAfter', fromController).filter(({ payload }) => payload.delay > 0);
    expect(again.map(({ payload }) => payload.delay)).toEqual([milliseconds(5)]);
    expect(last(run)?.subsets).toMatchObject([{ addresses: [{}, {}] }]);
  });

  it.each<[what: string, second: ScriptedWrite, expected: readonly string[], ready: number]>([
    ['runs into a conflict with another change', setReady(1000.5, false, 1), ['update 409', 'update 200'], 0],
    ['takes the old version for the truth when the change is taken back', setReady(1000.5, true), [], 1],
  ])('up to 1.31 %s', (_what, second, expected, ready) => {
    const run = play({ writes: [setReady(1000, false), second] }, '1.31');
    expect(requests(run)).toEqual(['create 201', 'update 200', ...expected]);
    expect(last(run)?.subsets[0]?.addresses ?? []).toHaveLength(ready);
  });

  it('does not track a create: the next one finds that it exists (C-122)', () => {
    const run = play({
      existing: pods(true),
      writes: [{ at: at(1000), do: 'create', stored: stored() }, setReady(1000.5, false)],
    });
    expect(requests(run)).toEqual(['create 201', 'create 409', 'update 200']);
    const events = run.all('controllerEvent', fromController);
    expect(events.map(({ payload }) => `${payload.op} ${payload.reason}: ${payload.message}`)).toEqual([
      'create FailedToCreateEndpoint: Failed to create endpoint for service default/web: endpoints "web" already exists',
    ]);
  });

  it('tries 15 times, twice as late each time, and then waits for the next event', () => {
    const run = play({ faults: [fault({ code: 500, count: 99 })], writes: [setReady(1000, false)] }, '1.37', 200);
    const delays = run.all('queueAddAfter', fromController).filter(({ payload }) => payload.delay > 0);
    expect(delays.map(({ payload }) => payload.delay / 5000)).toEqual(Array.from({ length: 15 }, (_, i) => 2 ** i));
    expect(run.all('queueDropped', fromController)).toHaveLength(1);
    expect(run.all('controllerEvent', fromController).at(-1)?.payload).toMatchObject({
      op: 'patch',
      count: 16,
      about: 'Endpoints/web',
    });
  });

  it('forgets its failures once it succeeds', () => {
    const faults = [fault({ count: 3 }), fault({ from: at(5000), count: 1 })];
    const run = play({ faults, writes: [setReady(1000, false), setReady(6000, true)] });
    const delays = run.all('queueAddAfter', fromController).filter(({ payload }) => payload.delay > 0);
    expect(delays.map(({ payload }) => payload.delay / 1000)).toEqual([5, 10, 20, 5]);
  });

  it('deletes the object of a Service that is gone', () => {
    const run = play({ writes: [{ at: at(1000), do: 'deleteService', service: 'default/web' }] });
    expect(requests(run)).toEqual(['create 201', 'delete 200', 'delete 404']);
    expect(errors(run)).toEqual([]);
  });

  it.each<[what: string, spec: Partial<ServiceSpec>]>([
    ['loses its selector', { selector: null }],
    ['becomes an ExternalName', { type: 'ExternalName' }],
  ])('leaves the object of a Service that %s as it is', (_what, spec) => {
    const run = play({ writes: [{ at: at(1000), do: 'replace', stored: stored(spec) }, setReady(2000, false)] });
    expect(requests(run)).toEqual(['create 201']);
  });

  it('makes an object anew that somebody deletes, and only corrects one that somebody empties when it looks next', () => {
    const deleted = play({ writes: [{ at: at(1000), do: 'deleteEndpoints', name: 'default/web' }] });
    expect(requests(deleted)).toEqual(['create 201', 'create 201']);
    const emptied = { at: at(1000), do: 'dropEndpointsAddresses', name: 'default/web' } as const;
    expect(requests(play({ writes: [emptied] }))).toEqual(['create 201']);
    expect(requests(play({ writes: [emptied, setReady(2000, false)] }))).toEqual(['create 201', 'update 200']);
  });

  it('accepts subsets that somebody wrote in another order', () => {
    const existing = [...pods(true, true), stored()];
    const labels = { [LABEL.endpointsManagedBy]: 'endpoint-controller' };
    const port = [endpointPort('', 8080)];
    const one = (i: number) => address(`10.0.0.${i + 1}`, `web-${i}`);
    const by: StoredInput = {
      resource: 'endpoints',
      object: { meta: meta('web', { labels }), subsets: [subset([one(1)], [], port), subset([one(0)], [], port)] },
    };
    expect(requests(play({ existing: [...existing, by] }))).toEqual([]);
  });

  it('looks once, at its start, for objects without a Service', () => {
    const left = (name: string, annotations: ObjectMeta['annotations'] = {}): StoredInput => ({
      resource: 'endpoints',
      object: { meta: meta(name, { annotations }), subsets: [] },
    });
    const run = play({ existing: [left('old'), left('leader', { [ANNOTATION.leader]: '{}' })] });
    expect(requests(run)).toEqual(['delete 200', 'delete 404']);
    expect(run.reader.versionsOf('api/Endpoints/default/leader')).toHaveLength(1);
  });

  it.each<[kubernetes: string, expected: Readonly<Record<string, string>>]>([
    ['1.32', { team: 'a', [LABEL.headless]: '' }],
    ['1.33', { team: 'a', [LABEL.headless]: '', [LABEL.endpointsManagedBy]: 'endpoint-controller' }],
  ])('in %s gives a headless Service’s object the labels %j', (kubernetes, expected) => {
    const existing = [...pods(true), stored({ clusterIP: 'None' }, { labels: { team: 'a' } })];
    const run = play({ existing, writes: [setReady(1000, false), setReady(2000, false)] }, kubernetes);
    expect(last(run)?.metadata.labels).toEqual(expected);
    expect(requests(run)).toEqual(['create 201', 'update 200']);
  });

  it('follows the labels of the Service', () => {
    const run = play({ writes: [{ at: at(1000), do: 'replace', stored: stored({}, { labels: { team: 'b' } }) }] });
    expect(requests(run)).toEqual(['create 201', 'update 200']);
    expect(last(run)?.metadata.labels).toMatchObject({ team: 'b' });
  });

  it('has a trigger time after a Ready transition, and none after a deletion', () => {
    const ready = play({ writes: [setReady(1000, false)] });
    expect(last(ready)?.metadata.annotations).toEqual({ [ANNOTATION.triggerTime]: '2026-01-01T00:00:01Z' });
    const gone = play({ writes: [{ at: at(1000), do: 'deletePod', pod: 'default/web-0', graceSeconds: 30 }] });
    expect(last(gone)?.metadata.annotations).toBeUndefined();
  });

  it('cuts an object at a thousand addresses, and asks each time anew', () => {
    const many = Array.from({ length: 1001 }, (_, i) =>
      scriptedPod(`web-${i}`, APP, runningStatus([`10.0.${i >> 8}.${i & 255}`], true)),
    ).map((object): StoredInput => ({ resource: 'pods', object }));
    const touch = (ms: number): ScriptedWrite => {
      return { at: at(ms), do: 'replace', stored: stored({}, { annotations: { seen: `${ms}` } }) };
    };
    const run = play({ existing: [...many, stored()], writes: [touch(1000), touch(2000)] });
    expect(last(run)?.subsets[0]?.addresses).toHaveLength(1000);
    expect(last(run)?.metadata.annotations).toEqual({ [ANNOTATION.overCapacity]: 'truncated' });
    const updates = run.all('apiWrite', ({ payload }) => payload.actor === 'endpoints' && payload.verb === 'update');
    // The first one takes the trigger time away.
    expect(updates.map(({ payload }) => payload.noop)).toEqual([0, 1]);
    expect(versions(run)).toHaveLength(2);
  });
});
