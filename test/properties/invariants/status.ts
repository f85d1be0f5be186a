/** The status manager: versions, what makes one, and how it gets to the API server. */
import { group } from 'd3-array';
import type { TraceEvent } from '../../../src/sim/trace/reader.ts';
import { type Invariant, pairs } from '../invariant.ts';
import { runsAt } from '../lives.ts';
import {
  allContainers,
  type CachedStatus,
  condition,
  isTerminal,
  type Observation,
  place,
  type StoredPod,
} from '../observation.ts';

const OWN = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];

/** Neighbouring versions that one kubelet process has cached; a Pod that is gone from its sources may begin anew (K-018). */
function cachedPairs(run: Observation): readonly (readonly [CachedStatus, CachedStatus])[] {
  return run.pods.flatMap((pod) =>
    pairs(run.cached(pod)).filter(
      ([before, now]) =>
        run.process(pod.node, before.at) === run.process(pod.node, now.at) &&
        !(now.version === 1 && run.removedAt(pod) <= now.at),
    ),
  );
}
/** Neighbouring versions of the API's objects; a mirror that was deleted and made anew is another object. */
function storedPairs(run: Observation): readonly (readonly [StoredPod, StoredPod])[] {
  return run.pods.flatMap((pod) =>
    pairs(run.stored(pod)).filter(([, now]) => !(now.by.kind === 'apiRequest' && now.by.payload.verb === 'create')),
  );
}
/** Housekeeping has dropped the status of a Pod that is gone from its sources, and its worker made another (K-018). */
const beganAnew = (run: Observation, { subject, at }: TraceEvent<'apiRequest'>): boolean =>
  run.pods.some((pod) => pod.identity === subject.pod && run.removedAt(pod) <= at);
const isPatch = (event: TraceEvent): event is TraceEvent<'apiRequest'> =>
  event.kind === 'apiRequest' && event.payload.verb === 'patch';
/** Requests of the status manager; those about mirrors carry no version. */
const requests = (run: Observation): readonly TraceEvent<'apiRequest'>[] =>
  run.of('apiRequest').filter(({ payload }) => payload.version > 0);
/** All versions; the last word on a Pod whose status housekeeping has dropped already is empty (K-018). */
const cachedVersions = (run: Observation): readonly CachedStatus[] =>
  run.pods.flatMap((pod) => run.cached(pod).filter(({ status }) => status.conditions.length > 0));

