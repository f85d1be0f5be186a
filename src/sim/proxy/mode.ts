import { type MicrosSpan, seconds } from '../../base/units.ts';
import type { ProxyInput } from '../clusterInput.ts';
import type { Task } from '../kernel/kernel.ts';
import type { Ref } from '../trace/ref.ts';
import type { ProxierContext } from './context.ts';
import type { Selection } from './endpointSelection.ts';
import type { ProxyEndpoint } from './endpoints.ts';
import type { ServiceRules } from './rules.ts';
import type { ServicePortInfo } from './servicePort.ts';

/** One Service as a sync finds it. */
export interface ProxiedService {
  /** `namespace/name`. */
  readonly key: string;
  /** Empty: kube-proxy does not know the Service, or not any more. */
  readonly ports: readonly ServicePortInfo[];
  /** By `portKey`, sorted by `ip:port` (P-010, P-011); slices may have ports that the Service has not. */
  readonly endpoints: ReadonlyMap<string, readonly ProxyEndpoint[]>;
}

/** What one sync works on: the trackers' state at its start (P-022). */
export interface Snapshot {
  readonly isFull: boolean;
  /** All Services that have ports or endpoints, by key. */
  readonly services: ReadonlyMap<string, ProxiedService>;
  /**
   * The Services whose rules this sync writes: in a partial one those that changed (P-030), in a full one all, and those
   * that are gone while rules of theirs are in force.
   */
  readonly written: readonly ProxiedService[];
  /** Whether a Service with a UDP port had a change of endpoints (P-062). */
  readonly hasUdpChange: boolean;
}

/** What a mode gets from its proxier. */
export interface ModeContext extends ProxierContext {
  /** Which endpoints of a port this node uses (P-050 to P-053). */
  readonly select: (port: ServicePortInfo, endpoints: readonly ProxyEndpoint[]) => Selection;
  /**
   * Writes `lines` lines to the kernel: takes kernelWriteBase + lines × kernelWritePerLineNs, nothing for the proxier's
   * first write. False when the write fails at its end.
   */
  readonly write: (lines: number) => Task<boolean>;
  /** Puts rules in force while the sync goes on; those that its write puts in force are the outcome's. */
  readonly apply: (rules: readonly ServiceRules[]) => void;
  /** The proxySync event of the sync under way. */
  readonly syncRef: () => Ref;
  /** Writes an error of the proxy's log, caused by the sync under way. */
  readonly error: (message: string, error: string) => void;
}

/** How a sync came out. */
export interface Outcome {
  /** False: it failed, and the old rules stay. */
  readonly isApplied: boolean;
  /** Size of the rule write, as recordings have it. */
  readonly write: Readonly<Record<string, number>>;
  /** The rules in force from now on, of the Services whose rules may have changed; one that is gone has no frontends. None of a failed sync. */
  readonly rules: readonly ServiceRules[];
}

/** The part of kube-proxy that differs between its modes: how rules are written. One for each proxier, with its own memory. */
export interface RuleWriter {
  /** Writes the rules of a snapshot. */
  sync(snapshot: Snapshot): Task<Outcome>;
  /** Whether the full sync that is due after an hour is left out, as of the last sync (P-031). */
  readonly skipsPeriodicFullSync: boolean;
}

/** A mode of kube-proxy. */
export interface Mode {
  readonly start: (context: ModeContext) => RuleWriter;
  /** Whether every sync is a full one, in this minor version. */
  readonly isAlwaysFull: (minor: number) => boolean;
  /** Whether the log says when a failed sync is tried again. */
  readonly logsRetry: boolean;
  /** Longest time between two runs (table after P-023). */
  readonly maxInterval: (input: ProxyInput) => MicrosSpan;
}

/** What else a proxier keeps in step: called after each sync that was applied; `ref` is that sync. */
export type AfterSync = (snapshot: Snapshot, ref: Ref) => void;

/** How the log has the error of an injected failure. */
export const INJECTED_FAILURE = 'injected failure of the rule write';

/** More time than this since the last full sync asks for another one (pkg/proxy/util, FullSyncPeriod). */
export const FULL_SYNC_PERIOD = seconds(3600);
