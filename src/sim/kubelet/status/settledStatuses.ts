import type { ApiPod } from '../../api/apiPod.ts';
import type { PodStatus } from '../../api/podStatus.ts';
import type { PodInput } from '../../scenario.ts';
import type { RuntimePod } from '../runtime/containerRuntime.ts';

/** What a status is made of, beside probe results, probe workers and reasons for waiting. */
export interface StatusInputs {
  readonly view: RuntimePod;
  /** The cached status, else the API's. */
  readonly old: PodStatus | undefined;
  /** The pod manager's object. */
  readonly stored: ApiPod | undefined;
  readonly podIsTerminal: boolean;
}

/**
 * Of which Pods making the status once more would change nothing, as most passes find nothing new. Whatever else goes
 * into a status calls `outdate` when it changes, and so does making one that had an effect.
 */
export class SettledStatuses {
  private readonly madeOf = new Map<string, StatusInputs>();

  isSettled({ identity }: PodInput, { view, old, stored, podIsTerminal }: StatusInputs): boolean {
    const made = this.madeOf.get(identity);
    return (
      made !== undefined &&
      made.view === view &&
      made.old === old &&
      made.stored === stored &&
      made.podIsTerminal === podIsTerminal
    );
  }

  /** A status is made of `inputs`: it is settled unless somebody says otherwise. */
  settle({ identity }: PodInput, inputs: StatusInputs): void {
    this.madeOf.set(identity, inputs);
  }

  outdate({ identity }: PodInput): void {
    this.madeOf.delete(identity);
  }
}
