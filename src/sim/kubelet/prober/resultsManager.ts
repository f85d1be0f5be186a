import type { MicrosSpan } from '../../../base/units.ts';
import type { PodInput, ProbeKind } from '../../scenario.ts';
import type { Ref } from '../../trace/ref.ts';
import { type KubeletContext, subjectOf } from '../context.ts';
import type { SettledStatuses } from '../status/settledStatuses.ts';
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

const NO_TRANSIT = 0 as MicrosSpan;

/**
 * The three results managers: the last result of each container and probe kind.
 * Only a changed result is sent on; the channel never fills here, as the syncLoop's handlers take no time.
 *
 * Source: pkg/kubelet/prober/results/results_manager.go (K-160, K-161).
 */
export class ResultsManager {
  private readonly context: KubeletContext;
  private readonly settled: SettledStatuses;
  /** By container id. */
  private readonly results: Readonly<Record<ProbeKind, Map<string, ProbeResult>>> = {
    startup: new Map(),
    readiness: new Map(),
    liveness: new Map(),
  };
  private readonly send: (update: ResultUpdate) => void;

  constructor(context: KubeletContext, settled: SettledStatuses, send: (update: ResultUpdate) => void) {
    this.context = context;
    this.settled = settled;
    this.send = send;
  }

  get(kind: ProbeKind, containerID: string): ProbeResult | undefined {
    return this.results[kind].get(containerID);
  }

  set(pod: PodInput, container: string, kind: ProbeKind, containerID: string, result: ProbeResult, cause: Ref): void {
    const was = this.results[kind].get(containerID);
    if (was === result) return;
    this.results[kind].set(containerID, result);
    this.settled.outdate(pod);
    const { trace, kernel, hops } = this.context;
    const subject = subjectOf(this.context, 'results', pod, container, kind);
    const ref = trace.event('resultSet', kernel.now, subject, { id: containerID, result, was: was ?? '' }, [cause]);
    const update: ResultUpdate = { pod, kind, containerID, result, ref };
    const transit = hops.next('probeResult', pod.identity, kernel.now, NO_TRANSIT);
    if (transit > 0) kernel.after(transit, 'kubelet', () => this.send(update));
    else this.send(update);
  }

  /** Forgets a result; nobody is told. */
  remove(pod: PodInput, container: string, kind: ProbeKind, containerID: string, cause: Ref): void {
    if (!this.results[kind].delete(containerID)) return;
    this.settled.outdate(pod);
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
