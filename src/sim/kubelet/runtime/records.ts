import type { Micros } from '../../../base/units.ts';
import type { Ref } from '../../trace/ref.ts';

/** A sandbox as the runtime lists it: immutable, replaced on change. */
export interface SandboxRecord {
  readonly id: string;
  readonly ready: boolean;
  readonly ip: string;
  /** The IPv6 address beside it; '' where Pods have none. */
  readonly ipv6: string;
}

/** A container as the runtime lists it: immutable, replaced on change. */
export interface ContainerRecord {
  readonly id: string;
  readonly name: string;
  /** restartCount: 0 for the first one of its name. */
  readonly attempt: number;
  readonly state: 'created' | 'running' | 'exited';
  /** µs; null until started. */
  readonly startedAt: Micros | null;
  readonly finishedAt: Micros | null;
  readonly exitCode: number;
}

/** One Pod as the runtime knows it, oldest first. */
export interface RuntimePod {
  readonly sandboxes: readonly SandboxRecord[];
  readonly containers: readonly ContainerRecord[];
}

/** A created container, and the event of its creation. */
export interface Created {
  readonly record: ContainerRecord;
  readonly ref: Ref;
}

export type HookEnd = 'success' | 'failure' | 'killed';

/** What a call that can fail came to: the text of the error, empty when it succeeded. */
export interface Called {
  readonly ref: Ref;
  readonly error: string;
}
