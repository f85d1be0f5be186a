/**
 * The path of a Pod into and out of a Service's backend pool: who knew what, and when. Read from a finished trace.
 *
 *     app ─▶ probe ─▶ result ─▶ syncLoop ─▶ status version ─▶ PATCH ─▶ slice ─▶ rules on each node ─▶ requests
 */
import type { Micros } from '../base/units.ts';
import type { PodInput, ProbeKind } from '../sim/scenario.ts';
import type { EventRef } from '../sim/trace/kinds.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { storedKeys } from '../sim/trace/storedObjects.ts';
import { isHeadless } from './backendAt.ts';
import { endpointHistories } from './endpointHistory.ts';
import { gateOf } from './gate.ts';
import { joiningOf } from './joining.ts';
import { leavingOf } from './leaving.ts';
import { leftOutAt } from './leftOut.ts';
import { apiCommits, subjectOf } from './pathSubject.ts';
import { podsOf } from './podsOf.ts';

/** An instant and the event that marks it. */
export interface Moment {
  readonly at: Micros;
  readonly ref: EventRef;
}

/** A probe attempt that decided. */
export interface DecidingProbe {
  readonly container: string;
  readonly probe: ProbeKind;
  readonly ref: EventRef;
  readonly start: Micros;
  readonly end: Micros;
}

/** The first time that the Pod becomes a backend, as far as it comes. Null: does not apply, or not before the run ends. */
export interface Joining {
  /** First start of the container with the target port. */
  readonly containerStarted: Moment | null;
  /** The app could answer a client with a code below 400. */
  readonly appCanAnswer: Moment | null;
  readonly probe: DecidingProbe | null;
  /** Success of the probe that decided. */
  readonly resultSet: Moment | null;
  readonly syncLoop: Moment | null;
  /** Pods with a gate: the foreign patch to True. */
  readonly conditionPatch: Moment | null;
  readonly statusVersion: (Moment & { readonly version: number }) | null;
  readonly patchCommit: Moment | null;
  /** First commit of a slice that has it ready. */
  readonly sliceCommit: Moment | null;
  readonly nodes: readonly JoiningNode[];
}

/** One kube-proxy, and the clients of its node. */
export interface JoiningNode {
  readonly node: string;
  readonly proxy: string;
  /** A client asks by its rules, or past them from its node; where none does nobody waits for a first answer. */
  readonly isAsked: boolean;
  /** Null: that proxy never sends connections to it. */
  readonly rulesInForce: Moment | null;
  readonly proxySyncStart: Moment | null;
  /** Start of the first attempt to the Pod; of the first that was served. */
  readonly firstRequestSent: Moment | null;
  readonly firstServed: (Moment & { readonly end: Micros }) | null;
}

/** What removed it; by another than its kubelet: `node`, as its node was silent, else `marked`. */
export type LeavingCause =
  | 'delete'
  | 'readiness'
  | 'liveness'
  | 'startup'
  | 'containerExit'
  | 'condition'
  | 'node'
  | 'marked';

/** The last time that the Pod stops being a backend; it may have come back since. Null: does not apply, or not before the run ends. */
export interface Leaving {
  /** `liveness` and `startup`: the kubelet killed the container for that probe. */
  readonly cause: LeavingCause;
  readonly deleteCommit: Moment | null;
  /** Of a probe that failed. */
  readonly probe: DecidingProbe | null;
  readonly resultSet: Moment | null;
  readonly syncLoop: Moment | null;
  readonly containerExit: Moment | null;
  /** A gate was patched to something else than True. */
  readonly conditionPatch: Moment | null;
  /** What silenced its node, where the scenario says so. */
  readonly nodeSilent: Moment | null;
  /** In which Ready goes from True to False; null for a deletion, as `patchCommit`. */
  readonly statusVersion: (Moment & { readonly version: number }) | null;
  readonly patchCommit: Moment | null;
  /** The app ceased to answer a client with a code below 400. */
  readonly appStopsAnswering: Moment | null;
  /** Last commit of a slice that has it ready no more. */
  readonly sliceCommit: Moment;
  /** First slice that has it terminating. */
  readonly terminatingSlice: Moment | null;
  /** It is in no slice from here on. */
  readonly sliceRemoved: Moment | null;
  readonly podRemoved: Moment | null;
  readonly nodes: readonly LeavingNode[];
}

