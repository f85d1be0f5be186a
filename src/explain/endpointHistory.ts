/** What the EndpointSlices of a Service say of each Pod, change by change: read once for each run, then looked up. */
import { sameData } from '../base/equal.ts';
import { memoized, memoizedWeakly } from '../base/memoized.ts';
import type { Micros } from '../base/units.ts';
import type { EventRef } from '../sim/trace/kinds.ts';
import type { TraceReader } from '../sim/trace/reader.ts';
import {
  type EndpointJson,
  type EndpointState,
  endpointState,
  historyOf,
  type SliceJson,
  slicesOf,
  storedKeys,
} from '../sim/trace/storedObjects.ts';

/** Where the slices have a Pod; `absent`: none lists it. */
export type SliceState = EndpointState | 'absent';

/** From `at` on the slices of a Service have a Pod so. */
export interface EndpointStep {
  readonly at: Micros;
  /** The commit. */
  readonly ref: EventRef;
  /** Ready in any slice, else as the first slice has it. */
  readonly state: SliceState;
  /** Any slice has it so, ready or not (publishNotReadyAddresses). */
  readonly isTerminating: boolean;
  /** `ip:port` of its endpoints as the rules write them. */
  readonly backends: readonly string[];
}

/** The history of a Pod in the slices of a Service, for one of its ports or for all together. */
export interface EndpointHistory {
  /** `namespace/name`. */
  readonly service: string;
  /** Name of the port, '' without one; null: all ports together. */
  readonly port: string | null;
  /** `metadata.uid` of the Pod. */
  readonly uid: string;
  /** Number of the target port; null where the slices have none. */
  readonly targetPort: number | null;
  readonly steps: readonly EndpointStep[];
}

/** How many endpoints of a Service are ready from `at` on, all ports together. */
export interface ReadyCount {
  readonly at: Micros;
  readonly ref: EventRef;
  readonly ready: number;
}

interface ServiceHistory {
  /** By uid and port, in the order in which they first stand in a slice. */
  readonly histories: ReadonlyMap<string, EndpointHistory>;
  /** By node; null: all nodes together. */
  readonly readyCounts: ReadonlyMap<string | null, readonly ReadyCount[]>;
}

const historyByService = memoizedWeakly((reader: TraceReader) =>
  memoized((service: string): ServiceHistory => readHistory(reader, service)),
);

/** Of all Pods that the Service (`namespace/name`) ever lists, in the order in which they first stand in a slice. */
export const endpointHistories = (reader: TraceReader, service: string): readonly EndpointHistory[] => [
  ...historyByService(reader)(service).histories.values(),
];

/** Of one Pod (uid) and port, null for all ports together; null when the Service never lists it. */
export const endpointHistoryOf = (
  reader: TraceReader,
  uid: string,
  service: string,
  port: string | null,
): EndpointHistory | null => historyByService(reader)(service).histories.get(placeOf(uid, port)) ?? null;

/** Changes of the number of ready endpoints of the Service; of one node's alone when it is named. */
export const readyCounts = (reader: TraceReader, service: string, node: string | null = null): readonly ReadyCount[] =>
  historyByService(reader)(service).readyCounts.get(node) ?? [];

const historiesByUid = memoizedWeakly((reader: TraceReader): ReadonlyMap<string, readonly EndpointHistory[]> => {
  const found = new Map<string, EndpointHistory[]>();
  for (const service of storedKeys(reader, 'services')) {
    for (const history of endpointHistories(reader, service)) {
      const own = found.get(history.uid);
      if (own) own.push(history);
      else found.set(history.uid, [history]);
    }
  }
  return found;
});

/** Of one Pod, in all Services that ever list it. */
export const endpointHistoriesOf = (reader: TraceReader, uid: string): readonly EndpointHistory[] =>
  historiesByUid(reader).get(uid) ?? [];

interface Growing extends EndpointHistory {
  readonly steps: EndpointStep[];
  /** The Pod's endpoints now, by slice. */
  readonly now: Map<string, SliceEndpoint>;
}

function readHistory(reader: TraceReader, service: string): ServiceHistory {
  const histories = new Map<string, Growing>();
  const listed = new Map<string, Listed>();
  const counts = new Map<string | null, ReadyCount[]>();
  for (const { key, at, ref, object } of commitsOf(reader, service)) {
    const before = listed.get(key) ?? NOTHING;
    const after = object ?? NOTHING;
    listed.set(key, after);
    const [were, are] = differing(before, after);
    countReady(counts, were, are, { at, ref });
    const uids = new Set([...were, ...are].flatMap(({ targetRef }) => targetRef?.uid ?? []));
    const [had, has] = [listedOf(before, uids), listedOf(after, uids)];
    for (const [place, { uid, port, targetPort }] of new Map([...had, ...has])) {
      const is = has.get(place);
      if (isSame(had.get(place), is)) continue;
      const known = histories.get(place);
      const history: Growing = known ?? { service, port, uid, targetPort, steps: [], now: new Map() };
      histories.set(place, history);
      if (is === undefined) history.now.delete(key);
      else history.now.set(key, is);
      history.steps.push(stepOf(at, ref, [...history.now.values()]));
    }
  }
  return { histories, readyCounts: counts };
}

