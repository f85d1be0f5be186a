import type { ProbeKind } from '../../sim/scenario.ts';

/** What a run shows to an operator, real or simulated. Instants are µs since the scenario's begin; Pods go by name. */
export interface Observations {
  readonly firstProbes: readonly FirstProbe[];
  /** Results that reached the syncLoop, in its order. */
  readonly results: readonly SeenResult[];
  /** PATCHes of Pod status by the kubelet, in the order in which they came. */
  readonly patches: readonly StatusPatch[];
  /** DELETEs of Pods by somebody else than the kubelet. */
  readonly deletions: readonly Deletion[];
  /** Writes of EndpointSlices that changed an endpoint, in the order in which they came. */
  readonly sliceWrites: readonly SliceWrite[];
  readonly syncs: readonly Sync[];
  /** By Service, in order. */
  readonly attempts: ReadonlyMap<string, readonly Attempt[]>;
  /** When a Pod stopped listening, or was found so, in any order. */
  readonly silences: readonly Silence[];
}

export interface FirstProbe {
  readonly pod: string;
  readonly container: string;
  readonly kind: ProbeKind;
  /** 0 for the container's first start, then its restart count. */
  readonly run: number;
  readonly startedAt: number;
  /** End of the first probe of that run. */
  readonly at: number;
}

export interface SeenResult {
  readonly pod: string;
  readonly kind: ProbeKind;
  readonly isGood: boolean;
  /** The prober has the result, and the syncLoop takes it up. */
  readonly at: number;
  readonly seenAt: number;
}

/** A request at the API server. */
export interface Request {
  readonly pod: string;
  readonly receivedAt: number;
  readonly answeredAt: number;
}

export interface Deletion extends Request {
  /** Whether a controller sent it, because of something that it saw. */
  readonly isByController: boolean;
  /** The grace that it names; null: the Pod's own. */
  readonly graceSeconds: number | null;
}

export interface StatusPatch extends Request {
  /** When a watch of somebody who does nothing else shows it; null when none did. */
  readonly seenAt: number | null;
  /** What it makes of the condition Ready; null when it leaves that as it is. */
  readonly ready: boolean | null;
}

export interface SliceWrite {
  /** From when on kube-proxy may know of it; where it can be told, when it does. */
  readonly heardFrom: number;
  readonly service: string;
  readonly receivedAt: number;
  readonly answeredAt: number;
  readonly seenAt: number | null;
  /** Pods that it holds, with their conditions. */
  readonly endpoints: ReadonlyMap<string, EndpointState>;
}

export interface EndpointState {
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
}

/** A sync of kube-proxy's IPv4 rules, until its log says that it is complete. */
export interface Sync {
  readonly startedAt: number;
  readonly completeAt: number;
}

export interface Silence {
  readonly pod: string;
  readonly at: number;
}

export interface Attempt {
  readonly at: number;
  /** Who answered; null without an answer. */
  readonly pod: string | null;
}
