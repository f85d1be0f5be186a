/** What attempts add up to, and whom it is told. The counting is done here a second time, from the rules alone. */
import type { ProbeKind } from '../../../src/sim/scenario.ts';
import type { TraceEvent } from '../../../src/sim/trace/reader.ts';
import type { Invariant } from '../invariant.ts';
import type { WorkerLife } from '../lives.ts';
import { type Observation, place } from '../observation.ts';

const INITIAL: Readonly<Record<ProbeKind, string>> = { readiness: 'failure', liveness: 'success', startup: 'unknown' };

/** A turn, with the verdict that it must come to by K-130 to K-133. */
interface Judged {
  readonly turn: TraceEvent<'probeRun'>;
  /** success | failure; null below the threshold. */
  readonly verdict: string | null;
  /** The worker was on hold as the turn began, for the container of that id. */
  readonly onHoldFor: string | null;
}

function judge(run: Observation, { turns, probe, added }: WorkerLife): readonly Judged[] {
  const { successThreshold, failureThreshold } = run.probe(added);
  let last = 'success';
  let count = 0;
  let hold: string | null = null;
  return turns.map((turn) => {
    const { result, id } = turn.payload;
    const onHoldFor = hold;
    let verdict: string | null = null;
    if (result === 'success' || result === 'failure') {
      count = result === last ? count + 1 : 1;
      last = result;
      if (count >= (result === 'success' ? successThreshold : failureThreshold)) verdict = result;
    }
    if (verdict !== null && (probe === 'startup' || (probe === 'liveness' && verdict === 'failure'))) {
      hold = id;
      count = 0;
    } else if (turn.payload.outcome === 'attempt' || id !== hold) hold = null;
    return { turn, verdict, onHoldFor };
  });
}

/** Results as they were set by a turn, in order. */
const setBy = (run: Observation, turn: TraceEvent): readonly TraceEvent<'resultSet'>[] =>
  run.reader
    .effectsOf(turn.ref)
    .map((ref) => run.reader.event(ref))
    .filter((event): event is TraceEvent<'resultSet'> => event.kind === 'resultSet');

const UPDATE = { startup: 'setContainerStartup', readiness: 'setContainerReadiness', liveness: '' } as const;