function countReady(
  counts: Map<string | null, ReadyCount[]>,
  were: readonly EndpointJson[],
  are: readonly EndpointJson[],
  commit: Pick<ReadyCount, 'at' | 'ref'>,
): void {
  const readyNodes = (endpoints: readonly EndpointJson[]): readonly (string | null)[] =>
    endpoints
      .filter((endpoint) => endpointState(endpoint) === 'ready')
      .flatMap(({ nodeName = '' }) => [null, nodeName]);
  const [before, after] = [readyNodes(were), readyNodes(are)];
  for (const node of new Set([...before, ...after])) {
    const isIts = (other: string | null): boolean => other === node;
    const change = after.filter(isIts).length - before.filter(isIts).length;
    if (change === 0) continue;
    const own = counts.get(node) ?? [];
    counts.set(node, own);
    own.push({ ...commit, ready: (own.at(-1)?.ready ?? 0) + change });
  }
}

/** All commits of a Service's slices in the order of the run. */
const commitsOf = (reader: TraceReader, service: string) =>
  slicesOf(reader, service)
    .flatMap((key) => historyOf(reader, 'endpointslices', key).map((version) => ({ key, ...version })))
    .sort((a, b) => a.at - b.at || a.ref.row - b.ref.row);

/** Names of ports have no spaces. */
const placeOf = (uid: string, port: string | null): string => (port === null ? uid : `${port} ${uid}`);

/** A Pod's endpoint in one slice, for a port, or for all of them. */
interface SliceEndpoint {
  readonly port: string | null;
  readonly uid: string;
  readonly targetPort: number | null;
  readonly state: EndpointState;
  readonly isTerminating: boolean;
  readonly backends: readonly string[];
}
/** What one slice lists. */
type Listed = Pick<SliceJson, 'ports' | 'endpoints'>;
const NOTHING: Listed = { ports: [], endpoints: [] };

/** What is left of two lists without the endpoints at their begin and their end that say the same. */
function differing(
  before: Listed,
  after: Listed,
): readonly [were: readonly EndpointJson[], are: readonly EndpointJson[]] {
  const [were, are] = [before.endpoints, after.endpoints];
  if (!sameData(before.ports, after.ports)) return [were, are];
  const shorter = Math.min(were.length, are.length);
  let begin = 0;
  while (begin < shorter && saysSame(were[begin], are[begin])) begin++;
  let end = 0;
  while (end < shorter - begin && saysSame(were[were.length - 1 - end], are[are.length - 1 - end])) end++;
  return [were.slice(begin, were.length - end), are.slice(begin, are.length - end)];
}

/** Whether two endpoints say the same of the same Pod, as far as histories tell. */
const saysSame = (a: EndpointJson | undefined, b: EndpointJson | undefined): boolean =>
  a?.targetRef?.uid === b?.targetRef?.uid &&
  a?.addresses[0] === b?.addresses[0] &&
  a?.conditions.ready === b?.conditions.ready &&
  a?.conditions.serving === b?.conditions.serving &&
  a?.conditions.terminating === b?.conditions.terminating &&
  a?.nodeName === b?.nodeName;

/** What a slice says of some Pods (uid), by port and uid. */
function listedOf({ ports, endpoints }: Listed, uids: ReadonlySet<string>): ReadonlyMap<string, SliceEndpoint> {
  const found = new Map<string, SliceEndpoint>();
  const all = ports.map(({ port }) => port);
  for (const endpoint of endpoints) {
    const uid = endpoint.targetRef?.uid;
    if (uid === undefined || !uids.has(uid)) continue;
    found.set(placeOf(uid, null), endpointOf(endpoint, uid, null, all));
    for (const { name = '', port } of ports) found.set(placeOf(uid, name), endpointOf(endpoint, uid, name, [port]));
  }
  return found;
}

const endpointOf = (
  endpoint: EndpointJson,
  uid: string,
  port: string | null,
  numbers: readonly number[],
): SliceEndpoint => ({
  port,
  uid,
  targetPort: numbers[0] ?? null,
  state: endpointState(endpoint),
  isTerminating: endpoint.conditions.terminating ?? false,
  backends: endpoint.addresses.flatMap((ip) =>
    numbers.map((number) => `${ip.includes(':') ? `[${ip}]` : ip}:${number}`),
  ),
});

const isSame = (a: SliceEndpoint | undefined, b: SliceEndpoint | undefined): boolean =>
  a?.state === b?.state && a?.isTerminating === b?.isTerminating && a?.backends[0] === b?.backends[0];

/** What the Pod's endpoints come to. */
const stepOf = (at: Micros, ref: EventRef, now: readonly SliceEndpoint[]): EndpointStep => ({
  at,
  ref,
  state: now.some(({ state }) => state === 'ready') ? 'ready' : (now[0]?.state ?? 'absent'),
  isTerminating: now.some(({ isTerminating }) => isTerminating),
  backends: now.flatMap(({ backends }) => backends),
});
