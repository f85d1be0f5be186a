import type { ApiPod } from '../../api/apiPod.ts';
import type { PodStatus } from '../../api/podStatus.ts';
import type { PodInput } from '../../scenario.ts';
import type { RuntimePod } from '../runtime/records.ts';

/** What a status is made of, beside probe results, probe workers and reasons for waiting. */
export interface StatusInputs {
  readonly view: RuntimePod;
  /** The cached status, else the API's. */
  readonly old: PodStatus | undefined;
  /** The pod manager's object. */
  readonly stored: ApiPod | undefined;
  readonly podIsTerminal: boolean;
}

/** The last status of a Pod. */
interface Made {
  readonly of: StatusInputs;
  /** The pass that made it had nothing to do. */
  isQuiet: boolean;
}

/**
 * Of which Pods making the status once more would change nothing, as most passes find nothing new. Whatever else goes
 * into a status calls `outdate` when it changes, and so does making one that had an effect. What a pass does about the
 * workers and containers of a Pod depends on the same, so that it is known as well when there is nothing to do.
 */
export class SettledStatuses {
  private readonly remembers: boolean;
  private readonly made = new Map<string, Made>();

  /** `remembers: false`: nothing is ever settled; the tests compare the two. */
  constructor(remembers: boolean) {
    this.remembers = remembers;
  }

  isSettled({ identity }: PodInput, { view, old, stored, podIsTerminal }: StatusInputs): boolean {
    const of = this.made.get(identity)?.of;
    return (
      of !== undefined &&
      of.view === view &&
      of.old === old &&
      of.stored === stored &&
      of.podIsTerminal === podIsTerminal
    );
  }

  /** A status is made of `inputs`: it is settled unless somebody says otherwise. */
  settle({ identity }: PodInput, inputs: StatusInputs): void {
    if (this.remembers) this.made.set(identity, { of: inputs, isQuiet: false });
  }

  /** Whether a pass that found the status settled has nothing to do. */
  isQuiet({ identity }: PodInput): boolean {
    return this.made.get(identity)?.isQuiet ?? false;
  }

  /** A pass had nothing to do. */
  quieten({ identity }: PodInput): void {
    const made = this.made.get(identity);
    if (made) made.isQuiet = true;
  }

  outdate({ identity }: PodInput): void {
    this.made.delete(identity);
  }
}
