/** Lanes of one Service: what its slices and its Endpoints hold, and what the controllers do for it. */
import type { Micros } from '../../base/units.ts';
import type { EventRef } from '../../sim/trace/kinds.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import {
  type EndpointJson,
  type EndpointState,
  type EndpointsJson,
  endpointState,
  historyOf,
  type SliceJson,
  slicesOf,
} from '../../sim/trace/storedObjects.ts';
import { bandsFrom, type Change } from './bands.ts';
import { emptyLane } from './lane.ts';
import type { Band, GlyphRun, Lane, Pattern, Tone } from './marks.ts';

type Look = Pick<Change, 'tone' | 'pattern' | 'word' | 'note'>;

const NOWHERE = { node: '', pod: '' } as const;
const NOTHING: Look = { tone: 'idle', pattern: 'absent', word: 'none', note: '' };
const STATE_LOOK: Readonly<Record<EndpointState, readonly [Tone, Pattern]>> = {
  ready: ['ok', 'ready'],
  'not ready': ['wait', 'notYet'],
  'serving, terminating': ['term', 'servingTerminating'],
  terminating: ['term', 'terminating'],
};
/** So many endpoints have a lane of their own; the count above speaks of all. */
const MOST_ENDPOINTS = 24;

/** All endpoints of a Service from `at` on, by what they are. */
interface Listing {
  readonly at: Micros;
  readonly ref: EventRef;
  readonly slices: number;
  readonly endpoints: ReadonlyMap<string, EndpointJson>;
}

/** A Pod's endpoints of both families are one. */
const identityOf = ({ targetRef, addresses }: EndpointJson): string => targetRef?.uid ?? addresses[0] ?? '';

/** What the slices of a Service list together, at each commit of one of them. */
function listingsOf({ reader }: FinishedRun, service: string): readonly Listing[] {
  const commits = slicesOf(reader, service)
    .flatMap((key) => historyOf(reader, 'endpointslices', key).map((version) => ({ key, ...version })))
    .sort((a, b) => a.at - b.at || a.ref.row - b.ref.row);
  const slices = new Map<string, SliceJson>();
  return commits.map(({ key, at, ref, object }) => {
    if (object === null) slices.delete(key);
    else slices.set(key, object);
    const endpoints = new Map([...slices.values()].flatMap((slice) => slice.endpoints.map((e) => [identityOf(e), e])));
    return { at, ref, slices: slices.size, endpoints };
  });
}

/** Bands of the numbers alone, for a folded group. */
export const serviceBands = (run: FinishedRun, service: string): readonly Band[] =>
  countBands(run, listingsOf(run, service));

function countBands({ reader }: FinishedRun, listings: readonly Listing[]): readonly Band[] {
  const changes = listings.map(
    ({ at, ref, slices, endpoints }): Change => ({ at, ref, ...countLook(slices, endpoints) }),
  );
  return bandsFrom([{ at: startOf(listings), ref: null, ...NOTHING }, ...changes], reader.data.horizon);
}

const startOf = (changes: readonly { readonly at: Micros }[]): Micros => Math.min(0, changes[0]?.at ?? 0) as Micros;

/** `2/3 ready`. Without a ready one, those that are terminating and still serve are what is left. */
function countLook(slices: number, endpoints: ReadonlyMap<string, EndpointJson>): Look {
  if (endpoints.size === 0) return NOTHING;
  const states = [...endpoints.values()].map(endpointState);
  const ready = states.filter((state) => state === 'ready').length;
  const note = slices > 1 ? `ready · ${slices} slices` : 'ready';
  const word = `${ready}/${endpoints.size}`;
  if (ready > 0) return { tone: 'ok', pattern: 'ready', word, note };
  const isServing = states.includes('serving, terminating');
  return { tone: isServing ? 'term' : 'wait', pattern: isServing ? 'servingTerminating' : 'notYet', word, note };
}

