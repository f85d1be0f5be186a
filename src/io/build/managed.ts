import { MICROS_PER_SECOND } from '../../base/units.ts';
import { PLAIN_NODE } from '../../sim/api/objects.ts';
import { KUBELET_REPORTS } from '../../sim/workloadsInput.ts';
import { graceRule } from '../clusterSettings.ts';
import type { ParsedText } from '../manifest/parse.ts';
import type { Plan } from '../manifest/plans.ts';
import type { Workload } from '../manifest/workload.ts';
import { type ActionEntry, isLifeAction, isWorkloadAction } from '../schema/action.ts';

/**
 * Whether the controllers of workloads and nodes run: as the document says, else when something in the text needs them. Without them
 * the Pods of a workload are simply there, as its controllers would have made them.
 */
export function runsControllers(parsed: ParsedText): boolean {
  const { workloads, nodes, budgets, scenario } = parsed;
  const named = scenario?.controllerManager?.controllers;
  if (named !== undefined) return named.length > 0;
  if (budgets.length > 0) return true;
  const scripted = scenario?.podsWithoutKubelet ?? [];
  const isSpecial = [...nodes.values()].some(
    ({ spec, status }) =>
      spec?.unschedulable ||
      (spec?.taints ?? []).length > 0 ||
      Number(status?.allocatable?.pods ?? PLAIN_NODE.podCapacity) < PLAIN_NODE.podCapacity,
  );
  return (
    isSpecial ||
    workloads.some(({ plan, name }) => !scripted.includes(name) && plan !== null && isOwnMaster(plan)) ||
    (scenario?.actions ?? []).some((entry) => needsControllers(entry, parsed))
  );
}

/** Whether controllers make the Pods of the workload. */
export const isManaged = ({ plan, name }: Workload, parsed: ParsedText): boolean =>
  plan !== null && !(parsed.scenario?.podsWithoutKubelet ?? []).includes(name) && runsControllers(parsed);

/** Whether its Pods do not all come at once. */
const isOwnMaster = (plan: Plan): boolean =>
  (plan.kind === 'Deployment' && plan.paused) ||
  (plan.kind === 'StatefulSet' && plan.podManagementPolicy === 'OrderedReady');

/** What only controllers carry out, what they undo, and what makes them give up a node. */
function needsControllers(entry: ActionEntry, parsed: ParsedText): boolean {
  const { do: what, lasts = 0, down = 0 } = entry;
  if (isWorkloadAction(what) || isLifeAction(what) || what === 'evict') return true;
  if (what === 'deletePod' || what === 'evictPod') return isAboutKept(entry, parsed);
  const { controllerManager, kubelet, kubernetes } = parsed.scenario ?? {};
  const grace = controllerManager?.['node-monitor-grace-period'] ?? graceRule(kubernetes).default ?? 0;
  // The last Lease may be as old as a renewal interval is long (N-030).
  const renewal = ((kubelet?.nodeLeaseDurationSeconds ?? KUBELET_REPORTS.leaseDuration / MICROS_PER_SECOND) / 4) * 1.04;
  const isSilent = what === 'cutApi' || what === 'cutNode' || what === 'restartKubelet';
  return isSilent && Math.max(lasts, down) + renewal > grace;
}

/** Whether a workload keeps the Pods that the entry is about. */
function isAboutKept({ pod, workload }: ActionEntry, { workloads, scenario }: ParsedText): boolean {
  const scripted = scenario?.podsWithoutKubelet ?? [];
  const kept = workloads.filter(({ plan, name }) => plan !== null && !scripted.includes(name));
  if (workload !== undefined) return kept.some(({ name }) => name === workload);
  return kept.some(({ name, path }) => pod?.startsWith(`${path}#`) || pod?.startsWith(`${name}-`));
}
