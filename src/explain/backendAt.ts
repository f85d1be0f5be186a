/** Whether a Pod is a backend of its Services at one instant: the hops beyond the API server. Look-ups only. */
import { memoized, memoizedWeakly } from '../base/memoized.ts';
import type { Micros } from '../base/units.ts';
import type { PodInput } from '../sim/scenario.ts';
import type { EventRef } from '../sim/trace/kinds.ts';
import { apiPodKey, podStatusOf } from '../sim/trace/podObject.ts';
import type { TraceReader } from '../sim/trace/reader.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { historyOf } from '../sim/trace/storedObjects.ts';
import {
  type EndpointStep,
  endpointHistoriesOf,
  endpointHistoryOf,
  readyCounts,
  type SliceState,
} from './endpointHistory.ts';
import { type LeftOut, lackingPortsAt, leftOutAt } from './leftOut.ts';
import { rulesSteps } from './ruleHistory.ts';

/** A value, since when it holds, and when it changes next; null: not before the run ends. */
export interface Known<T> {
  readonly value: T;
  readonly since: Micros | null;
  readonly until: Micros | null;
  /** The event that made it so; null before the first. */
  readonly ref: EventRef | null;
}

/** What one kube-proxy does with a Pod. `value`: whether its rules send new connections there. */
export interface ProxyView extends Known<boolean> {
  readonly proxy: string;
  readonly node: string;
  /** Why they are rightly without it; null for rules that have it, or are going to. */
  readonly leftOut: LeftOut | null;
}

/** A Service that lists the Pod at some time of the run. */
export interface ServiceView {
  /** `namespace/name`. */
  readonly service: string;
  readonly slice: Known<SliceState>;
  /** Whether its slices list any ready endpoint, this Pod's or another's. */
  readonly hasReady: boolean;
  /** Where the Endpoints object has its address. */
  readonly endpoints: Known<'absent' | 'notReady' | 'ready'>;
  readonly proxies: readonly ProxyView[];
  /** The Service has no selector: somebody writes its Endpoints or slices. */
  readonly isByHand: boolean;
  /** publishNotReadyAddresses. */
  readonly publishes: boolean;
  /** Names of ports that the Pod does not have, of a Service that lists it as ready for others (C-205). */
  readonly lackingPorts: readonly string[];
}

interface Step<T> {
  readonly at: Micros;
  readonly value: T;
  readonly ref: EventRef;
}
/** All that the control plane and the proxies ever say of a Pod and a Service. */
interface ServiceStory {
  readonly service: string;
  readonly slice: readonly Step<SliceState>[];
  readonly hasReady: readonly Step<boolean>[];
  readonly endpoints: readonly Step<'absent' | 'notReady' | 'ready'>[];
  readonly proxies: readonly {
    readonly proxy: string;
    readonly node: string;
    readonly steps: readonly Step<boolean>[];
    readonly leftOutAt: (at: Micros) => LeftOut | null;
  }[];
  readonly isByHand: boolean;
  readonly publishes: boolean;
  readonly lackingPortsAt: (at: Micros) => readonly string[];
}

/** Services that list the Pod at some time, as they are at `at`; empty in a run without a cluster. */
export const backendAt = (run: FinishedRun, pod: PodInput, at: Micros): readonly ServiceView[] =>
  endpointHistoriesOf(run.reader, pod.uid)
    .filter(({ port }) => port === null)
    .map(({ service }) => viewOf(stories(run)(pod)(service), at));

/** One Service (`namespace/name`), whether it ever lists the Pod or not. */
export const serviceViewAt = (run: FinishedRun, pod: PodInput, service: string, at: Micros): ServiceView =>
  viewOf(stories(run)(pod)(service), at);

/** The proxies of a view whose rules have the Pod, or ought to. */
export const meantOf = ({ proxies }: ServiceView): readonly ProxyView[] =>
  proxies.filter(({ leftOut }) => leftOut === null);

/** New connections go to it: the rules of all proxies of the view that ought to send them do; of a headless Service a slice has it ready. */
export function isBackend(view: ServiceView): boolean {
  if (view.proxies.length === 0) return view.slice.value === 'ready';
  const meant = meantOf(view);
  return meant.length > 0 && meant.every(({ value }) => value);
}

/** From `at` on the proxies of a node (null: of all) have the Pod as a backend, or not. */
export interface BackendChange {
  readonly at: Micros;
  readonly isBackend: boolean;
}

/** All changes of whether the Pod is a backend of the Service (`namespace/name`). */
export function backendChanges(
  run: FinishedRun,
  pod: PodInput,
  service: string,
  node: string | null,
): readonly BackendChange[] {
  const whole = stories(run)(pod)(service);
  const story = { ...whole, proxies: whole.proxies.filter((proxy) => node === null || proxy.node === node) };
  const steps = story.proxies.length === 0 ? [story.slice] : story.proxies.map((proxy) => proxy.steps);
  const times = [...new Set(steps.flatMap((own) => own.map(({ at }) => at)))].sort((a, b) => a - b);
  const changed = times.map((at) => ({ at, isBackend: isBackend(viewOf(story, at)) }));
  return changed.filter((change, i) => change.isBackend !== (changed[i - 1]?.isBackend ?? false));
}

