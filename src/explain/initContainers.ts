/** Which init container the others wait for, by what the runtime has done with it. */
import type { Micros } from '../base/units.ts';
import type { PodInput } from '../sim/scenario.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { eventsOfKind, subjectsOfPod } from './lookUp.ts';
import { backOffAt } from './nextTry.ts';

/** The first that has not ended well, of those that run to their end. */
export interface PendingInit {
  readonly container: string;
  readonly state: 'waiting' | 'running' | 'failed';
  /** Of `failed`. */
  readonly exitCode: number;
  /** Null for one that has never run. */
  readonly since: Micros | null;
  /** End of the back-off; null when it waits for none. */
  readonly notBefore: Micros | null;
}

const plainOf = ({ initContainers }: PodInput): readonly string[] =>
  initContainers.filter(({ isSidecar }) => !isSidecar).map(({ name }) => name);

/** From `at` on a container is so; by time. */
interface Step {
  readonly at: Micros;
  readonly state: PendingInit['state'] | 'done';
  readonly exitCode: number;
}

function stepsOf({ reader }: FinishedRun, pod: PodInput, name: string): readonly Step[] {
  const subjects = subjectsOfPod(reader, pod.identity, ({ container }) => container === name);
  const started = eventsOfKind(reader, subjects, 'startContainer')
    .filter(({ end }) => end < reader.data.horizon)
    .map(({ end }): Step => ({ at: end, state: 'running', exitCode: 0 }));
  const exited = eventsOfKind(reader, subjects, 'containerExit').map(
    ({ at, payload: { exitCode } }): Step => ({ at, state: exitCode === 0 ? 'done' : 'failed', exitCode }),
  );
  return [...started, ...exited].sort((a, b) => a.at - b.at);
}

/** Null when all have ended well at `at`, or the Pod has none. A sidecar before it in the list is not looked at. */
export function pendingInit(run: FinishedRun, pod: PodInput, at: Micros): PendingInit | null {
  for (const container of plainOf(pod)) {
    const last = stepsOf(run, pod, container).findLast((step) => step.at <= at);
    const state = last?.state ?? 'waiting';
    if (state === 'done') continue;
    const { exitCode = 0, at: since = null } = last ?? {};
    return { container, state, exitCode, since, notBefore: backOffAt(run, pod, container, at) };
  }
  return null;
}

/** Instants at which `pendingInit` may change; empty for a Pod without such containers. */
export const initSteps = (run: FinishedRun, pod: PodInput): readonly Micros[] =>
  plainOf(pod).flatMap((container) => stepsOf(run, pod, container).map(({ at }) => at));

export const hasInit = (pod: PodInput): boolean => plainOf(pod).length > 0;