/** One kube-proxy, and the clients of its node. Requests by their start. */
export interface LeavingNode {
  readonly node: string;
  readonly proxy: string;
  /** Null: its rules have the Pod to the end, or never had it. */
  readonly rulesWithout: Moment | null;
  readonly proxySyncStart: Moment | null;
  readonly lastRequestSent: Moment | null;
  readonly lastServed: Moment | null;
  /** The last one not served that ended after the app had stopped answering. */
  readonly lastFailed: Moment | null;
  /** Null: its rules never keep it for want of a ready one. */
  readonly fallback: Fallback | null;
}

/** The rules keep a Pod that serves while it terminates, because there is no ready one (P-051). */
export interface Fallback {
  /** The slice commit after which they should not: it serves no more, or another is ready. Null: not before the run ends. */
  readonly end: Moment | null;
}

/** Conditions that others than the kubelet have to set to True before it says Ready (K-187). */
export interface Gate {
  /** The last of them is True; null: not before the run ends. */
  readonly opened: Moment | null;
  /** The success with which all containers were ready, and are to the run's end or the deletion; null: they are not, nobody waits for a gate. */
  readonly containersReady: Pick<Joining, 'probe' | 'resultSet'> | null;
}

/** A Pod and a port of a Service that lists it at some time. */
export interface PodPath {
  /** Identity. */
  readonly pod: string;
  /** `namespace/name`. */
  readonly service: string;
  /** Name of the port; '' without one. */
  readonly port: string;
  /** kube-proxy writes rules for it; not for a headless Service, whose way has no hop 6. */
  readonly hasRules: boolean;
  /** Nodes whose rules never have it, and rightly so: nobody there waits for them. */
  readonly leftOutOn: readonly string[];
  readonly joining: Joining;
  /** Its deletion by the API; null: not before the run ends. */
  readonly deleted: Moment | null;
  /** Null: the Pod has no readiness gates, or the Service publishes it ready or not. */
  readonly gate: Gate | null;
  /** Null: from its first time on the slices have it ready. */
  readonly leaving: Leaving | null;
}

/** One path for each Pod and Service port whose Pod was ever in a slice of the Service. */
export function pathsOf(run: FinishedRun): readonly PodPath[] {
  const pods = new Map([...podsOf(run.scenario).values()].map((pod) => [pod.uid, pod]));
  return storedKeys(run.reader, 'services').flatMap((service) =>
    endpointHistories(run.reader, service).flatMap(({ uid, port }) => {
      const pod = pods.get(uid);
      const path = pod === undefined || port === null ? null : pathOf(run, pod, service, port);
      return path === null ? [] : [path];
    }),
  );
}

/** Null when no slice of the Service ever lists the Pod with that port. */
export function pathOf(run: FinishedRun, pod: PodInput, service: string, port: string): PodPath | null {
  const subject = subjectOf(run, pod, service, port);
  if (subject === null) return null;
  const hasRules = !isHeadless(run.reader, service);
  const joining = joiningOf(subject);
  const deletion = apiCommits(subject).find(({ isDeleted }) => isDeleted);
  return {
    pod: pod.identity,
    service,
    port,
    hasRules,
    leftOutOn: hasRules ? leftOutOn(run, pod, service, joining) : [],
    joining,
    deleted: deletion === undefined ? null : { at: deletion.at, ref: deletion.ref },
    gate: gateOf(subject, joining),
    leaving: leavingOf(subject),
  };
}

function leftOutOn(run: FinishedRun, pod: PodInput, service: string, { nodes }: Joining): readonly string[] {
  const end = (run.reader.data.horizon - 1) as Micros;
  const isWithout = (name: string): boolean =>
    nodes.some(({ proxy, rulesInForce }) => proxy === name && rulesInForce === null);
  return (run.scenario.cluster?.proxies ?? [])
    .filter((proxy) => isWithout(proxy.name) && leftOutAt(run, pod, service, proxy, end) !== null)
    .map(({ node }) => node);
}
