/** What the EndpointSlices of a run say of each Pod, change by change: read once for each run, then looked up. */
import { memoizedWeakly } from '../base/memoized.ts';
import type { Micros } from '../base/units.ts';
import type { EventRef } from '../sim/trace/kinds.ts';
import type { TraceReader } from '../sim/trace/reader.ts';
import {
  type EndpointJson,
  type EndpointState,
  endpointState,
  historyOf,
  type SliceJson,
  serviceOfSlice,
  storedKeys,
} from '../sim/trace/storedObjects.ts';

/** A Pod's endpoint in one slice. */
interface SliceEndpoint {
  readonly state: EndpointState;
  /** As the slice says, ready or not (publishNotReadyAddresses). */
  readonly terminating: boolean;
  readonly addresses: readonly string[];
  /** Number of the port; null for a slice whose port has none. */
  readonly port: number | null;
}

/** From `at` on the slices of a Service have a Pod so, for one of its ports. */
export interface EndpointStep {
  readonly at: Micros;
  /** The commit. */
  readonly ref: EventRef;
  /** The first of its endpoints; null: no slice lists it. */
  readonly endpoint: SliceEndpoint | null;
  /** Any of its endpoints is ready, or being deleted. */
  readonly ready: boolean;
  readonly terminating: boolean;
}

/** The history of a Pod in the slices of a Service, for one port. `service` is `namespace/name`. */
export interface EndpointHistory {
  readonly service: string;
  /** Name of the port; '' without one. */
  readonly port: string;
  /** `metadata.uid` of the Pod. */
  readonly uid: string;
  readonly steps: readonly EndpointStep[];
}

interface Growing extends EndpointHistory {
  readonly steps: EndpointStep[];
  /** The Pod's endpoints now, by slice. */
  readonly now: Map<string, SliceEndpoint>;
}

/** All histories of a run, in the order in which Pods first stand in a slice. */
export const endpointHistories = memoizedWeakly((reader: TraceReader): readonly EndpointHistory[] => {
  const histories = new Map<string, Growing>();
  const listed = new Map<string, Listed>();
  for (const { key, at, ref, object } of allCommits(reader)) {
    const service = serviceOfSlice(reader, key);
    const before = listed.get(key) ?? NOTHING;
    const after = object === null ? NOTHING : listedIn(object);
    listed.set(key, after);
    for (const [place, { port, uid }] of new Map([...before.places, ...after.places])) {
      const was = before.endpoints.get(place);
      const is = after.endpoints.get(place);
      if (isSame(was, is)) continue;
      const name = `${service} ${place}`;
      const history = histories.get(name) ?? { service, port, uid, steps: [], now: new Map() };
      histories.set(name, history);
      if (is === undefined) history.now.delete(key);
      else history.now.set(key, is);
      note(history, at, ref);
    }
  }
  return [...histories.values()];
});

const byUid = memoizedWeakly((reader: TraceReader): ReadonlyMap<string, readonly EndpointHistory[]> => {
  const found = new Map<string, EndpointHistory[]>();
  for (const history of endpointHistories(reader)) {
    const own = found.get(history.uid);
    if (own) own.push(history);
    else found.set(history.uid, [history]);
  }
  return found;
});

/** Of one Pod, by its `metadata.uid`: one history for each Service and port that ever lists it. */
export const endpointHistoriesOf = (reader: TraceReader, uid: string): readonly EndpointHistory[] =>
  byUid(reader).get(uid) ?? [];

/** What one slice lists. A place is a port and a uid. */
interface Listed {
  readonly places: ReadonlyMap<string, { readonly port: string; readonly uid: string }>;
  readonly endpoints: ReadonlyMap<string, SliceEndpoint>;
}
const NOTHING: Listed = { places: new Map(), endpoints: new Map() };

function listedIn({ ports, endpoints }: SliceJson): Listed {
  const places = new Map<string, { readonly port: string; readonly uid: string }>();
  const found = new Map<string, SliceEndpoint>();
  for (const { name = '', port } of ports.length > 0 ? ports : [{ port: null }]) {
    for (const endpoint of endpoints) {
      const uid = endpoint.targetRef?.uid;
      if (uid === undefined) continue;
      places.set(`${name} ${uid}`, { port: name, uid });
      found.set(`${name} ${uid}`, of(endpoint, port));
    }
  }
  return { places, endpoints: found };
}

const of = (endpoint: EndpointJson, port: number | null): SliceEndpoint => ({
  state: endpointState(endpoint),
  terminating: endpoint.conditions.terminating ?? false,
  addresses: endpoint.addresses,
  port,
});

const isSame = (a: SliceEndpoint | undefined, b: SliceEndpoint | undefined): boolean =>
  a === b ||
  (a !== undefined &&
    b !== undefined &&
    a.state === b.state &&
    a.terminating === b.terminating &&
    a.addresses[0] === b.addresses[0]);

/** What the Pod's endpoints come to now. */
function note({ steps, now }: Growing, at: Micros, ref: EventRef): void {
  const all = [...now.values()];
  steps.push({
    at,
    ref,
    endpoint: all[0] ?? null,
    ready: all.some(({ state }) => state === 'ready'),
    terminating: all.some(({ terminating }) => terminating),
  });
}

/** All commits of slices in the order of the run. */
function allCommits(reader: TraceReader) {
  return storedKeys(reader, 'endpointslices')
    .flatMap((key) => historyOf(reader, 'endpointslices', key).map((version) => ({ key, ...version })))
    .sort((a, b) => a.at - b.at || a.ref.row - b.ref.row);
}
