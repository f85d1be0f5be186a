import { describe, expect, it } from 'vitest';
import { meta } from '../../../../test/support/cluster.ts';
import { InformerDouble } from '../../../../test/support/informerDouble.ts';
import { type EndpointSliceObject, LABEL } from '../../api/objects.ts';
import { SliceCache } from './sliceCache.ts';
import { SliceTracker } from './sliceTracker.ts';

const OWN = 'own-controller';
const slice = (name: string, generation: number, service = 'web', managedBy = OWN): EndpointSliceObject => ({
  meta: meta(name, { generation, labels: { [LABEL.serviceName]: service, [LABEL.sliceManagedBy]: managedBy } }),
  addressType: 'IPv4',
  ports: [],
  endpoints: [],
});
const first = slice('web-1', 1);
const second = slice('web-1', 2);
const KEY = 'default/web';

function cacheOf(): {
  readonly slices: InformerDouble<'endpointslices'>;
  readonly tracker: SliceTracker;
  readonly cache: SliceCache;
  readonly told: string[];
} {
  const slices = new InformerDouble('endpointslices');
  const tracker = new SliceTracker();
  const told: string[] = [];
  const cache = new SliceCache({
    slices: slices.informer,
    managedBy: OWN,
    tracker,
    onForeignChange: (service) => told.push(service),
  });
  return { slices, tracker, cache, told };
}

describe('which changes of slices concern their controller (C-213)', () => {
  it.each<[what: string, play: (given: ReturnType<typeof cacheOf>) => void, expected: readonly string[]]>([
    ['a slice that it never wrote does', ({ slices }) => slices.set('a', first), [KEY]],
    [
      'one that it wrote does not',
      ({ slices, tracker }) => {
        tracker.update(first);
        slices.set('a', first);
      },
      [],
    ],
    [
      'a later generation than it wrote does',
      ({ slices, tracker }) => {
        tracker.update(first);
        slices.set('a', second);
      },
      [KEY],
    ],
    ['a slice of somebody else does not', ({ slices }) => slices.set('a', slice('web-1', 1, 'web', 'other')), []],
    [
      'one that changes hands does',
      ({ slices, tracker }) => {
        tracker.update(first);
        slices.set('a', first);
        slices.set('a', slice('web-1', 1, 'web', 'other'));
      },
      [KEY],
    ],
    [
      'one that changes its Service concerns both',
      ({ slices, tracker }) => {
        tracker.update(first);
        slices.set('a', first);
        slices.set('a', slice('web-1', 1, 'db'));
      },
      ['default/db', KEY],
    ],
    [
      'a deletion of its own does not',
      ({ slices, tracker }) => {
        tracker.update(first);
        slices.set('a', first);
        tracker.expectDeletion(first);
        slices.set('a', null);
      },
      [],
    ],
    [
      'a deletion by somebody else does',
      ({ slices, tracker }) => {
        tracker.update(first);
        slices.set('a', first);
        slices.set('a', null);
      },
      [KEY],
    ],
    ['a slice without a Service concerns nobody', ({ slices }) => slices.set('a', slice('web-1', 1, '')), []],
  ])('%s', (_what, play, expected) => {
    const given = cacheOf();
    play(given);
    expect(given.told).toEqual(expected);
  });

  it('lists the slices of a Service that are its own', () => {
    const { slices, cache } = cacheOf();
    slices.set('a', first);
    slices.set('b', slice('web-2', 1, 'web', 'other'));
    slices.set('c', slice('db-1', 1, 'db'));
    expect(cache.slicesOf(KEY)).toEqual([first]);
    slices.set('a', slice('web-1', 2, 'db'));
    expect(cache.slicesOf(KEY)).toEqual([]);
    expect(cache.slicesOf('default/db')).toHaveLength(2);
  });
});

describe('whether cached slices are out of date (C-211)', () => {
  it.each<
    [what: string, play: (tracker: SliceTracker) => void, cached: readonly EndpointSliceObject[], expected: boolean]
  >([
    ['nothing was written yet', () => {}, [first], false],
    ['the cache has what was written', (tracker) => tracker.update(second), [second], false],
    ['the cache has an older generation', (tracker) => tracker.update(second), [first], true],
    ['the cache has a newer one', (tracker) => tracker.update(first), [second], false],
    ['the cache lacks a slice that was written', (tracker) => tracker.update(first), [], true],
    ['the cache has a slice that was deleted', (tracker) => tracker.expectDeletion(first), [first], true],
    ['the cache lacks it', (tracker) => tracker.expectDeletion(first), [], false],
    [
      'the Service was forgotten',
      (tracker) => {
        tracker.update(second);
        tracker.forget(KEY);
      },
      [first],
      false,
    ],
  ])('%s', (_what, play, cached, expected) => {
    const tracker = new SliceTracker();
    play(tracker);
    expect(tracker.isStale(KEY, cached)).toBe(expected);
  });
});
