/** The syncLoop and the pod workers: when passes come. */
import { group } from 'd3-array';
import { MICROS_PER_SECOND } from '../../../src/base/units.ts';
import type { PodInput } from '../../../src/sim/scenario.ts';
import type { TraceEvent } from '../../../src/sim/trace/reader.ts';
import { type Findings, type Invariant, pairs } from '../invariant.ts';
import { isStoppedBy } from '../lives.ts';
import { allContainers, concerns, type Observation, place, sameRef } from '../observation.ts';

const RELIST_PERIOD = MICROS_PER_SECOND;
const WORK = ['sync', 'terminating', 'terminated'];

/** Passes of one Pod in one kubelet process, each list in order. */
function passesOf(run: Observation): readonly (readonly TraceEvent<'syncPod'>[])[] {
  return [...group(run.of('syncPod'), ({ subject, at }) => `${subject.pod}/${run.process(subject.node, at)}`).values()];
}
const neighbours = (run: Observation) => passesOf(run).flatMap((passes) => pairs(passes));
const wakeOf = (run: Observation, pass: TraceEvent): TraceEvent<'podWorkerWake'> | undefined =>
  run.causes(pass).find((cause): cause is TraceEvent<'podWorkerWake'> => cause.kind === 'podWorkerWake');

/** The longest that a worker waits for a view: one cycle of relists, moved by relists on demand. */
const longestWait = ({ scenario: { latency, pods } }: Observation): number =>
  RELIST_PERIOD + latency.plegRelist + (pods.length + 1) * (latency.plegRelist + latency.plegRelistPod);

export const POD_WORKER_INVARIANTS: readonly Invariant[] = [
  {
    name: 'two passes of a Pod never overlap (K-030)',
    check: (run, find) => {
      for (const [pass, next] of neighbours(run))
        find.that(pass.end <= next.at, () => `${place(next)}: the pass of ${pass.at} ends at ${pass.end}`);
    },
  },
  {
    name: 'any number of requests during a pass cost exactly one more (K-032)',
    check: (run, find) => {
      for (const [pass, next] of neighbours(run)) {
        const wake = wakeOf(run, next);
        find.that(wake !== undefined && wake.at >= pass.end, () => `${place(next)}: woken at ${wake?.at}`);
      }
      const woken = new Set(run.of('syncPod').map((pass) => wakeOf(run, pass)?.ref.row));
      find.that(woken.size === run.of('syncPod').length, () => 'two passes of one wake-up');
    },
  },
  {
    name: 'a Pod is synced, then terminating, then terminated once: work never goes back (K-031, K-052)',
    check: (run, find) => {
      for (const passes of passesOf(run)) {
        for (const [pass, next] of pairs(passes)) {
          const [was, is] = [pass, next].map(({ payload }) => WORK.indexOf(payload.work)) as [number, number];
          const isForward = was === 0 ? is >= 0 : is === was + 1;
          find.that(isForward && is - was < 2, () => `${place(next)}: ${next.payload.work} after ${pass.payload.work}`);
        }
      }
    },
  },
  {
    name: 'a pass sees all that the passes before it did (K-099)',
    check: (run, find) => {
      for (const [before, pass] of neighbours(run)) {
        const pod = run.pod(pass.subject.pod);
        const seenAt = pass.at + run.scenario.latency.syncPod;
        if (seenAt >= run.horizon || !run.isUp(pod.node, pass.at, seenAt) || pass.payload.work !== 'sync') continue;
        const status = run.cached(pod).findLast(({ at }) => at <= seenAt)?.status;
        for (const { name, attempt, startedAt } of run.instances.filter((one) => one.pod === pod)) {
          // What happens in the very instant of the view may be in it or not.
          if (startedAt > before.end || startedAt === pass.at || !status) continue;
          const seen = allContainers({ status }).find((one) => one.name === name)?.restartCount ?? -1;
          find.that(seen >= attempt, () => `${place(pass)}: ${name} ${attempt} started at ${startedAt}, seen ${seen}`);
        }
      }
    },
  },
  {
    name: 'a pass that did nothing is followed by one only after another relist, within its period (K-096, K-099)',
    check: (run, find) => {
      const { plegRelist, syncPod } = run.scenario.latency;
      // Where nothing takes time, a relist may fall on the instant in which a pass ends, and is new enough.
      const isQuick = plegRelist === 0 || syncPod === 0;
      for (const [before, pass] of neighbours(run)) {
        const wake = wakeOf(run, pass);
        if (!wake) continue;
        const didSomething = before.payload.work === 'sync' && actionsOf(run, before) > 0;
        find.that(
          pass.at > before.end || didSomething || isQuick,
          () => `${place(pass)}: at once after a pass that did nothing`,
        );
        find.that(pass.at - wake.at <= longestWait(run), () => `${place(pass)}: woken at ${wake.at}`);
      }
    },
  },
  {
    name: 'the next pass is queued 60 to 90 s ahead, 10 to 15 s after an error, at once between phases (K-040)',
    check: (run, find) => {
      const { syncFrequencySeconds } = run.scenario.kubelet;
      const base: Readonly<Record<string, number>> = { resync: syncFrequencySeconds, error: 10, 'phase transition': 0 };
      for (const requeue of run.of('requeue')) {
        const { reason, delay } = requeue.payload;
        const from = (base[reason] ?? Number.NaN) * MICROS_PER_SECOND;
        if (reason === 'back-off') continue;
        find.that(
          delay >= from && (delay < from * 1.5 || delay === 0),
          () => `${place(requeue)}: ${reason} in ${delay}`,
        );
      }
    },
  },
  {
    name: 'a crash retry is queued 1 to 1.5 times what is left of the earliest back-off, at most 60 s (K-040)',
    check: (run, find) => {
      for (const requeue of run.of('requeue').filter(({ payload }) => payload.reason === 'back-off')) {
        const pass = run.ancestor(requeue, 'syncPod');
        const refused = run.of('backOff').filter((one) => pass && isBehind(run, one, pass));
        const ends = refused.map((one) => {
          const exits = run.instances.filter(
            (i) =>
              i.pod.identity === one.subject.pod &&
              i.name === one.subject.container &&
              i.exitedAt <= one.at &&
              !isStoppedBy(run, i, pass),
          );
          return Math.max(...exits.map(({ exitedAt }) => exitedAt)) + backOffOf(one.payload.message);
        });
        const left = Math.min(Math.max(Math.min(...ends) - requeue.at, 0), 60 * MICROS_PER_SECOND);
        const { delay } = requeue.payload;
        find.that(delay >= left && delay <= left * 1.5, () => `${place(requeue)}: in ${delay}, left ${left}`);
      }
    },
  },
  {
    name: 'a queued pass comes on the first 1 s tick after it is due, unless another pass has queued anew (K-042)',
    check: (run, find) => {
      for (const pod of run.pods) checkQueue(run, pod, find);
    },
  },
  {
    name: 'that a container has ended is seen within the period of relists (K-091, K-101)',
    check: (run, find) => {
      for (const { id, pod, name, exitedAt } of run.instances) {
        const by = exitedAt + longestWait(run);
        const isKnown = run.removedAt(pod) > by;
        if (!(by < run.horizon) || !isKnown || !run.isUp(pod.node, pod.createdAt, by)) continue;
        const died = run
          .of('syncLoop')
          .find(({ payload, at }) => payload.op === 'ContainerDied' && payload.id === id && at >= exitedAt && at <= by);
        find.that(died !== undefined, () => `${exitedAt} ${pod.name} ${name}: not seen by ${by}`);
      }
    },
  },
  {
    name: 'nothing is started for a Pod that is terminating (K-048, K-065)',
    check: (run, find) => {
      const passes = passesOf(run).flatMap((list) => list.filter(({ payload }) => payload.work !== 'sync').slice(0, 1));
      for (const started of [...run.of('createContainer'), ...run.of('runPodSandbox')]) {
        const by = run.ancestor(started, 'syncPod');
        const ending = passes.find(({ subject, at }) => subject.pod === started.subject.pod && at < (by?.at ?? 0));
        const isLater =
          ending && by && run.process(ending.subject.node, ending.at) === run.process(by.subject.node, by.at);
        find.that(by?.payload.work === 'sync' && !isLater, () => `${place(started)}: terminating since ${ending?.at}`);
      }
    },
  },
];