function viewOf(story: ServiceStory, at: Micros): ServiceView {
  const { service, isByHand, publishes, hasReady, endpoints, proxies } = story;
  const slice = knownAt(story.slice, at, 'absent');
  return {
    service,
    isByHand,
    publishes,
    slice,
    lackingPorts: slice.value === 'ready' ? story.lackingPortsAt(at) : [],
    hasReady: knownAt(hasReady, at, false).value,
    endpoints: knownAt(endpoints, at, 'absent'),
    proxies: proxies.map(({ proxy, node, steps, leftOutAt: reasonAt }) => {
      const known = knownAt(steps, at, false);
      return { proxy, node, ...known, leftOut: known.value ? null : reasonAt(at) };
    }),
  };
}

function knownAt<T>(steps: readonly Step<T>[], at: Micros, before: T): Known<T> {
  const index = steps.findLastIndex((step) => step.at <= at);
  const now = steps[index];
  const until = steps[index + 1]?.at ?? null;
  return { value: now?.value ?? before, since: now?.at ?? null, until, ref: now?.ref ?? null };
}

/** Each is read when it is first asked for: a Service whether it ever lists the Pod or not. */
const stories = memoizedWeakly((run: FinishedRun) =>
  memoized((pod: PodInput) =>
    memoized((service: string): ServiceStory => {
      const steps = endpointHistoryOf(run.reader, pod.uid, service, null)?.steps ?? [];
      return storyOf(run, pod, service, steps);
    }),
  ),
);

const storyOf = (run: FinishedRun, pod: PodInput, service: string, steps: readonly EndpointStep[]): ServiceStory => ({
  service,
  slice: changes(
    steps.map(({ at, ref, state }) => ({ at, ref, value: state })),
    'absent',
  ),
  hasReady: changes(
    readyCounts(run.reader, service).map(({ at, ref, ready }) => ({ at, ref, value: ready > 0 })),
    false,
  ),
  endpoints: changes(endpointsSteps(run.reader, pod, service), 'absent'),
  // Nobody writes rules for a Service without an address of its own.
  proxies: isHeadless(run.reader, service) ? [] : proxySteps(run, pod, service),
  isByHand: isByHand(run.reader, service),
  publishes: firstSpec(run.reader, service)?.publishNotReadyAddresses ?? false,
  lackingPortsAt: (at) => lackingPortsAt(run, pod, service, at),
});

/** Whether clients find its Pods by DNS: as the Service was made. */
export const isHeadless = (reader: TraceReader, service: string): boolean =>
  firstSpec(reader, service)?.clusterIP === 'None';

/** Whether it has no selector, as the Service was made: somebody writes its Endpoints or slices. */
export const isByHand = (reader: TraceReader, service: string): boolean =>
  firstSpec(reader, service)?.selector === undefined;

const firstSpec = (reader: TraceReader, service: string) => historyOf(reader, 'services', service)[0]?.object?.spec;

function proxySteps(run: FinishedRun, pod: PodInput, service: string): ServiceStory['proxies'] {
  const { reader, scenario } = run;
  const prefixes = [...addressesOf(reader, pod)].map((ip) => (ip.includes(':') ? `[${ip}]:` : `${ip}:`));
  const isOfPod = (backend: string): boolean => prefixes.some((prefix) => backend.startsWith(prefix));
  return (scenario.cluster?.proxies ?? []).map((proxy) => ({
    proxy: proxy.name,
    node: proxy.node,
    leftOutAt: (at) => leftOutAt(run, pod, service, proxy, at),
    steps: changes(
      rulesSteps(reader, proxy.name, service).map(({ at, ref, frontends }) => ({
        at,
        ref,
        value: frontends.some(({ backends }) => backends.some(isOfPod)),
      })),
      false,
    ),
  }));
}

/** Addresses that the Pod ever had. */
const addressesOf = (reader: TraceReader, { identity }: PodInput): ReadonlySet<string> =>
  new Set(
    reader
      .versionsOf(apiPodKey(identity))
      .flatMap(({ index }) => (podStatusOf(reader, index).podIPs ?? []).map(({ ip }) => ip)),
  );

function endpointsSteps(reader: TraceReader, { uid }: PodInput, service: string) {
  return historyOf(reader, 'endpoints', service).map(({ at, ref, object }): Step<'absent' | 'notReady' | 'ready'> => {
    const lists = (name: 'addresses' | 'notReadyAddresses'): boolean =>
      object?.subsets.some((subset) => subset[name]?.some(({ targetRef }) => targetRef?.uid === uid)) ?? false;
    return { at, ref, value: lists('addresses') ? 'ready' : lists('notReadyAddresses') ? 'notReady' : 'absent' };
  });
}

/** Steps whose value is another than the one before; `before` holds in front of the first. */
const changes = <T>(steps: readonly Step<T>[], before: T): readonly Step<T>[] =>
  steps.filter((step, i) => step.value !== (i === 0 ? before : steps[i - 1]?.value));