export const RESULT_INVARIANTS: readonly Invariant[] = [
  {
    name: 'a result changes only with the verdict of enough equal attempts, a new container, or one that does not run (K-123, K-125, K-130 to K-132)',
    check: (run, find) => {
      for (const life of run.workers)
        for (const { turn, verdict } of judge(run, life))
          for (const set of setBy(run, turn)) {
            const { result, was } = set.payload;
            const isInitial = was === '' && result === INITIAL[life.probe];
            // The startup worker of a sidecar that has started counts it as a success first.
            const isSeeded = (was === '' || was === 'success') && life.probe === 'startup';
            const isDead = turn.payload.outcome === 'notRunning' && result === 'failure';
            const isAllowed = isInitial || isSeeded || isDead || result === verdict;
            find.that(isAllowed, () => `${place(set)}: ${was} to ${result}, verdict ${verdict}`);
          }
    },
  },
  {
    name: 'enough equal attempts always set the result (K-131, K-132)',
    check: (run, find) => {
      const changes = [...run.of('resultSet'), ...run.of('resultRemove')].sort(
        (a, b) => a.at - b.at || a.ref.row - b.ref.row,
      );
      for (const life of run.workers)
        for (const { turn, verdict } of judge(run, life)) {
          // What two turns do in one instant is told apart by nothing here.
          const isAlone = life.turns.every(
            (other) => other === turn || (other.at !== turn.end && other.end !== turn.end),
          );
          if (verdict === null || !isAlone) continue;
          const known = changes.findLast(
            (event) =>
              event.subject.pod === life.pod.identity &&
              event.subject.container === life.container &&
              event.subject.probe === life.probe &&
              event.payload.id === turn.payload.id &&
              event.at <= turn.end &&
              (event.kind === 'resultSet' || event.at < turn.end),
          );
          const result = known?.kind === 'resultSet' ? known.payload.result : '';
          find.that(result === verdict, () => `${place(turn)}: ${verdict} is due, the result is ${result}`);
        }
    },
  },
  {
    name: 'after a startup verdict or a failed liveness verdict nothing is probed until another container comes (K-124, K-133)',
    check: (run, find) => {
      for (const life of run.workers)
        for (const { turn, onHoldFor } of judge(run, life))
          if (onHoldFor === turn.payload.id)
            find.that(turn.payload.result === '', () => `${place(turn)}: on hold for ${onHoldFor}`);
    },
  },
  {
    name: 'the first result of a container is failure for readiness, success for liveness, unknown for startup, unless it is older than the kubelet (K-112, K-123)',
    check: (run, find) => {
      for (const set of run.of('resultSet').filter(({ payload }) => payload.was === '')) {
        const { node, pod, container, probe } = set.subject;
        const isYoung = run.process(node, set.at) === 0 && run.scenario.kubelet.processStart <= 0;
        const isSidecar = run.container(pod, container).isSidecar && probe === 'startup';
        const wanted = INITIAL[probe || 'startup'];
        if (isYoung)
          find.that(isSidecar || set.payload.result === wanted, () => `${place(set)}: ${set.payload.result}`);
      }
    },
  },
  {
    name: 'a result is set only when it differs from the stored one (K-160, K-161)',
    check: (run, find) => {
      const stored = new Map<string, string>();
      for (const event of run.events) {
        if (event.kind !== 'resultSet' && event.kind !== 'resultRemove') continue;
        const { node, probe } = event.subject;
        const key = `${node}/${run.process(node, event.at)}/${probe}/${event.payload.id}`;
        if (event.kind === 'resultRemove') stored.delete(key);
        else {
          const { result, was } = event.payload;
          const known = stored.get(key) ?? '';
          find.that(was === known && result !== was, () => `${place(event)}: ${was} to ${result}, stored ${known}`);
          stored.set(key, result);
        }
      }
    },
  },
  {
    name: 'a result is set by a turn of its worker (K-132)',
    check: (run, find) => {
      for (const set of run.of('resultSet')) {
        const [turn, ...others] = run.causes(set);
        const { pod, container, probe } = set.subject;
        const isOwn =
          turn?.kind === 'probeRun' &&
          turn.subject.pod === pod &&
          turn.subject.container === container &&
          turn.subject.probe === probe;
        find.that(isOwn && others.length === 0, () => `${place(set)}: set by ${turn?.kind}`);
      }
    },
  },
  {
    name: 'every changed result reaches the syncLoop, of liveness only a failure (K-016, K-160)',
    check: (run, find) => {
      for (const set of run.of('resultSet')) {
        const told = run.reader.effectsOf(set.ref).filter((ref) => run.reader.kindOf(ref.row) === 'syncLoop');
        const expected = set.subject.probe === 'liveness' && set.payload.result !== 'failure' ? 0 : 1;
        find.that(told.length === expected, () => `${place(set)}: ${told.length} messages`);
      }
    },
  },
  {
    name: 'a readiness result changes only ready, a startup result only started, of the container with that id (K-174, K-175)',
    check: (run, find) => {
      for (const pod of run.pods) {
        const versions = run.cached(pod);
        for (const [i, version] of versions.entries()) {
          const loop = run.ancestor(version.set, 'syncLoop');
          const channel =
            version.op === UPDATE.readiness ? 'readiness' : version.op === UPDATE.startup ? 'startup' : null;
          const before = versions[i - 1];
          if (!channel || !before || !loop) continue;
          const [set] = run.causes(loop);
          if (set?.kind !== 'resultSet') continue;
          const all = (status: typeof version.status) => [
            ...status.containerStatuses,
            ...(status.initContainerStatuses ?? []),
          ];
          const field = channel === 'readiness' ? 'ready' : 'started';
          const wanted = all(before.status).map((one) =>
            one.containerID === set.payload.id ? { ...one, [field]: set.payload.result === 'success' } : one,
          );
          find.that(
            JSON.stringify(all(version.status)) === JSON.stringify(wanted) && loop.payload.channel === channel,
            () => `${place(version.set)}: more than ${field} of ${set.payload.id}`,
          );
        }
      }
    },
  },
];
