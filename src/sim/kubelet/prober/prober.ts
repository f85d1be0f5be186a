import { later, MICROS_PER_SECOND, type Micros, type MicrosSpan } from '../../../base/units.ts';
import { timeoutMessage } from '../../facts.ts';
import type { Gate, Timer } from '../../kernel/kernel.ts';
import type { Answer, ProbeKind, ProbeSpec } from '../../scenario.ts';
import type { KubeletContext } from '../context.ts';
import type { ContainerRuntime } from '../runtime/containerRuntime.ts';
import type { AttemptResult } from './probeWorkerMachine.ts';

/** How one execution ended. */
export type Try = 'success' | 'failure' | 'timeout' | 'error' | 'killed';

/** What an attempt came to. */
export interface Attempt {
  readonly result: AttemptResult;
  readonly tries: readonly Try[];
  /** When each execution ended, µs. */
  readonly tryEnds: readonly Micros[];
  /** The event that it makes; null after a plain success. */
  readonly event: { readonly reason: 'Unhealthy' | 'ProbeWarning'; readonly message: string } | null;
}

/** What is asked of whom. */
export interface Probe {
  readonly containerID: string;
  readonly kind: ProbeKind;
  readonly spec: ProbeSpec;
  /** When the attempt began: now, or before for one that was found under way. */
  readonly at: Micros;
  /** Opens when executions are cancelled; null when they cannot be. */
  readonly cancelled: Gate | null;
}

/** K-135. */
const MAX_TRIES = 3;
/** What the runtime's client says of a call whose context was cancelled. */
const CANCELLED: Answer = {
  outcome: 'error',
  takes: 0,
  message: 'rpc error: code = Canceled desc = context canceled',
};
const TITLE: Readonly<Record<ProbeKind, string>> = { startup: 'Startup', readiness: 'Readiness', liveness: 'Liveness' };

/**
 * Runs one attempt: up to three executions, one after another, while they end in an *error*.
 *
 * The step of the app's script that holds when an execution starts decides its outcome; a process that ends takes its
 * commands with it.
 *
 * Source: pkg/kubelet/prober/prober.go, probe and runProbeWithRetries (K-135, K-136); pkg/probe/exec (K-140).
 */
export function runAttempt(
  { kernel }: KubeletContext,
  runtime: ContainerRuntime,
  { containerID, kind, spec, at, cancelled }: Probe,
  done: (attempt: Attempt) => void,
): void {
  let tries: readonly Try[] = [];
  let tryEnds: readonly Micros[] = [];
  const ended = (how: Try, answer: Answer | null): void => {
    tries = [...tries, how];
    tryEnds = [...tryEnds, kernel.now];
    if (how === 'error' && tries.length < MAX_TRIES) execute(kernel.now);
    else done({ result: resultOf(how), tries, tryEnds, event: eventOf(kind, spec, how, answer) });
  };
  const execute = (began: Micros): void => {
    const process = runtime.processes.of(containerID);
    if (!process || cancelled?.isOpen) {
      ended('error', process ? CANCELLED : null);
      return;
    }
    const answer = process.answer(kind, began);
    const timeout = spec.timeoutSeconds * MICROS_PER_SECOND;
    const cut = answer.takes >= timeout;
    let timer: Timer | null = null;
    const cutBy = (how: 'killed' | 'error', answer: Answer): (() => void) =>
      kernel.guard(() => {
        if (!timer) return;
        timer.cancelled = true;
        timer = null;
        stopListening();
        ended(how, answer);
      });
    const stopListening = runtime.processes.onceExited(containerID, began, cutBy('killed', answer));
    cancelled?.wait(cutBy('error', CANCELLED));
    timer = kernel.at(later(began, (cut ? timeout : answer.takes) as MicrosSpan), 'probeWorker', () => {
      timer = null;
      stopListening();
      ended(cut ? 'timeout' : tryOf(answer), answer);
    });
  };
  execute(at);
}

const tryOf = ({ outcome }: Answer): Try => (outcome === 'warning' ? 'success' : outcome);
const resultOf = (how: Try): AttemptResult => (how === 'success' || how === 'error' ? how : 'failure');

function eventOf(kind: ProbeKind, spec: ProbeSpec, how: Try, answer: Answer | null): Attempt['event'] {
  if (how !== 'success') return { reason: 'Unhealthy', message: unhealthyMessage(kind, spec, how, answer) };
  if (answer?.outcome !== 'warning') return null;
  return { reason: 'ProbeWarning', message: `${TITLE[kind]} probe warning: ${answer.message}` };
}

function unhealthyMessage(
  kind: ProbeKind,
  spec: ProbeSpec,
  how: Exclude<Try, 'success'>,
  answer: Answer | null,
): string {
  const title = TITLE[kind];
  switch (how) {
    case 'error':
      return `${title} probe errored and resulted in unknown state: ${answer?.message ?? 'rpc error: code = Unknown desc = container is in exited state'}`;
    case 'timeout':
      return `${title} probe failed: ${cutMessage(spec, answer)}`;
    case 'killed':
      return `${title} probe failed: `;
    case 'failure':
      return `${title} probe failed: ${answer?.message ?? ''}`;
  }
}

/** An answer that never comes may say why: a closed gRPC port is redialled until the timeout (K-148). */
const cutMessage = ({ handler, timeoutSeconds }: ProbeSpec, answer: Answer | null): string =>
  answer?.takes === Number.POSITIVE_INFINITY && answer.message !== ''
    ? answer.message
    : timeoutMessage(handler, timeoutSeconds);
