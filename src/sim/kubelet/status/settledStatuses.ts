import type { PodInput } from '../../scenario.ts';
import type { RuntimePod } from '../runtime/records.ts';

/**
 * Whether making the status of one Pod once more would change nothing, as most passes find nothing new.
 *
 *     settle ─▶ settled ──quieten──▶ quiet: a source has the Pod, nobody ends it, and there is nothing to do
 *                  └─────outdate─────┘
 */
export class SettledStatus {
  private readonly remembers: boolean;
  /** What the last status was made of; null: something of that has changed since. */
  private view: RuntimePod | null = null;
  private podIsTerminal = false;
  private quiet = false;

  constructor(remembers: boolean) {
    this.remembers = remembers;
  }

  isSettled(view: RuntimePod, podIsTerminal: boolean): boolean {
    return this.view === view && this.podIsTerminal === podIsTerminal;
  }

  /** The view with which a pass of the running Pod makes nothing new, and has nothing to do; null: that is not known. */
  get quietView(): RuntimePod | null {
    return this.quiet ? this.view : null;
  }

  /** A status is made: it is settled unless somebody says otherwise. */
  settle(view: RuntimePod, podIsTerminal: boolean): void {
    this.view = this.remembers ? view : null;
    this.podIsTerminal = podIsTerminal;
    this.quiet = false;
  }

  /** The pass that settled it had nothing to do, and its view is still the cached one. */
  quieten(): void {
    this.quiet = true;
  }

  outdate(): void {
    this.view = null;
    this.quiet = false;
  }
}

/**
 * The settled statuses of a kubelet. Whatever goes into a status calls `outdate` when it changes: the cached view, the
 * cached status, the pod manager's object, the Pods of the file source, probe results, probe workers, reasons for waiting.
 * What a pass does about the workers and containers of a Pod depends on the same, so that it is known as well when there is
 * nothing to do.
 */
export class SettledStatuses {
  private readonly remembers: boolean;
  private readonly statuses = new Map<string, SettledStatus>();

  /** `remembers: false`: nothing is ever settled; the tests compare the two. */
  constructor(remembers: boolean) {
    this.remembers = remembers;
  }

  /** The Pod's own. The same one for each call. */
  of({ identity }: PodInput): SettledStatus {
    let status = this.statuses.get(identity);
    if (!status) {
      status = new SettledStatus(this.remembers);
      this.statuses.set(identity, status);
    }
    return status;
  }

  outdate({ identity }: PodInput): void {
    this.statuses.get(identity)?.outdate();
  }
}
