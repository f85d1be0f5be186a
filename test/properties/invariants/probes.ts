/** Probe workers: when their turns come, and what a turn may do. */
import { MICROS_PER_SECOND } from '../../../src/base/units.ts';
import type { TraceEvent } from '../../../src/sim/trace/reader.ts';
import { type Invariant, pairs } from '../invariant.ts';
import type { WorkerLife } from '../lives.ts';
import { allContainers, type Observation, place } from '../observation.ts';

/** A whole attempt; what the horizon or the end of the kubelet cuts off has no result. */
const isAttempt = ({ payload }: TraceEvent<'probeRun'>): boolean => payload.result !== '';
const periodOf = (run: Observation, { added }: WorkerLife): number =>
  run.probe(added).periodSeconds * MICROS_PER_SECOND;
const sleepOf = (run: Observation, { added }: WorkerLife): number =>
  run.of('startSleep').find((sleep) => sleep.subjectIndex === added.subjectIndex && sleep.at === added.at)?.payload
    .length ?? 0;
/** Longer than any of the scenarios has from waking to acting: for a worker that never acted, µs. */
const LONGEST_DELAY = 5 * MICROS_PER_SECOND;
/** From waking to acting. */
const delayOf = (run: Observation, life: WorkerLife): number =>
  life.turns[0] ? life.turns[0].at - life.added.at - sleepOf(run, life) : LONGEST_DELAY;
/** Whole seconds from the start of a container, as the status keeps it, to an instant (K-127). */
function age(run: Observation, id: string, at: number): number {
  const startedAt = run.instances.find((instance) => instance.id === id)?.startedAt ?? Number.NaN;
  return Math.trunc((run.reader.data.wallClock + at) / MICROS_PER_SECOND - run.wallSecond(startedAt));
}

