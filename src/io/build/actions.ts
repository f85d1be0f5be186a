import { later, type Micros, micros, seconds } from '../../base/units.ts';
import type { ScriptedWrite } from '../../sim/clusterInput.ts';
import type { Action } from '../../sim/scenario.ts';
import type { NodeAction, WorkloadAction } from '../../sim/workloadsInput.ts';
import { nodeObject } from '../manifest/clusterObjects.ts';
import type { ParsedText } from '../manifest/parse.ts';
import type { Workload } from '../manifest/workload.ts';
import {
  type ActionEntry,
  isLifeAction,
  isNodeAction,
  isServiceAction,
  isWorkloadAction,
  type LifeActionName,
  type NodeActionName,
  type PodActionName,
  type ServiceActionName,
} from '../schema/action.ts';
import type { Settings } from '../settings.ts';
import { isManaged } from './managed.ts';
import { isIdentityOf } from './names.ts';
import { meantWorkload, nodesOf, type PlacedPod, placedPods, podsMeant } from './placedPods.ts';
import { workloadActions } from './workloadActions.ts';

/** What happens during a run: actions of the world, and writes to objects that no kubelet looks after. */
export interface Happenings {
  readonly actions: readonly Action[];
  readonly writes: readonly ScriptedWrite[];
  /** What is done to workloads, and to nodes as the controllers see them. */
  readonly workloads: readonly WorkloadAction[];
}

/** The actions of the Scenario document, one for each Pod or node that an entry means. */
export function happeningsOf(parsed: ParsedText, settings: Settings): Happenings {
  const actions: Action[] = [];
  const writes: ScriptedWrite[] = [];
  const workloads: WorkloadAction[] = [];
  const entries = parsed.scenario?.actions ?? [];
  const pods = entries.length > 0 ? placedPods(parsed, settings) : [];
  for (const entry of entries) {
    const { do: what } = entry;
    if (isServiceAction(what)) writes.push(...serviceWrites(entry, what, parsed));
    else if (isWorkloadAction(what)) continue;
    else if (isNodeAction(what)) {
      for (const node of entry.node === undefined ? nodesOf(parsed) : [entry.node]) {
        const write = nodeWrite(entry, what, node, parsed);
        if (write) writes.push(write);
        else if (isLifeAction(what)) workloads.push(lifeAction(entry, what, node));
        else actions.push(nodeAction(entry, what, node));
      }
    } else {
      for (const target of targetsOf(entry, pods, parsed)) {
        if (!target.hasKubelet) writes.push(...podWrites(entry, what, target, settings));
        else if (what === 'evict') workloads.push({ at: instant(entry), do: what, pod: target.identity });
        else actions.push(...podActions(entry, what, target));
      }
    }
  }
  return { actions, writes, workloads: [...workloads, ...workloadActions(parsed, settings)] };
}

/** A Pod, or each of a workload's, which `identity` names then. */
type Target = Pick<PlacedPod, 'identity' | 'workload' | 'hasKubelet'>;

/** Whom an entry is about. Pods of a workload that its controllers keep are known by the time of the action only. */
function targetsOf(entry: ActionEntry, pods: readonly PlacedPod[], parsed: ParsedText): readonly Target[] {
  const { pod } = entry;
  const meant = podsMeant(entry, pods);
  const managed = parsed.workloads.filter((workload) => isManaged(workload, parsed));
  if (pod === undefined) {
    const whole = managed.filter((workload) => meantWorkload(entry, workload));
    const single = meant.filter(({ workload }) => !managed.includes(workload));
    return [...single, ...whole.map((workload) => ({ identity: workload.path, workload, hasKubelet: true }))];
  }
  if (meant.length > 0) return meant.map((one) => (one.identity === pod ? one : whoeverIsCalled(one, managed)));
  const workload = managed.find((one) => isIdentityOf(pod, one));
  return workload ? [{ identity: pod, workload, hasKubelet: true }] : [];
}

/** In a StatefulSet that its controller keeps, the Pod that has the name when the time has come. */
const whoeverIsCalled = (placed: PlacedPod, managed: readonly Workload[]): Target =>
  placed.workload.kind === 'StatefulSet' && managed.includes(placed.workload)
    ? { ...placed, identity: `${placed.workload.namespace}/${placed.name}` }
    : placed;

const instant = ({ at }: ActionEntry): Micros => micros(seconds(at));

