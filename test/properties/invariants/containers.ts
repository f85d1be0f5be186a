/** Containers: what starts, what is killed, and how long that may take. */
import { group } from 'd3-array';
import { MICROS_PER_SECOND } from '../../../src/base/units.ts';
import type { TraceEvent } from '../../../src/sim/trace/reader.ts';
import { type Findings, type Invariant, pairs } from '../invariant.ts';
import { type Instance, isStoppedBy, runsAt } from '../lives.ts';
import { type Observation, place } from '../observation.ts';
import { backOffOf } from './podWorkers.ts';

/** Instances of one container, in order. */
const instancesByContainer = (run: Observation): readonly (readonly Instance[])[] => [
  ...group(run.instances, ({ pod, name }) => `${pod.identity}/${name}`).values(),
];
/** What a kubelet that dies in the middle of a call makes of a Pod is not looked at here. */
const isUndisturbed = (run: Observation, { pod }: Instance): boolean => run.process(pod.node, run.horizon) === 0;
/** Whether the pass that made `next` stopped `before` first. */
const isReplacedBy = (run: Observation, before: Instance, next: Instance): boolean =>
  isStoppedBy(run, before, run.ancestor(next.created, 'syncPod'));

export const CONTAINER_INVARIANTS: readonly Invariant[] = [
  {
    name: 'a container of a name starts only when the one before it is gone (K-065)',
    check: (run, find) => {
      for (const list of instancesByContainer(run))
        for (const [before, next] of pairs(list.filter((one) => isUndisturbed(run, one))))
          find.that(
            before.exitedAt <= next.created.at,
            () => `${place(next.created)}: the other ends at ${before.exitedAt}`,
          );
    },
  },
  {
    name: 'policy Never restarts nothing, OnFailure nothing that ended with 0 by itself; sidecars always (K-066, K-067)',
    check: (run, find) => {
      for (const list of instancesByContainer(run))
        for (const [before, next] of pairs(list.filter((one) => isUndisturbed(run, one)))) {
          const { restartPolicy } = next.pod;
          if (restartPolicy === 'Always' || run.container(next.pod.identity, next.name).isSidecar) continue;
          const isProbeKill = before.exitCause !== 'script';
          const mayRestart =
            restartPolicy === 'OnFailure' && (before.exitCode !== 0 || isProbeKill || isReplacedBy(run, before, next));
          find.that(mayRestart, () => `${place(next.created)}: ${restartPolicy} after ${before.exitCode}`);
        }
      // A policy that restarts nothing shows by containers that stay down.
      for (const { pod, exitedAt } of run.instances)
        if (pod.restartPolicy !== 'Always' && exitedAt < run.horizon) find.checked++;
    },
  },
  {
    name: 'a regular container starts only when all init containers have succeeded and the sidecars have begun (K-063)',
    check: (run, find) => {
      for (const one of run.instances) {
        const { pod, name, created } = one;
        if (!pod.containers.some((container) => container.name === name) || !isUndisturbed(run, one)) continue;
        for (const init of pod.initContainers) {
          const before = run.instances.filter(
            (other) => other.pod === pod && other.name === init.name && other.startedAt <= created.at,
          );
          const isDone = init.isSidecar
            ? before.length > 0
            : before.some(({ exitedAt, exitCode }) => exitedAt <= created.at && exitCode === 0);
          find.that(isDone, () => `${place(created)}: ${init.name} is not done`);
        }
      }
    },
  },
  {
    name: 'a container starts in the sandbox of its Pod (K-060, K-069)',
    check: (run, find) => {
      for (const { created, pod } of run.instances) {
        const sandbox = run
          .of('runPodSandbox')
          .find(({ subject, end }) => subject.pod === pod.identity && end <= created.at);
        find.that(sandbox !== undefined, () => `${place(created)}: no sandbox`);
      }
    },
  },
  {
    name: 'the back-off is 10 s, then 10·2ⁿ up to the maximum, counted from the exit (K-076 to K-079)',
    check: (run, find) => {
      for (const list of instancesByContainer(run)) replayBackOff(run, list, find);
    },
  },
  {
    name: 'SIGKILL comes exactly when the grace of the stop call is over, no exit by it before (K-082)',
    check: (run, find) => {
      for (const exit of run.of('containerExit').filter(({ payload }) => payload.cause === 'sigkill')) {
        const armed = run.reader.armedBy(exit.ref);
        const term = armed && run.reader.event(armed);
        const stop = term && run.ancestor(term, 'stopContainer');
        const expected = (term?.at ?? Number.NaN) + (stop?.payload.timeoutSeconds ?? Number.NaN) * MICROS_PER_SECOND;
        find.that(exit.at === expected, () => `${place(exit)}: SIGTERM at ${term?.at}, due at ${expected}`);
      }
    },
  },
  {
    name: 'every stop call leaves at least 2 s (K-082)',
    check: (run, find) => {
      for (const stop of run.of('stopContainer'))
        find.that(stop.payload.timeoutSeconds >= 2, () => `${place(stop)}: ${stop.payload.timeoutSeconds} s`);
    },
  },
  {
    name: 'hook, waiting and stop together take no more than the grace, its rounding and the last 2 s (K-082, K-086)',
    check: (run, find) => {
      for (const killing of run
        .of('kubeEvent')
        .filter(({ payload }) => /ontainer /.test(payload.message) && payload.reason === 'Killing'))
        checkKill(run, killing, find);
    },
  },
  {
    name: 'a terminating Pod keeps to the shortest grace that was asked for before its pass (K-036)',
    check: (run, find) => {
      for (const stop of run.of('stopContainer')) {
        const pass = run.ancestor(stop, 'syncPod');
        if (pass?.payload.work !== 'terminating' || !run.isConnected(pass.subject.node)) continue;
        const pod = run.pod(stop.subject.pod);
        const known = run.stored(pod).filter(({ at }) => at + run.scenario.latency.watch <= pass.at);
        const grace = Math.max(
          2,
          known.at(-1)?.metadata.deletionGracePeriodSeconds ?? pod.terminationGracePeriodSeconds,
        );
        find.that(
          stop.payload.timeoutSeconds <= grace,
          () => `${place(stop)}: ${stop.payload.timeoutSeconds} of ${grace}`,
        );
      }
    },
  },
  {
    name: 'a sidecar gets SIGTERM after all regular containers and the sidecars behind it, unless its grace is over (K-085)',
    check: (run, find) => {
      for (const term of run.of('sigterm')) {
        const pod = run.pod(term.subject.pod);
        const place_ = pod.initContainers.findIndex(
          ({ name, isSidecar }) => isSidecar && name === term.subject.container,
        );
        const stop = run.ancestor(term, 'stopContainer');
        const pass = run.ancestor(term, 'syncPod');
        if (place_ < 0 || pass?.payload.work !== 'terminating' || !stop || stop.payload.timeoutSeconds <= 2) continue;
        const first = [
          ...pod.containers,
          ...pod.initContainers.slice(place_ + 1).filter(({ isSidecar }) => isSidecar),
        ].map(({ name }) => name);
        const running = run.instances.find(
          (one) => one.pod === pod && first.includes(one.name) && runsAt(one, term.at),
        );
        find.that(!running || run.process(pod.node, term.at) > 0, () => `${place(term)}: ${running?.name} runs`);
      }
    },
  },
  {
    name: 'each SIGTERM comes after the preStop hook or its grace, and the hook starts before (K-082)',
    check: (run, find) => {
      for (const kill of run.of('killContainer')) {
        const { preStop } = run.container(kill.subject.pod, kill.subject.container);
        const hook = run.causes(kill).find(({ kind }) => kind === 'preStop');
        if (!preStop) find.that(hook === undefined, () => `${place(kill)}: a hook from nowhere`);
        else if (hook) find.that(hook.end <= kill.at, () => `${place(kill)}: the hook ends at ${hook.end}`);
      }
    },
  },
  {
    name: 'restartCount in the API is the number of the container that runs (K-072)',
    check: (run, find) => {
      for (const pod of run.pods)
        for (const { status, set } of run.cached(pod))
          for (const { name, containerID, restartCount } of [
            ...status.containerStatuses,
            ...(status.initContainerStatuses ?? []),
          ]) {
            const instance = run.instances.find(({ id }) => id === containerID);
            if (instance) find.that(instance.attempt === restartCount, () => `${place(set)}: ${name} ${restartCount}`);
          }
    },
  },
];