export const PROBE_INVARIANTS: readonly Invariant[] = [
  {
    name: 'a worker takes one turn at a time (K-115)',
    check: (run, find) => {
      for (const { turns } of run.workers)
        for (const [turn, next] of pairs(turns))
          find.that(turn.end <= next.at, () => `${place(next)}: the turn of ${turn.at} ends at ${turn.end}`);
    },
  },
  {
    name: 'a container and probe have at most one worker, and only where there is such a probe (K-110)',
    check: (run, find) => {
      for (const life of run.workers) {
        const { added, pod, container, probe } = life;
        const input = run.container(pod.identity, container);
        const isInit = pod.initContainers.includes(input);
        find.that(input.probes[probe] !== null && (!isInit || input.isSidecar), () => `${place(added)}: not probed`);
        const other = run.workers.find(
          (one) =>
            one !== life &&
            one.added.subjectIndex === added.subjectIndex &&
            one.added.at <= added.at &&
            one.added.ref.row < added.ref.row &&
            (one.exited?.at ?? Number.POSITIVE_INFINITY) > added.at &&
            run.process(pod.node, one.added.at) === run.process(pod.node, added.at),
        );
        find.that(!other, () => `${place(added)}: the worker of ${other?.added.at} is still there`);
      }
    },
  },
  {
    name: 'workers are made before a container is (K-046, K-110)',
    check: (run, find) => {
      for (const { created, pod } of run.instances) {
        const probed = [...pod.containers, ...pod.initContainers.filter(({ isSidecar }) => isSidecar)];
        for (const { name, probes } of probed)
          for (const [probe, spec] of Object.entries(probes)) {
            if (!spec) continue;
            const hasWorker = run.workers.some(
              (life) =>
                life.pod === pod &&
                life.container === name &&
                life.probe === probe &&
                life.added.at <= created.at &&
                run.process(pod.node, life.added.at) === run.process(pod.node, created.at),
            );
            find.that(hasWorker, () => `${place(created)}: no ${probe} worker of ${name} yet`);
          }
      }
    },
  },
  {
    name: 'a worker of an old kubelet starts at once, of a young one within its period (K-116)',
    check: (run, find) => {
      for (const sleep of run.of('startSleep')) {
        const period = run.probe(sleep).periodSeconds * MICROS_PER_SECOND;
        const starts = run.of('processStart').filter(({ subject }) => subject.node === sleep.subject.node);
        const start = starts.findLast(({ at }) => at <= sleep.at)?.at ?? run.scenario.kubelet.processStart;
        const { length } = sleep.payload;
        find.that(length < period && period > sleep.at - start, () => `${place(sleep)}: sleeps ${length} of ${period}`);
      }
    },
  },
  {
    name: 'a tick comes whole periods after the sleep or the last trigger, or is owed since the turn before (K-117, K-119)',
    check: (run, find) => {
      for (const life of run.workers) {
        const delay = delayOf(run, life);
        let anchor = life.added.at + sleepOf(run, life);
        for (const [before, turn] of pairs(life.turns)) {
          if (turn.payload.cause === 'manual') anchor = turn.at - delay;
          const isOnGrid = (turn.at - delay - anchor) % periodOf(run, life) === 0;
          find.that(isOnGrid || turn.at - delay === before.end, () => `${place(turn)}: off the grid of ${anchor}`);
        }
      }
    },
  },
  {
    name: 'a worker that has left takes no turn (K-118)',
    check: (run, find) => {
      for (const { exited, turns } of run.workers)
        if (exited)
          find.that(
            turns.every(({ at, end }) => at <= exited.at && end <= exited.at),
            () => `${place(exited)}: turns ${turns.map(({ at }) => at)}`,
          );
    },
  },
  {
    name: 'a worker that is told to stop takes only turns that are ready already, and leaves (K-115)',
    check: (run, find) => {
      for (const life of run.workers) {
        const stop = stopOf(run, life);
        if (!stop) continue;
        const delay = delayOf(run, life);
        const wakes = [life.added.at + sleepOf(run, life), ...life.turns.map(({ end }) => end)];
        for (const turn of life.turns.filter(({ at }) => at - delay > stop.at))
          find.that(wakes.includes(turn.at - delay), () => `${place(turn)}: told to stop at ${stop.at}`);
        const last = life.turns.at(-1)?.end ?? life.added.at + sleepOf(run, life) + delay;
        const mustBeGone = Math.max(stop.at, last) + delay;
        if (mustBeGone < run.horizon && run.isUp(life.pod.node, stop.at, mustBeGone))
          find.that(life.exited !== null, () => `${place(life.added)}: still there after the stop at ${stop.at}`);
      }
    },
  },
  {
    name: 'liveness and startup workers of regular containers stop as the Pod begins to terminate, all others only when its containers are gone (K-113, K-114)',
    check: (run, find) => {
      for (const { exited, pod, container, probe } of run.workers) {
        const stop = exited && run.causes(exited)[0];
        if (!exited || stop?.kind !== 'workersStopped') continue;
        const isEarly = stop.payload.op === 'stopLivenessAndStartup';
        const mayBeEarly = probe !== 'readiness' && pod.containers.some(({ name }) => name === container);
        find.that(!isEarly || mayBeEarly, () => `${place(exited)}: stopped by ${stop.payload.op}`);
        if (isEarly) continue;
        const running = run.instances.find(
          (one) => one.pod === pod && one.startedAt < stop.at && one.exitedAt > stop.at,
        );
        find.that(!running || restarted(run, pod.node), () => `${place(stop)}: ${running?.name} still runs`);
      }
    },
  },
  {
    name: 'liveness and startup are never probed once their workers were told to stop; readiness is (K-113)',
    check: (run, find) => {
      for (const stop of run.of('workersStopped')) {
        if (stop.payload.op !== 'stopLivenessAndStartup') continue;
        const pod = run.pod(stop.subject.pod);
        const until = run
          .of('workersStopped')
          .find(
            ({ payload, subject, at }) => payload.op === 'removePod' && subject.pod === pod.identity && at >= stop.at,
          );
        for (const life of run.workers.filter((one) => one.pod === pod && one.added.at <= stop.at)) {
          const isRegular = pod.containers.some(({ name }) => name === life.container);
          const later = life.turns.filter((turn) => isAttempt(turn) && turn.at > stop.at + delayOf(run, life));
          if (life.probe === 'readiness') {
            if (later.some(({ at }) => at < (until?.at ?? run.horizon))) find.checked++;
          } else if (isRegular) {
            const ends = life.turns.map(({ end }) => end + delayOf(run, life));
            for (const turn of later.filter(({ payload }) => payload.cause === 'ticker'))
              find.that(ends.includes(turn.at), () => `${place(turn)}: stopped at ${stop.at}`);
          }
        }
      }
    },
  },
  {
    name: 'no attempt before initialDelaySeconds, counted from the whole second of the start (K-127)',
    check: (run, find) => {
      for (const turn of run.of('probeRun').filter(isAttempt)) {
        const { initialDelaySeconds } = run.probe(turn);
        const seconds = age(run, turn.payload.id, turn.at);
        if (initialDelaySeconds > 0)
          find.that(seconds >= initialDelaySeconds, () => `${place(turn)}: ${seconds} s after the start`);
      }
    },
  },
  {
    name: 'no turn is skipped for initialDelaySeconds that are over (K-127)',
    check: (run, find) => {
      for (const turn of run.of('probeRun').filter(({ payload }) => payload.node.startsWith('waiting.delayed'))) {
        const seconds = age(run, turn.payload.id, turn.at);
        const { initialDelaySeconds } = run.probe(turn);
        find.that(seconds < initialDelaySeconds, () => `${place(turn)}: ${seconds} s after the start`);
      }
    },
  },
  {
    name: 'startup is probed only until the container has started, readiness and liveness only then (K-128)',
    check: (run, find) => {
      for (const turn of run.of('probeRun').filter(isAttempt)) {
        const pod = run.pod(turn.subject.pod);
        const wanted = turn.subject.probe !== 'startup';
        const seen = run
          .cachedAround(pod, turn.at)
          .flatMap((status) => allContainers({ status }).filter(({ name }) => name === turn.subject.container));
        find.that(
          seen.some(({ started, state }) => started === wanted && state.running !== undefined),
          () => `${place(turn)}: started is ${seen.map(({ started }) => started)}`,
        );
      }
    },
  },
  {
    name: 'an attempt has up to three tries, and only errors are tried again (K-135)',
    check: (run, find) => {
      for (const turn of run.of('probeRun')) {
        if (turn.payload.result === '') continue;
        const tries = turn.payload.tries.split(',');
        const last = tries.at(-1) as string;
        const isSound =
          tries.length <= 3 &&
          tries.slice(0, -1).every((one) => one === 'error') &&
          (last !== 'error' || tries.length === 3);
        find.that(isSound, () => `${place(turn)}: ${tries}`);
      }
    },
  },
  {
    name: 'each try is cut at timeoutSeconds (K-137, K-140)',
    check: (run, find) => {
      for (const turn of run.of('probeRun').filter(({ payload }) => payload.result !== '')) {
        const limit = run.probe(turn).timeoutSeconds * MICROS_PER_SECOND * turn.payload.tries.split(',').length;
        find.that(turn.end - turn.at <= limit, () => `${place(turn)}: takes ${turn.end - turn.at} of ${limit}`);
      }
    },
  },
  {
    name: 'each failed attempt makes one Unhealthy event, a good one none (K-136)',
    check: (run, find) => {
      const reported = new Map<string, number>();
      for (const event of run.of('kubeEvent').filter(({ payload }) => payload.reason === 'Unhealthy')) {
        const [turn] = run.causes(event);
        const key = `${turn?.ref.row}/${turn?.ref.ordinal}`;
        reported.set(key, (reported.get(key) ?? 0) + 1);
      }
      for (const turn of run.of('probeRun').filter(({ payload }) => payload.result !== '')) {
        const count = reported.get(`${turn.ref.row}/${turn.ref.ordinal}`) ?? 0;
        find.that(count === (turn.payload.result === 'success' ? 0 : 1), () => `${place(turn)}: ${count} events`);
      }
    },
  },
  {
    name: 'a readiness worker is triggered by hand from a status in the making, and each trigger is taken once or dropped (K-205, K-117)',
    check: (run, find) => {
      for (const poke of run.of('poke')) {
        find.that(poke.subject.probe === 'readiness', () => `${place(poke)}: not readiness`);
        find.that(run.causes(poke)[0]?.kind === 'updatePodStatus', () => `${place(poke)}: no status in the making`);
        const taken = run.reader
          .effectsOf(poke.ref)
          .map((ref) => run.reader.event(ref))
          .filter(({ kind }) => kind === 'probeRun' || kind === 'pokeDropped');
        find.that(taken.length <= 1, () => `${place(poke)}: taken ${taken.length} times`);
      }
      for (const turn of run.of('probeRun').filter(({ payload }) => payload.cause === 'manual'))
        find.that(run.causes(turn)[0]?.kind === 'poke', () => `${place(turn)}: nobody triggered it`);
    },
  },
];

/** The order to stop that the worker has got; it keeps the first. */
function stopOf(run: Observation, { pod, container, probe, added, exited }: WorkerLife): TraceEvent | undefined {
  const isRegular = pod.containers.some(({ name }) => name === container);
  return run
    .of('workersStopped')
    .find(
      (stop) =>
        stop.subject.pod === pod.identity &&
        stop.at >= added.at &&
        stop.at <= (exited?.at ?? Number.POSITIVE_INFINITY) &&
        run.process(pod.node, stop.at) === run.process(pod.node, added.at) &&
        (stop.payload.op === 'removePod' || (isRegular && probe !== 'readiness')),
    );
}

const restarted = (run: Observation, node: string): boolean => run.process(node, run.horizon) > 0;