function nodeAction(entry: ActionEntry, what: NodeActionName, node: string): Action {
  const about = { at: instant(entry), node };
  if (what === 'restartKubelet') return { ...about, do: what, down: seconds(entry.down ?? 0) };
  const cut = what === 'cutApi' || what === 'cutNode' || what === 'refuseWrites' ? what : 'cutPodNetwork';
  return { ...about, do: cut, lasts: seconds(entry.lasts ?? 0) };
}

function lifeAction(entry: ActionEntry, what: LifeActionName, node: string): NodeAction {
  const about = { at: instant(entry), node };
  switch (what) {
    case 'stopNode':
      return { ...about, do: what, powerOff: true };
    case 'cordon':
    case 'uncordon':
      return { ...about, do: 'patchNode', unschedulable: what === 'cordon', taints: null, note: what };
    default:
      return { ...about, do: what };
  }
}

/** pkg/kubelet/eviction/eviction_manager.go, immediateEvictionGracePeriodSeconds. */
const HARD_EVICTION_GRACE_SECONDS = 1;

/** Null: that action is about the kubelet of the node, not about the Node object. */
function nodeWrite(
  entry: ActionEntry,
  what: NodeActionName,
  node: string,
  { nodes }: ParsedText,
): ScriptedWrite | null {
  const about = { at: instant(entry), node };
  if (what === 'nodeReady') return { ...about, do: what, ready: entry.ready ?? false };
  if (what !== 'labelNode') return null;
  const { meta } = nodeObject(nodes.get(node) ?? { metadata: { name: node } });
  return { ...about, do: what, labels: { ...meta.labels, ...entry.labels } };
}

function serviceWrites(entry: ActionEntry, what: ServiceActionName, { services }: ParsedText): ScriptedWrite[] {
  const meant = services.filter(
    ({ manifest, namespace }) =>
      manifest.metadata.name === entry.service && (entry.namespace ?? namespace) === namespace,
  );
  return meant.map(({ namespace }): ScriptedWrite => {
    const about = { at: instant(entry) };
    const service = `${namespace}/${entry.service}`;
    if (what === 'patchSelector') return { ...about, do: what, service, labels: entry.labels ?? {} };
    if (what === 'deleteEndpoints') return { ...about, do: what, name: service };
    return what === 'touchSlice' ? { ...about, do: what, service, annotations: null } : { ...about, do: what, service };
  });
}

function podActions(
  entry: ActionEntry,
  what: Exclude<PodActionName, 'evict'>,
  { identity, workload }: Target,
): Action[] {
  const about = { at: instant(entry), pod: identity };
  switch (what) {
    case 'deletePod':
      return [{ ...about, do: what, graceSeconds: entry.graceSeconds ?? null }];
    case 'evictPod':
      return [{ ...about, do: what, graceSeconds: entry.graceSeconds ?? HARD_EVICTION_GRACE_SECONDS }];
    case 'crash': {
      const container = entry.container ?? workload.containers[0]?.name ?? '';
      return [{ ...about, do: what, container, exitCode: entry.exitCode ?? 1 }];
    }
    case 'patchCondition':
      return [{ ...about, do: what, condition: entry.condition ?? '', status: entry.status ?? 'False' }];
    case 'labelPod':
      return [{ ...about, do: what, labels: entry.labels ?? {} }];
    case 'removeStaticPod':
      return [{ ...about, do: what }];
    case 'setReady':
      return [];
  }
}

/** A Pod without a kubelet goes when its grace is over. */
function podWrites(
  entry: ActionEntry,
  what: PodActionName,
  { identity, workload }: Target,
  settings: Settings,
): ScriptedWrite[] {
  const at = instant(entry);
  const about = { at, pod: identity };
  switch (what) {
    case 'setReady':
      return [{ ...about, do: what, ready: entry.ready ?? false }];
    case 'labelPod':
      return [{ ...about, do: what, labels: { ...workload.labels, ...entry.labels } }];
    case 'deletePod': {
      const grace = entry.graceSeconds ?? settings.get(`${workload.path}/terminationGracePeriodSeconds`)?.value ?? 30;
      const gone: ScriptedWrite = { at: later(at, seconds(grace)), do: 'removePod', pod: identity };
      return grace === 0 ? [gone] : [{ ...about, do: what, graceSeconds: grace }, gone];
    }
    default:
      return [];
  }
}
