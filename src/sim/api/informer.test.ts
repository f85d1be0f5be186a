import { describe, expect, it } from 'vitest';
import { nodeObject } from '../../../test/support/cluster.ts';
import { type TestCluster, testCluster } from '../../../test/support/clusterContext.ts';
import { microsSpan } from '../../base/units.ts';
import { NO_REF } from '../trace/ref.ts';
import { Informer } from './informer.ts';
import type { Labels, NodeObject } from './objects.ts';

const LATENCY = 100;
const LIST_EXTRA = 50;

const put = ({ context }: TestCluster, name: string, labels: Labels = {}): void => {
  const object = nodeObject(name, labels);
  context.store.put(
    'nodes',
    name,
    (resourceVersion) => ({ ...object, meta: { ...object.meta, resourceVersion } }),
    NO_REF,
  );
};

/** What handlers are told, as `<at> <old version> <new version>`, and when the list was in. */
function watching(
  cluster: TestCluster,
  selects?: (node: NodeObject) => boolean,
  lengthOf?: () => ReturnType<typeof microsSpan>,
) {
  const { context, kernel } = cluster;
  const informer = new Informer({
    kernel,
    trace: context.trace,
    store: context.store,
    resource: 'nodes',
    latency: microsSpan(LATENCY),
    listExtra: microsSpan(LIST_EXTRA),
    subject: context.trace.subjectOf({
      component: 'kubeProxy',
      node: '',
      pod: '',
      container: '',
      probe: '',
      object: 'tester',
    }),
    phase: 'controller',
    ...(selects && { selects }),
    lengthOf,
  });
  const told: string[] = [];
  let syncedAt = Number.NaN;
  informer.onEvent(({ key, old, now }) => {
    const cached = informer.get(key) === (now ?? undefined);
    const versions = [old, now].map((object) => object?.meta.resourceVersion ?? '-').join('→');
    told.push(`${kernel.now} ${key} ${versions}${cached ? '' : ' before the cache'}`);
  });
  informer.start(() => {
    syncedAt = kernel.now;
  });
  return { told, informer, syncedAt: () => syncedAt };
}

describe('an informer', () => {
  it('tells commits in their order where the lengths of their ways differ: none overtakes the one before it', () => {
    const cluster = testCluster();
    const lengths = [500, 100, 300];
    const { told } = watching(cluster, undefined, () => microsSpan(lengths.shift() ?? 0));
    cluster.at(1000, () => put(cluster, 'a'));
    cluster.at(1100, () => put(cluster, 'b'));
    cluster.at(1300, () => put(cluster, 'c'));
    cluster.run();
    expect(told).toEqual(['1500 a -→1', '1500 b -→2', '1600 c -→3']);
  });

  it('lists what is there, then tells each commit once, in order, its latency later, and from its cache (C-004)', () => {
    const cluster = testCluster();
    put(cluster, 'a');
    const { told, syncedAt } = watching(cluster);
    cluster.at(1000, () => put(cluster, 'a'));
    cluster.at(1001, () => put(cluster, 'b'));
    cluster.at(2000, () => cluster.context.store.remove('nodes', 'a', NO_REF));
    cluster.run();
    expect(told).toEqual(['150 a -→1', '1100 a 1→2', '1101 b -→3', '2100 a 2→-']);
    expect(syncedAt()).toBe(150);
  });

  it('holds back what was committed while the list was on its way', () => {
    const cluster = testCluster();
    const { told } = watching(cluster);
    cluster.at(10, () => put(cluster, 'a'));
    cluster.at(20, () => put(cluster, 'a'));
    cluster.run();
    expect(told).toEqual(['150 a -→1', '150 a 1→2']);
  });

  it('with a selector hears of an object that begins to match as new, and of one that ceases as gone', () => {
    const cluster = testCluster();
    const { told } = watching(cluster, ({ meta }) => meta.labels.seen === 'yes');
    const labels: readonly Labels[] = [{}, { seen: 'yes' }, { seen: 'yes', b: '1' }, {}, {}];
    labels.forEach((one, i) => {
      cluster.at(1000 * (i + 1), () => put(cluster, 'a', one));
    });
    const reader = cluster.run();
    expect(told).toEqual(['2100 a -→2', '3100 a 2→3', '4100 a 3→-']);
    const types = reader.events().flatMap((event) => (event.kind === 'watchEvent' ? [event.payload.type] : []));
    expect(types).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
  });

  it('neighbours that hear of a commit in one instant are told in the order in which they came, each after its own cache', () => {
    const cluster = testCluster();
    const order: string[] = [];
    const watchers = ['first', 'second', 'later', 'third'].map((name) => {
      const latency = name === 'later' ? () => microsSpan(LATENCY + 1) : undefined;
      const { informer, told } = watching(
        cluster,
        name === 'second' ? ({ meta }) => meta.name === 'b' : undefined,
        latency,
      );
      informer.onEvent(({ key }) => order.push(`${cluster.kernel.now} ${name} ${key}`));
      return told;
    });
    cluster.at(1000, () => put(cluster, 'a'));
    cluster.at(1000, () => put(cluster, 'b'));
    cluster.run();
    expect(order).toEqual([
      '1100 first a',
      '1100 third a',
      '1100 first b',
      '1100 second b',
      '1100 third b',
      '1101 later a',
      '1101 later b',
    ]);
    expect(watchers.map((told) => told.length)).toEqual([2, 1, 2, 2]);
  });

  it('what deliveries of one commit say is told alike by each, whoever heard of it first', () => {
    const cluster = testCluster();
    watching(cluster);
    watching(cluster, ({ meta }) => meta.labels.seen === 'yes');
    watching(cluster);
    cluster.at(1000, () => put(cluster, 'a'));
    cluster.at(2000, () => put(cluster, 'a', { seen: 'yes' }));
    const said = cluster
      .run()
      .events()
      .flatMap(({ kind, at, payload }) => (kind === 'watchEvent' ? [{ at, ...payload }] : []));
    const node = { resource: 'nodes', name: 'a' };
    const modified = { ...node, at: 2100, type: 'MODIFIED', resourceVersion: 2 };
    expect(said).toEqual([
      { ...node, at: 1100, type: 'ADDED', resourceVersion: 1 },
      { ...node, at: 1100, type: 'ADDED', resourceVersion: 1 },
      modified,
      { ...modified, type: 'ADDED' },
      modified,
    ]);
  });
});