/** The slices of a Service together; below them, when unfolded, a lane for each endpoint. */
export function slicesLane(run: FinishedRun, service: string): Lane {
  const listings = listingsOf(run, service);
  const glyphs = listings.map(({ at, ref }) => page(at, ref));
  const bands = countBands(run, listings);
  const parts = endpointLanes(run, service, listings);
  return { ...emptyLane(NOWHERE, 'endpointSlices', '', service), bands, glyphs, parts };
}

function endpointLanes(run: FinishedRun, service: string, listings: readonly Listing[]): readonly Lane[] {
  const known = new Map<string, EndpointJson>();
  for (const { endpoints } of listings) {
    for (const [id, endpoint] of endpoints) if (!known.has(id)) known.set(id, endpoint);
  }
  const pods = new Map(run.scenario.pods.map((pod) => [pod.uid, pod]));
  const ids = [...known.keys()].sort((a, b) => Number(pods.has(b)) - Number(pods.has(a)));
  return ids.slice(0, MOST_ENDPOINTS).map((id) => {
    const pod = pods.get(id);
    const owner = { node: '', pod: pod?.identity ?? '' };
    const endpoint = known.get(id);
    const title = pod?.name ?? endpoint?.targetRef?.name ?? id;
    const lane = emptyLane(owner, 'endpoint', pod === undefined ? title : '', service);
    return { ...lane, title, bands: endpointBands(run, id, listings) };
  });
}

function endpointBands({ reader }: FinishedRun, id: string, listings: readonly Listing[]): readonly Band[] {
  const changes = listings.map(({ at, ref, endpoints }): Change => {
    const endpoint = endpoints.get(id);
    return { at, ref, ...(endpoint === undefined ? NOTHING : endpointLook(endpoint)) };
  });
  return bandsFrom([{ at: startOf(listings), ref: null, ...NOTHING }, ...changes], reader.data.horizon);
}

function endpointLook(endpoint: EndpointJson): Look {
  const word = endpointState(endpoint);
  const [tone, pattern] = STATE_LOOK[word];
  const { ready, serving } = endpoint.conditions;
  return { tone, pattern, word, note: ready === true && serving === false ? 'published, not serving' : '' };
}

/** The Endpoints object of a Service: ready addresses of all, and its writes. Pods that are being deleted are in neither list. */
export function endpointsLane({ reader }: FinishedRun, service: string): Lane {
  const versions = historyOf(reader, 'endpoints', service);
  const changes = versions.map(
    ({ at, ref, object }): Change => ({ at, ref, ...(object === null ? NOTHING : endpointsLook(object)) }),
  );
  return {
    ...emptyLane(NOWHERE, 'endpoints', '', service),
    bands: bandsFrom([{ at: startOf(versions), ref: null, ...NOTHING }, ...changes], reader.data.horizon),
    glyphs: versions.map(({ at, ref }) => page(at, ref)),
  };
}

const OVER_CAPACITY = 'endpoints.kubernetes.io/over-capacity';

function endpointsLook({ subsets, metadata }: EndpointsJson): Look {
  const ready = new Set(subsets.flatMap(({ addresses = [] }) => addresses.map(({ ip }) => ip)));
  const all = new Set([
    ...ready,
    ...subsets.flatMap(({ notReadyAddresses = [] }) => notReadyAddresses.map(({ ip }) => ip)),
  ]);
  if (all.size === 0) return NOTHING;
  const note = metadata.annotations?.[OVER_CAPACITY] === undefined ? 'ready' : 'ready · truncated';
  const [tone, pattern] = STATE_LOOK[ready.size > 0 ? 'ready' : 'not ready'];
  return { tone, pattern, word: `${ready.size}/${all.size}`, note };
}

/** A write of an object. */
const page = (at: Micros, { row }: EventRef): GlyphRun => ({
  row,
  at,
  period: 0,
  count: 1,
  length: 0,
  shape: 'page',
  tone: 'mech',
  text: '',
  note: '',
  manual: false,
});