export const STATUS_INVARIANTS: readonly Invariant[] = [
  {
    name: 'versions of a status grow by one (K-170, K-177)',
    check: (run, find) => {
      for (const [before, now] of cachedPairs(run))
        find.that(
          now.version === before.version + 1,
          () => `${place(now.set)}: ${now.version} after ${before.version}`,
        );
    },
  },
  {
    name: 'a version differs from the one before it, unless the Pod is being deleted or has terminated (K-177, K-179)',
    check: (run, find) => {
      for (const [before, now] of cachedPairs(run)) {
        const isForced =
          now.op === 'terminatePod' ||
          run.stored(now.pod).some(({ metadata, at }) => metadata.deletionTimestamp && at <= now.at);
        if (!isForced)
          find.that(JSON.stringify(before.status) !== JSON.stringify(now.status), () => `${place(now.set)}: no change`);
      }
    },
  },
  {
    name: 'lastTransitionTime moves exactly when the status of the condition does, to the whole second (K-177, K-181)',
    check: (run, find) => {
      for (const [before, now] of cachedPairs(run))
        for (const type of OWN) {
          const [old, made] = [condition(before.status, type), condition(now.status, type)];
          if (!old || !made) continue;
          const expected = old.status === made.status ? old.lastTransitionTime : wallText(run, now.at);
          find.that(
            made.lastTransitionTime === expected,
            () => `${place(now.set)}: ${type} ${old.status} to ${made.status} at ${made.lastTransitionTime}`,
          );
        }
    },
  },
  {
    name: 'ContainersReady is True iff all regular containers and sidecars are ready and the Pod has not ended (K-187)',
    check: (run, find) => {
      for (const { pod, status, set } of cachedVersions(run)) {
        const sidecars = pod.initContainers.filter(({ isSidecar }) => isSidecar).map(({ name }) => name);
        const looked = allContainers({ status }).filter(
          ({ name }) => sidecars.includes(name) || pod.containers.some((container) => container.name === name),
        );
        // The kubelet's own end of a Pod makes the cached phase Failed and nothing else (K-043).
        if (status.reason === 'Evicted' && looked.some(({ state }) => state.running !== undefined)) continue;
        const isReady = looked.every(({ ready }) => ready) && !isTerminal(status);
        const shown = condition(status, 'ContainersReady')?.status;
        find.that(shown === (isReady ? 'True' : 'False'), () => `${place(set)}: ContainersReady ${shown}`);
      }
    },
  },
  {
    name: 'Ready is True iff ContainersReady and all readiness gates are (K-187)',
    check: (run, find) => {
      for (const { pod, status, set } of cachedVersions(run)) {
        const types = ['ContainersReady', ...pod.readinessGates];
        const isReady = types.every((type) => condition(status, type)?.status === 'True');
        const shown = condition(status, 'Ready')?.status;
        find.that(shown === (isReady ? 'True' : 'False'), () => `${place(set)}: Ready ${shown}`);
      }
    },
  },
  {
    name: 'a container is ready only when it has started, and started only while it runs (K-202, K-203)',
    check: (run, find) => {
      for (const { pod, op, status, set } of cachedVersions(run)) {
        // A startup result changes started alone, until the next pass (K-175).
        if (op !== 'setPodStatus') continue;
        const regularInit = pod.initContainers.filter(({ isSidecar }) => !isSidecar).map(({ name }) => name);
        for (const { name, ready, started, state } of allContainers({ status })) {
          find.that(!started || state.running !== undefined, () => `${place(set)}: ${name} started`);
          if (!regularInit.includes(name)) find.that(!ready || started, () => `${place(set)}: ${name} ready`);
        }
      }
    },
  },
  {
    name: 'restartCount never falls, neither in the cache nor in the API (K-072, K-200)',
    check: (run, find) => {
      for (const [before, now] of [...cachedPairs(run), ...storedPairs(run)])
        for (const { name, restartCount } of allContainers(now)) {
          const old = allContainers(before).find((one) => one.name === name)?.restartCount ?? 0;
          find.that(restartCount >= old, () => `${now.at} ${now.pod.name} ${name}: ${old} to ${restartCount}`);
        }
    },
  },
  {
    name: 'requests of the status manager of a node come one after another (K-182)',
    check: (run, find) => {
      const byNode = group(requests(run), ({ subject, at }) => `${subject.node}/${run.process(subject.node, at)}`);
      for (const list of byNode.values())
        for (const [request, next] of pairs(list)) {
          find.that(
            request.end <= next.at,
            () => `${place(next)}: the request of ${request.at} ends at ${request.end}`,
          );
        }
    },
  },
  {
    name: 'a GET of the same version comes right before each PATCH (K-185)',
    check: (run, find) => {
      for (const patch of requests(run).filter(isPatch)) {
        const [get] = run.causes(patch);
        const isGet =
          get?.kind === 'apiRequest' &&
          get.payload.verb === 'get' &&
          get.payload.version === patch.payload.version &&
          get.subject.pod === patch.subject.pod &&
          get.end === patch.at;
        find.that(isGet, () => `${place(patch)}: after ${get?.kind} at ${get?.at}`);
      }
    },
  },
  {
    name: 'PATCHes of a Pod are in the order of its versions (K-183, K-185)',
    check: (run, find) => {
      const byPod = group(
        requests(run).filter(isPatch),
        ({ subject, at }) => `${subject.pod}/${run.process(subject.node, at)}`,
      );
      for (const list of byPod.values())
        for (const [patch, next] of pairs(list))
          find.that(
            next.payload.version >= patch.payload.version || beganAnew(run, next),
            () => `${place(next)}: ${next.payload.version} after ${patch.payload.version}`,
          );
    },
  },
  {
    name: 'no PATCH without a difference (K-185)',
    check: (run, find) => {
      for (const [before, now] of storedPairs(run))
        if (isPatch(now.by))
          find.that(
            JSON.stringify(before.status) !== JSON.stringify(now.status),
            () => `${place(now.by)}: nothing changed`,
          );
    },
  },
  {
    name: 'a PATCH leaves conditions of others as they are in the API (K-180, K-189)',
    check: (run, find) => {
      for (const [before, now] of storedPairs(run)) {
        const [get] = run.causes(now.by);
        // Another's write between the GET and the PATCH is a race of its own.
        const isRaced = before.by.kind === 'action' && get !== undefined && before.at >= get.at;
        if (!isPatch(now.by) || isRaced) continue;
        const [old, kept] = [before, now].map(({ status }) =>
          status.conditions.filter((one) => !OWN.includes(one.type) && one.reason !== 'TerminationByKubelet'),
        );
        find.that(JSON.stringify(old) === JSON.stringify(kept), () => `${place(now.by)}: ${JSON.stringify(kept)}`);
      }
    },
  },
  {
    name: 'a terminal phase in the API stays as it is, but for that of a static Pod when its kubelet restarts (K-208, K-192)',
    check: (run, find) => {
      for (const [before, now] of storedPairs(run))
        if (isTerminal(before.status) && !(now.pod.isStatic && run.process(now.pod.node, run.horizon) > 0))
          find.that(
            now.status.phase === before.status.phase,
            () => `${place(now.by)}: ${before.status.phase} to ${now.status.phase}`,
          );
    },
  },
  {
    name: 'a terminal phase is not in the API while containers run (K-189)',
    check: (run, find) => {
      for (const [before, now] of storedPairs(run)) {
        if (!isTerminal(now.status) || isTerminal(before.status)) continue;
        const running = run.instances.find((instance) => instance.pod === now.pod && runsAt(instance, now.at));
        find.that(!running, () => `${place(now.by)}: ${running?.name} runs`);
      }
    },
  },
  {
    name: 'the kubelet deletes a Pod from the API only after its terminal status is there and its last word is said (K-186)',
    check: (run, find) => {
      for (const remove of requests(run).filter(({ payload }) => payload.verb === 'delete')) {
        const pod = run.pod(remove.subject.pod);
        const stored = run.stored(pod).findLast(({ at }) => at <= remove.at);
        const isOver = run.cached(pod).some(({ op, at }) => op === 'terminatePod' && at <= remove.at);
        const mayGo =
          stored !== undefined && isTerminal(stored.status) && stored.metadata.deletionTimestamp !== undefined;
        find.that(mayGo && isOver && !pod.isStatic, () => `${place(remove)}: ${stored?.status.phase}`);
      }
    },
  },
  {
    name: 'each version is sent, or a later one in its place, when the goroutine is free (K-182, K-183)',
    check: (run, find) => {
      for (const pod of run.pods) {
        if (!run.isConnected(pod.node)) continue;
        const isRemoved = run.removedAt(pod) < run.horizon;
        for (const { at, version, set } of run.cached(pod)) {
          const { apiRequest, apiResponse } = run.scenario.latency;
          const by = at + (2 * run.pods.length + 2) * 3 * (apiRequest + apiResponse);
          if (isRemoved || pod.isStatic || by >= run.horizon || !run.isUp(pod.node, at, by)) continue;
          const sent = requests(run).find(
            ({ subject, payload, at: when }) =>
              subject.pod === pod.identity &&
              payload.verb === 'get' &&
              payload.version >= version &&
              when >= at &&
              when <= by,
          );
          find.that(sent !== undefined, () => `${place(set)}: version ${version} not sent by ${by}`);
        }
      }
    },
  },
  {
    name: 'each graceful deletion is answered by the status of a pass that was begun after it (K-191)',
    check: (run, find) => {
      for (const pod of run.pods.filter(({ node }) => run.isConnected(node)))
        for (const { status, set, at } of run.cached(pod)) {
          const taken = run.ancestor(set, 'podWorkerWake')?.at ?? at;
          const known = run.stored(pod).filter((stored) => stored.at + run.scenario.latency.watch < taken);
          const generation = known.at(-1)?.metadata.generation ?? 1;
          if (
            set.payload.op !== 'setPodStatus' ||
            generation < 2 ||
            pod.isStatic ||
            run.removedAt(pod) <= at ||
            !run.isUp(pod.node, pod.createdAt, at)
          )
            continue;
          find.that(
            // OnPodSandboxReady copies the cached status; the deletion reaches it with the next pass.
            (status.observedGeneration ?? 0) >= generation || run.ancestor(set, 'runPodSandbox') !== null,
            () => `${place(set)}: observed ${status.observedGeneration} of ${generation}`,
          );
        }
    },
  },
];

/** An instant as the API writes it. */
const wallText = (run: Observation, at: number): string =>
  new Date(run.wallSecond(at) * 1000).toISOString().replace('.000Z', 'Z');
