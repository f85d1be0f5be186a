import type { PodInput, ProbeKind } from '../../scenario.ts';
import type { Ref } from '../../trace/ref.ts';
import { type KubeletContext, subjectOf } from '../context.ts';
import type { ProbeResult } from './probeWorkerMachine.ts';

/** What the syncLoop is told: a result that changed. */
export interface ResultUpdate {
  readonly pod: PodInput;
  readonly kind: ProbeKind;
  readonly containerID: string;
  readonly result: ProbeResult;
  /** The `resultSet` event. */
  readonly ref: Ref;
}

/**
 * The three results managers: the last result of each container and probe kind.
 * Only a changed result is sent on; the channel never fills here, as the syncLoop's handlers take no time.
 *
 * Source: pkg/kubelet/prober/results/results_manager.go (K-160, K-161).
 */
export class ResultsManager {
  private readonly context: KubeletContext;
  private readonly results = new Map<string, ProbeResult>();
  /** Counts changes of results. */
  changes = 0;
  private readonly send: (update: ResultUpdate) => void;

  constructor(context: KubeletContext, send: (update: ResultUpdate) => void) {
    this.context = context;
    this.send = send;
  }

  get(kind: ProbeKind, containerID: string): ProbeResult | undefined {
    return this.results.get(`${kind}/${containerID}`);
  }

  set(pod: PodInput, container: string, kind: ProbeKind, containerID: string, result: ProbeResult, cause: Ref): void {
    const key = `${kind}/${containerID}`;
    const was = this.results.get(key);
    if (was === result) return;
    this.results.set(key, result);
    this.changes++;
    const { trace, kernel } = this.context;
    const subject = subjectOf(this.context, 'results', pod, container, kind);
    const ref = trace.event('resultSet', kernel.now, subject, { id: containerID, result, was: was ?? '' }, [cause]);
    this.send({ pod, kind, containerID, result, ref });
  }

  /** Forgets a result; nobody is told. */
  remove(pod: PodInput, container: string, kind: ProbeKind, containerID: string, cause: Ref): void {
    if (!this.results.delete(`${kind}/${containerID}`)) return;
    this.changes++;
    const { trace, kernel } = this.context;
    trace.event(
      'resultRemove',
      kernel.now,
      subjectOf(this.context, 'results', pod, container, kind),
      { id: containerID },
      [cause],
    );
  }
}
