import type { Budget, PathPart } from '../../../src/explain/hops.ts';
import type { EventRef } from '../../../src/sim/trace/kinds.ts';
import { type Invariant, pairs } from '../invariant.ts';
import type { PathObservation } from '../pathObservation.ts';

const about = ({ direction, path, node }: Budget): string => `${direction} of ${path.pod} on ${node}`;

const ORDER: readonly PathPart[] = [1, 2, 'gate', 3, 4, 5, 'fallback', 6, 7];
const placeOf = (part: PathPart): number => ORDER.indexOf(part);

/** The critical path. */
export const BUDGET_INVARIANTS: readonly Invariant<PathObservation>[] = [
  {
    name: 'the critical path is gapless, in order, and its hops add up',
    check: (run, find) => {
      for (const budget of run.budgets) {
        const { hops, from, to, end } = budget;
        find.that(hops[0]?.from === from && hops.at(-1)?.to === to, () => `${about(budget)}: ends`);
        for (const [first, second] of pairs(hops))
          find.that(
            placeOf(first.hop) < placeOf(second.hop) && first.to === second.from,
            () => `${about(budget)}: ${first.hop}, ${second.hop}`,
          );
        find.that(to === null ? end <= run.horizon : end === to, () => `${about(budget)}: end ${end}`);
        const sum = hops.reduce((whole, hop) => whole + ((hop.to ?? end) - hop.from), 0);
        find.that(sum === end - from, () => `${about(budget)}: ${sum} of ${end - from}`);
        const shares = hops.reduce((whole, { share }) => whole + share, 0);
        if (end > from) find.that(Math.abs(shares - 1) < 1e-9, () => `${about(budget)}: shares ${shares}`);
      }
    },
  },
  {
    name: 'a hop lies between two events of the trace',
    check: (run, find) => {
      const isAt = (ref: EventRef, at: number): boolean => {
        const event = run.reader.event(ref);
        return event.at === at || event.end === at;
      };
      for (const budget of run.budgets)
        for (const { hop, from, to, start, end } of budget.hops) {
          find.that(isAt(start, from), () => `${about(budget)}: hop ${hop} from ${from}`);
          if (to !== null && to > from && end !== null)
            find.that(isAt(end, to), () => `${about(budget)}: hop ${hop} to ${to}`);
        }
    },
  },
  {
    name: 'who joins is in the rules at the end of hop 6, and who leaves is not (P-050)',
    check: (run, find) => {
      for (const budget of run.budgets) {
        const pod = run.pods.find(({ identity }) => identity === budget.path.pod);
        const sync = budget.hops.find(({ hop }) => hop === 6);
        if (pod === undefined || sync === undefined || sync.end === null || sync.to === null || sync.to === sync.from)
          continue;
        const isIn = budget.direction === 'joining';
        find.that(run.holds(budget.node, pod, sync.to) === isIn, () => `${about(budget)} at ${sync.to}`);
      }
    },
  },
  {
    name: 'who is kept as a fall-back is in the rules all the while, and serves while it terminates (P-051)',
    check: (run, find) => {
      for (const budget of run.budgets) {
        const pod = run.pods.find(({ identity }) => identity === budget.path.pod);
        const kept = budget.hops.find(({ hop }) => hop === 'fallback');
        if (pod === undefined || kept === undefined) continue;
        const last = (kept.to ?? budget.end) - 1;
        if (last < kept.from) continue;
        const endpoint = run.endpointAt(pod, last);
        find.that(endpoint === 'serving, terminating', () => `${about(budget)}: ${endpoint} at ${last}`);
        find.that(run.holds(budget.node, pod, last), () => `${about(budget)}: not in the rules at ${last}`);
      }
    },
  },
  {
    name: 'while somebody waits for a readiness gate the kubelet does not say Ready (K-187)',
    check: (run, find) => {
      for (const budget of run.budgets) {
        const wait = budget.hops.find(({ hop }) => hop === 'gate');
        const { statusVersion } = budget.path.joining;
        if (wait === undefined) continue;
        const end = wait.to ?? budget.end;
        find.that(statusVersion === null || statusVersion.at >= end, () => `${about(budget)}: Ready before ${end}`);
      }
    },
  },
  {
    name: 'the first request that a joining Pod serves comes after the rules hold it (P-054)',
    check: (run, find) => {
      for (const { pod, joining } of run.paths)
        for (const { node, rulesInForce, firstServed } of joining.nodes)
          if (firstServed !== null)
            find.that(rulesInForce !== null && rulesInForce.at <= firstServed.at, () => `${pod} on ${node}`);
    },
  },
];
