/** Why the rules send connections to a Pod whose app does not answer: the party that has not spoken yet. */
import { memoizedWeakly } from '../base/memoized.ts';
import type { Micros } from '../base/units.ts';
import { PROBE_KINDS, servingContainersOf } from '../sim/scenario.ts';
import { conditionOf, podStatusOf } from '../sim/trace/podObject.ts';
import { isFallbackAt } from './fallback.ts';
import type { HopNumber } from './hops.ts';
import { answerSteps, apiCommits, attemptBehind, type PathSubject, podEvents } from './pathSubject.ts';

export type Held =
  /** `hop` is under way since `since`: what came before it says already that the Pod should go. */
  | { readonly kind: 'late'; readonly hop: HopNumber; readonly since: Micros }
  /** It is being deleted and still serving, and no ready endpoint is left (P-051). */
  | { readonly kind: 'fallback' }
  /** publishNotReadyAddresses. */
  | { readonly kind: 'published' }
  /** The client keeps a connection open since `since`, whatever the rules say now (T-012). */
  | { readonly kind: 'connection'; readonly since: Micros }
  /**
   * The slice is without it since `since`, and no rules decide: the client has its address from DNS, watches slices
   * itself, or sends packets of a flow that its node tracks (T-002, T-005, T-011).
   */
  | { readonly kind: 'name' | 'watcher' | 'flow'; readonly since: Micros }
  /** Its node cannot be reached, and has not been silent for long enough. */
  | { readonly kind: 'silent' }
  /** No readiness probe asks the app. */
  | { readonly kind: 'unasked' }
  /** Probes ask, and go on succeeding. */
  | { readonly kind: 'unnoticed' }
  /** The app answers in general; this request was its loss alone. */
  | { readonly kind: 'answering' };

/** From `at` on it is so. */
interface Step<T> {
  readonly at: Micros;
  readonly is: T;
}

/** Read once for each Pod. */
const stepsOf = memoizedWeakly((subject: PathSubject) => {
  const { reader } = subject.run;
  const results = podEvents(subject, 'resultSet');
  return {
    answers: answerSteps(subject).map(({ at, answers }): Step<boolean> => ({ at, is: answers })),
    api: apiCommits(subject).map(({ at, fits }): Step<boolean> => ({ at, is: fits })),
    kubelet: podEvents(subject, 'statusSet').map(
      ({ at, payload: { object } }): Step<boolean> => ({
        at,
        is: object >= 0 && conditionOf(podStatusOf(reader, object), 'Ready')?.status === 'True',
      }),
    ),
    results: servingContainersOf(subject.pod).flatMap(({ name }) =>
      PROBE_KINDS.map((kind) =>
        results
          .filter(({ subject: { container, probe } }) => container === name && probe === kind)
          .map(({ at, payload }): Step<boolean> => ({ at, is: payload.result !== 'failure' })),
      ),
    ),
    decided: results.flatMap((event) => {
      const attempt = event.payload.result === 'failure' ? attemptBehind(subject, event) : null;
      return attempt === null ? [] : [attempt];
    }),
    runs: [
      ...podEvents(subject, 'startContainer', subject.container).map(
        ({ end }): Step<boolean> => ({ at: end, is: true }),
      ),
      ...podEvents(subject, 'containerExit', subject.container).map(({ at }): Step<boolean> => ({ at, is: false })),
    ].sort((a, b) => a.at - b.at),
  };
});

/** Since when it has not been so at `t`; null where it is so, or nothing is known. */
function notSince(steps: readonly Step<boolean>[], t: Micros): Micros | null {
  const index = steps.findLastIndex(({ at }) => at <= t);
  if (index < 0 || steps[index]?.is) return null;
  const before = steps.findLastIndex(({ is }, i) => i < index && is);
  return steps[before + 1]?.at ?? null;
}

const firstOf = (times: readonly (Micros | null)[]): Micros | null =>
  times.reduce((first, at) => (first === null || (at !== null && at < first) ? at : first), null);

/** A request by the rules of `node` that starts at `at` and is over at `end`. The parties are asked from the rules inwards. */
export function heldAt(subject: PathSubject, node: string, at: Micros, end: Micros): Held {
  const { history, publishesNotReady, pod } = subject;
  const { answers, api, kubelet, results, runs, decided } = stepsOf(subject);
  const slice = history.steps.findLast((step) => step.at <= at);
  if (slice !== undefined && slice.state !== 'ready') {
    if (isFallbackAt(subject, node, at)) return { kind: 'fallback' };
    const first = history.steps.findLastIndex((step) => step.at <= at && step.state === 'ready') + 1;
    return { kind: 'late', hop: 6, since: history.steps[first]?.at ?? slice.at };
  }
  if (publishesNotReady) return { kind: 'published' };
  const late: readonly (readonly [HopNumber, Micros | null])[] = [
    [5, notSince(api, at)],
    [4, notSince(kubelet, at)],
    [3, firstOf([...results, runs].map((steps) => notSince(steps, at)))],
  ];
  const found = late.find(([, since]) => since !== null);
  if (found?.[1]) return { kind: 'late', hop: found[0], since: found[1] };
  const silent = notSince(answers, end) ?? (answers.some((step) => step.at <= end) ? null : at);
  if (silent === null) return { kind: 'answering' };
  const back = answers.find((step) => step.at > end && step.is)?.at ?? Number.POSITIVE_INFINITY;
  const deciding = decided.find((attempt) => attempt.end > at && attempt.end <= back);
  if (deciding !== undefined) return { kind: 'late', hop: deciding.start <= at ? 2 : 1, since: silent };
  const isAsked = servingContainersOf(pod).some(({ probes }) => probes.readiness !== null);
  return { kind: isAsked ? 'unnoticed' : 'unasked' };
}
