import { later, MICROS_PER_SECOND, type Micros, type MicrosSpan } from '../../../base/units.ts';
import { timeoutMessage } from '../../facts.ts';
import type { Timer } from '../../kernel/kernel.ts';
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
  /** Message of the Unhealthy event; null after a success. */
  readonly unhealthy: string | null;
}

/** K-135. */
const MAX_TRIES = 3;
const TITLE: Readonly<Record<ProbeKind, string>> = { startup: 'Startup', readiness: 'Readiness', liveness: 'Liveness' };

/**
 * Runs one attempt: up to three executions, one after another, while they end in an *error*.
 *
 * The step of the app's script that holds when an execution starts decides its outcome; a process that ends takes its
 * commands with it. `at` is when the attempt began: now, or before for one that was found under way.
 *
 * Source: pkg/kubelet/prober/prober.go, probe and runProbeWithRetries (K-135, K-136); pkg/probe/exec (K-140).
 */
export function runAttempt(
  { kernel }: KubeletContext,
  runtime: ContainerRuntime,
  containerID: string,
  kind: ProbeKind,
  spec: ProbeSpec,
  at: Micros,
  done: (attempt: Attempt) => void,
): void {
  const tries: Try[] = [];
  const tryEnds: Micros[] = [];
  const ended = (how: Try, answer: Answer | null): void => {
    tries.push(how);
    tryEnds.push(kernel.now);
    if (how === 'error' && tries.length < MAX_TRIES) execute(kernel.now);
    else done({ result: resultOf(how), tries, tryEnds, unhealthy: unhealthyMessage(kind, spec, how, answer) });
  };
  const execute = (began: Micros): void => {
    const process = runtime.processes.of(containerID);
    if (!process) {
      ended('error', null);
      return;
    }
    const answer = process.answer(kind, began);
    const timeout = spec.timeoutSeconds * MICROS_PER_SECOND;
    const cut = answer.takes >= timeout;
    let timer: Timer | null = null;
    const killed = kernel.guard(() => {
      if (timer) timer.cancelled = true;
      ended('killed', answer);
    });
    const stopListening = runtime.processes.onceExited(containerID, began, killed);
    timer = kernel.at(later(began, (cut ? timeout : answer.takes) as MicrosSpan), 'probeWorker', () => {
      stopListening();
      ended(cut ? 'timeout' : answer.outcome, answer);
    });
  };
  execute(at);
}

const resultOf = (how: Try): AttemptResult => (how === 'success' || how === 'error' ? how : 'failure');

function unhealthyMessage(kind: ProbeKind, spec: ProbeSpec, how: Try, answer: Answer | null): string | null {
  const title = TITLE[kind];
  switch (how) {
    case 'success':
      return null;
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