/** How many actions on the runtime a pass took, attempts that the back-off refused among them. */
function actionsOf(run: Observation, pass: TraceEvent<'syncPod'>): number {
  const actions = [
    ...run.of('createContainer'),
    ...run.of('runPodSandbox'),
    ...run.of('killContainer'),
    ...run.of('stopPodSandbox'),
  ];
  return actions.filter((action) => isBehind(run, action, pass)).length;
}

/** Whether an event is something that the pass did. */
function isBehind(run: Observation, event: TraceEvent, pass: TraceEvent<'syncPod'>): boolean {
  const found = run.ancestor(event, 'syncPod');
  return found !== null && sameRef(found.ref, pass.ref);
}

/** The length in `back-off 2m40s restarting …`, µs. */
export function backOffOf(message: string): number {
  const [, minutes = '0', seconds = '0'] = /^back-off (?:(\d+)m)?(\d+)s /.exec(message) ?? [];
  return (Number(minutes) * 60 + Number(seconds)) * MICROS_PER_SECOND;
}

function checkQueue(run: Observation, pod: PodInput, find: Findings): void {
  const queued = run.of('requeue').filter(({ subject }) => subject.pod === pod.identity);
  const ticks = run
    .of('syncLoop')
    .filter(
      ({ payload, subject }) => payload.channel === 'sync' && subject.node === pod.node && concerns(payload, pod),
    );
  for (const [i, requeue] of queued.entries()) {
    const due = requeue.at + requeue.payload.delay;
    const latest = due + MICROS_PER_SECOND;
    const again = queued[i + 1]?.at ?? Number.POSITIVE_INFINITY;
    const isLeft = again <= latest || run.removedAt(pod) <= latest || latest >= run.horizon;
    if (isLeft || !run.isUp(pod.node, requeue.at, latest)) continue;
    const tick = ticks.find(({ at }) => at > due && at <= latest);
    find.that(tick !== undefined, () => `${place(requeue)}: due at ${due}, ticks ${ticks.map(({ at }) => at)}`);
  }
}
