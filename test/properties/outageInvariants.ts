/** What holds of nodes that are lost (N-031 to N-036). */
import type { Scenario } from '../../src/sim/scenario.ts';
import type { Invariant } from './invariant.ts';
import { place } from './observation.ts';
import { nodeOf, type WorkloadObservation, type WorkloadPod } from './workloadObservation.ts';

interface NodeJson {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec: { readonly taints?: readonly { readonly key: string; readonly effect: string }[] };
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const GRACE = 50_000_000;
const EVICTION_STEP = 10_000_000;
/** From one pass to the next, with all its requests. */
const PASS = 6_000_000;
/** Longer than all that is on its way. */
const SOON = 300_000;

const readyOf = (node: unknown): string | undefined => (node as NodeJson | null)?.status.conditions?.[0]?.status;
const isEvicting = (node: unknown): boolean =>
  ((node as NodeJson | null)?.spec.taints ?? []).some(({ effect }) => effect === 'NoExecute');
const zoneOf = (node: unknown): string => (node as NodeJson).metadata.labels?.['topology.kubernetes.io/zone'] ?? '';

/** Tolerated seconds, the same in all Pods of a scenario, µs. */
function tolerated({ cluster }: Scenario): number {
  for (const write of cluster?.writes ?? [])
    if (write.do === 'create' && write.stored.resource === 'deployments')
      return (write.stored.object.spec.template.pod.tolerations[0]?.tolerationSeconds ?? 0) * 1_000_000;
  return 0;
}

export const OUTAGE_INVARIANTS: readonly Invariant<WorkloadObservation>[] = [
  {
    name: 'a node is given up only when neither its Lease nor its status has changed for 50 s (N-031)',
    check: (run, find) => {
      const heardAt = new Map<string, number>();
      run.walk(({ event, actor, resource, name, before, now }) => {
        if (actor.startsWith('kubelet/') && (resource === 'leases' || resource === 'nodes'))
          heardAt.set(name, event.at);
        if (resource !== 'nodes' || readyOf(now) !== 'Unknown' || readyOf(before) === 'Unknown') return;
        const silence = event.at - (heardAt.get(name) ?? event.at);
        find.that(silence > GRACE, () => `${place(event)}: ${name} after ${silence} µs`);
      });
    },
  },
  {
    name: 'a Pod is marked only while its node is not known to be ready (N-033, N-034)',
    check: (run, find) => {
      const backAt = new Map<string, number>();
      run.walk(({ event, actor, resource, name, before, now }, stored) => {
        if (resource === 'nodes' && readyOf(now) === 'True' && readyOf(before) !== 'True') backAt.set(name, event.at);
        if (resource !== 'pods' || actor !== 'nodelifecycle') return;
        const node = nodeOf(now as WorkloadPod);
        const isLost = readyOf(stored.of('nodes').get(node)) !== 'True';
        // The controller may not have seen yet that it is back.
        find.that(isLost || event.at - (backAt.get(node) ?? 0) < GRACE / 10, () => `${place(event)}: ${name}`);
      });
    },
  },
  {
    name: 'no Pod is evicted before it has stood the taint as long as it tolerates it (N-036)',
    check: (run, find) => {
      const taintedAt = new Map<string, number>();
      const time = tolerated(run.scenario);
      run.walk(({ event, actor, verb, resource, name, before, now }) => {
        if (resource === 'nodes' && isEvicting(now) && !isEvicting(before)) taintedAt.set(name, event.at);
        if (resource !== 'pods' || actor !== 'tainteviction' || verb !== 'delete') return;
        const since = event.at - (taintedAt.get(nodeOf(before as WorkloadPod)) ?? event.at);
        find.that(since >= time, () => `${place(event)}: ${name} after ${since} of ${time} µs`);
      });
    },
  },
  {
    name: 'nodes of one zone are tainted at least 10 s apart (N-035)',
    check: (run, find) => {
      const last = new Map<string, number>();
      run.walk(({ event, resource, name, before, now }) => {
        if (resource !== 'nodes' || !isEvicting(now) || isEvicting(before)) return;
        const gap = event.at - (last.get(zoneOf(now)) ?? Number.NEGATIVE_INFINITY);
        last.set(zoneOf(now), event.at);
        find.that(gap > EVICTION_STEP - SOON, () => `${place(event)}: ${name} ${gap} µs after another`);
      });
    },
  },
  {
    name: 'once a pass has found the nodes of all zones down none is tainted for eviction (N-035)',
    check: (run, find) => {
      let downSince: number | null = null;
      run.walk(({ event, resource, name, before, now }, stored) => {
        if (resource !== 'nodes') return;
        const isDown = [...stored.of('nodes').values()].every((node) => readyOf(node) !== 'True');
        downSince = isDown ? (downSince ?? event.at) : null;
        if (!isEvicting(now) || isEvicting(before)) return;
        find.that(event.at - (downSince ?? event.at) < PASS, () => `${place(event)}: ${name}`);
      });
    },
  },
  {
    name: 'a node that has been back for half a minute has no taint left (N-040)',
    check: (run, find) => {
      const { actions = [] } = run.scenario.cluster?.workloads ?? {};
      if (actions.some(({ at }) => at > run.horizon - 30_000_000)) return;
      let nodes: ReadonlyMap<string, NodeJson> = new Map();
      run.walk((_, stored) => {
        nodes = stored.of<NodeJson>('nodes');
      });
      for (const [name, node] of nodes)
        if (readyOf(node) === 'True') find.that((node.spec.taints ?? []).length === 0, () => `${name} at the end`);
    },
  },
];
