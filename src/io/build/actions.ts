import { later, type Micros, micros, seconds } from '../../base/units.ts';
import type { ScriptedWrite } from '../../sim/clusterInput.ts';
import type { Action } from '../../sim/scenario.ts';
import { nodeObject } from '../manifest/clusterObjects.ts';
import type { ParsedText } from '../manifest/parse.ts';
import {
  type ActionEntry,
  isNodeAction,
  isServiceAction,
  type NodeActionName,
  type PodActionName,
  type ServiceActionName,
} from '../schema/action.ts';
import type { Settings } from '../settings.ts';
import { nodesOf, type PlacedPod, placedPods, podsMeant } from './placedPods.ts';

/** What happens during a run: actions of the world, and writes to objects that no kubelet looks after. */
export interface Happenings {
  readonly actions: readonly Action[];
  readonly writes: readonly ScriptedWrite[];
}

/** The actions of the Scenario document, one for each Pod or node that an entry means. */
export function happeningsOf(parsed: ParsedText, settings: Settings): Happenings {
  const actions: Action[] = [];
  const writes: ScriptedWrite[] = [];
  const entries = parsed.scenario?.actions ?? [];
  const pods = entries.length > 0 ? placedPods(parsed, settings) : [];
  for (const entry of entries) {
    const { do: what } = entry;
    if (isServiceAction(what)) writes.push(...serviceWrites(entry, what, parsed));
    else if (isNodeAction(what)) {
      for (const node of entry.node === undefined ? nodesOf(parsed) : [entry.node]) {
        const write = nodeWrite(entry, what, node, parsed);
        if (write) writes.push(write);
        else actions.push(nodeAction(entry, what, node));
      }
    } else {
      for (const pod of podsMeant(entry, pods)) {
        if (pod.hasKubelet) actions.push(...podActions(entry, what, pod));
        else writes.push(...podWrites(entry, what, pod, settings));
      }
    }
  }
  return { actions, writes };
}

const instant = ({ at }: ActionEntry): Micros => micros(seconds(at));

function nodeAction(entry: ActionEntry, what: NodeActionName, node: string): Action {
  const about = { at: instant(entry), node };
  if (what === 'restartKubelet') return { ...about, do: what, down: seconds(entry.down ?? 0) };
  return { ...about, do: what === 'cutApi' ? what : 'cutPodNetwork', lasts: seconds(entry.lasts ?? 0) };
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
    if (what === 'deleteEndpoints') return { ...about, do: what, name: service };
    return what === 'touchSlice' ? { ...about, do: what, service, annotations: null } : { ...about, do: what, service };
  });
}

function podActions(entry: ActionEntry, what: PodActionName, { identity }: PlacedPod): Action[] {
  const about = { at: instant(entry), pod: identity };
  switch (what) {
    case 'deletePod':
      return [{ ...about, do: what, graceSeconds: entry.graceSeconds ?? null }];
    case 'evictPod':
      return [{ ...about, do: what, graceSeconds: entry.graceSeconds ?? HARD_EVICTION_GRACE_SECONDS }];
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
  { identity, workload }: PlacedPod,
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
