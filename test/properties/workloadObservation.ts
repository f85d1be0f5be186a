/** A finished run of workloads as the invariants look at it. */
import type { Scenario } from '../../src/sim/scenario.ts';
import type { TraceEvent } from '../../src/sim/trace/reader.ts';
import type { WorkloadAction } from '../../src/sim/workloadsInput.ts';
import { RunEvents } from './runEvents.ts';

export interface WorkloadPod {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly kind: string }[];
  };
  readonly spec: { readonly nodeName?: string; readonly target?: string };
  readonly status: {
    readonly phase: string;
    readonly conditions: readonly {
      readonly type: string;
      readonly status: string;
      readonly lastTransitionTime?: string;
    }[];
  };
}
export interface SetJson {
  readonly spec: {
    readonly replicas: number;
    readonly podManagementPolicy: string;
    readonly updateStrategy: {
      readonly rollingUpdate: { readonly maxUnavailable: number | string; readonly maxSurge: number | string };
    };
  };
  readonly status: Readonly<Record<string, number | string>>;
}

/** One commit, with what is stored after it. */
export interface Commit {
  readonly event: TraceEvent<'stored'>;
  /** Component that asked for it, and how. */
  readonly actor: string;
  readonly verb: string;
  readonly resource: string;
  /** The object's name. */
  readonly name: string;
  /** Null: it was not there; it is gone. */
  readonly before: unknown;
  readonly now: unknown;
}

export const isReady = ({ status }: WorkloadPod): boolean =>
  status.conditions.some((one) => one.type === 'Ready' && one.status === 'True');
export const isGoing = ({ metadata }: WorkloadPod): boolean => metadata.deletionTimestamp !== undefined;
export const hasEnded = ({ status }: WorkloadPod): boolean => status.phase === 'Failed' || status.phase === 'Succeeded';
export const isOwnedBy = ({ metadata }: WorkloadPod, kind: string): boolean =>
  metadata.ownerReferences?.[0]?.kind === kind;
export const nodeOf = ({ spec }: WorkloadPod): string => spec.nodeName ?? spec.target ?? '';

export class WorkloadObservation extends RunEvents {
  /** Whether nobody but the controllers touches a Pod. */
  readonly isCalm: boolean;
  /** Whether nothing but evictions happens. */
  readonly isEvictionsOnly: boolean;

  constructor(scenario: Scenario) {
    super(scenario);
    const actions = scenario.cluster?.workloads?.actions ?? [];
    const onPods: ReadonlySet<WorkloadAction['do']> = new Set(['deletePod', 'evict', 'setReady']);
    this.isCalm = !actions.some((action) => onPods.has(action.do));
    this.isEvictionsOnly = actions.every((action) => action.do === 'evict');
  }

  /** Goes through all commits in order; `stored` is what is there after each, by resource and name. */
  walk(visit: (commit: Commit, stored: Stored) => void): void {
    const objects = new Map<string, Map<string, unknown>>();
    const stored = {
      of: <T>(resource: string): ReadonlyMap<string, T> => (objects.get(resource) ?? new Map()) as Map<string, T>,
    };
    for (const event of this.of('stored')) {
      const { resource, object } = event.payload;
      const { pod, object: key } = event.subject;
      // An identity has slashes of its own.
      const name = pod === '' ? (key.split('/').at(-1) ?? '') : pod.slice(pod.indexOf('/') + 1);
      const byName = objects.get(resource) ?? new Map<string, unknown>();
      objects.set(resource, byName);
      const before = byName.get(name) ?? null;
      const now = object < 0 ? null : this.json(object);
      if (now === null) byName.delete(name);
      else byName.set(name, now);
      const [write] = this.causes(event);
      const { actor = '', verb = '' } = (write?.kind === 'apiWrite' ? write.payload : {}) as {
        actor?: string;
        verb?: string;
      };
      visit({ event, actor, verb, resource, name, before, now }, stored);
    }
  }
}

export interface Stored {
  readonly of: <T>(resource: string) => ReadonlyMap<string, T>;
}