/** K-076, once more: the value after each start that was allowed, and what the refusals say. */
function replayBackOff(run: Observation, list: readonly Instance[], find: Findings): void {
  const max = run.scenario.kubelet.maxContainerRestartPeriodSeconds * MICROS_PER_SECOND;
  const initial = Math.min(10 * MICROS_PER_SECOND, max);
  let entry: number | null = null;
  for (const [i, next] of list.entries()) {
    const { created, pod, name } = next;
    const before = list[i - 1];
    if (before && run.process(pod.node, before.created.at) !== run.process(pod.node, created.at)) entry = null;
    const x = list.slice(0, i).findLast((one) => one.exitedAt <= created.at && !isReplacedBy(run, one, next));
    const until = list[i + 1]?.created.at ?? run.horizon;
    if (x) {
      const ready = x.exitedAt + (entry ?? 0);
      find.that(created.at >= ready, () => `${place(created)}: not before ${ready}`);
      entry = entry === null ? initial : Math.min(2 * entry, max);
    }
    const refusals = run
      .of('backOff')
      .filter(
        ({ subject, at }) =>
          subject.pod === pod.identity && subject.container === name && at >= created.at && at < until,
      );
    for (const refused of refusals)
      if (entry !== null && run.isUp(pod.node, created.at, refused.at)) {
        const value = entry;
        find.that(
          backOffOf(refused.payload.message) === value,
          () => `${place(refused)}: ${refused.payload.message}, not ${value}`,
        );
      }
  }
}

/** From the Killing event to the end of the container: the grace, up to a second lost to rounding for each wait, and 2 s. */
function checkKill(run: Observation, killing: TraceEvent<'kubeEvent'>, find: Findings): void {
  const name = /ontainer (\S+?)(?: |$)/.exec(killing.payload.message)?.[1] ?? '';
  const pod = run.pod(killing.subject.pod);
  const container = run.container(pod.identity, name);
  const killed = run.instances.find(
    (one) => one.pod === pod && one.name === name && one.exitedAt >= killing.at && one.startedAt < killing.at,
  );
  const deletions = run.scenario.actions.flatMap((action) =>
    action.do === 'deletePod' && action.pod === pod.identity ? (action.graceSeconds ?? 0) : 0,
  );
  const graces = [
    pod.terminationGracePeriodSeconds,
    ...deletions,
    ...Object.values(container.probes).map((spec) => spec?.terminationGracePeriodSeconds ?? 0),
  ];
  const limit = (Math.max(...graces) + 5) * MICROS_PER_SECOND + 2 * run.scenario.latency.criStopContainer;
  const by = killing.at + limit;
  if (by < run.horizon && killed && run.isUp(pod.node, killing.at, by))
    find.that(killed.exitedAt <= by, () => `${place(killing)}: ${name} ends at ${killed.exitedAt}, not by ${by}`);
}
