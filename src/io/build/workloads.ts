import { type MicrosSpan, micros, milliseconds, seconds } from '../../base/units.ts';
import type { ScriptedWrite, StoredInput } from '../../sim/clusterInput.ts';
import type { PodInput } from '../../sim/scenario.ts';
import {
  NOTHING_GIVEN,
  WORKLOAD_CONTROLLERS,
  type WorkloadAction,
  type WorkloadController,
  type WorkloadsInput,
} from '../../sim/workloadsInput.ts';
import type { ParsedText } from '../manifest/parse.ts';
import type { Workload } from '../manifest/workload.ts';
import { CONTROLLER_NAMES } from '../schema/cluster.ts';
import type { Settings } from '../settings.ts';
import { CREATE_INTERVAL_US } from './created.ts';
import { isManaged, runsControllers } from './managed.ts';
import { isIdentityOf } from './names.ts';
import { numberIn } from './numberIn.ts';
import { namesOf, placedPods } from './placedPods.ts';
import { MANIFEST, podLists } from './podLists.ts';
import { faultsOf } from './podSpec.ts';
import { templateOf } from './templates.ts';
import { budgetObject, workloadObject } from './workloadObjects.ts';

/** Requests of one instant come to the API server so far apart. Our own assumption. */
const CREATE_STEP = milliseconds(0.3);
const WATCHED = [
  'pods',
  'nodes',
  'leases',
  'deployments',
  'replicasets',
  'statefulsets',
  'daemonsets',
  'controllerrevisions',
  'poddisruptionbudgets',
] as const;

/** The workloads that controllers keep, and the budgets, each created in its turn. */
export function workloadWrites(parsed: ParsedText, settings: Settings): readonly ScriptedWrite[] {
  const created = (slot: number, stored: StoredInput): ScriptedWrite => ({
    at: micros(slot * CREATE_INTERVAL_US),
    do: 'create',
    stored,
  });
  return [
    ...parsed.workloads.flatMap((workload) => {
      const { plan, slot } = workload;
      if (plan === null || !isManaged(workload, parsed)) return [];
      const template = templateOf(parsed, settings, workload, MANIFEST);
      return [created(slot, workloadObject(workload, plan, template, settings))];
    }),
    ...parsed.budgets.map((budget) =>
      created(budget.slot, { resource: 'poddisruptionbudgets', object: budgetObject(budget) }),
    ),
  ];
}

/** The controllers of workloads and nodes; null when none of them runs. */
export function workloadsInput(
  parsed: ParsedText,
  settings: Settings,
  actions: readonly WorkloadAction[],
): WorkloadsInput | null {
  if (!runsControllers(parsed)) return null;
  const number = numberIn(settings);
  const flag = (name: string): number => number(`controllerManager/${name}`);
  const isGiven = (name: string): boolean => settings.get(`controllerManager/${name}`)?.from !== 'kubernetesDefault';
  return {
    running: runningOf(parsed.scenario?.controllerManager?.controllers ?? ['*']),
    hops: hopsOf(settings),
    agents: null,
    reports: {
      leaseDuration: seconds(number('kubelet/nodeLeaseDurationSeconds')),
      statusUpdate: seconds(number('kubelet/nodeStatusUpdateFrequency')),
      statusReport: seconds(number('kubelet/nodeStatusReportFrequency')),
    },
    nodeLifecycle: {
      monitorPeriod: seconds(flag('node-monitor-period')),
      gracePeriod: isGiven('node-monitor-grace-period') ? seconds(flag('node-monitor-grace-period')) : null,
      startupGracePeriod: seconds(flag('node-startup-grace-period')),
      evictionRate: flag('node-eviction-rate'),
      secondaryEvictionRate: flag('secondary-node-eviction-rate'),
      largeZone: flag('large-cluster-size-threshold'),
      unhealthyShare: flag('unhealthy-zone-threshold'),
    },
    given: NOTHING_GIVEN,
    special: specialPods(parsed, settings),
    actions,
  };
}

/** A name or `*` lets a controller run, `-name` does not; the name counts more (cmd/kube-controller-manager, IsControllerEnabled). */
function runningOf(names: readonly string[]): readonly WorkloadController[] {
  const entries = Object.entries(CONTROLLER_NAMES);
  return WORKLOAD_CONTROLLERS.filter((controller) => {
    const flag = entries.find(([, name]) => name === controller)?.[0] ?? '';
    return names.includes(flag) || (names.includes('*') && !names.includes(`-${flag}`));
  });
}

function hopsOf(settings: Settings): Readonly<Record<string, MicrosSpan>> {
  const of = (name: string): MicrosSpan => milliseconds(numberIn(settings)(`latencies/${name}`));
  const components = [...WORKLOAD_CONTROLLERS, 'scheduler'];
  const hops = components.flatMap((component): [string, MicrosSpan][] => [
    [`request/${component}`, of('controllerRequest')],
    [`response/${component}`, of('controllerResponse')],
    ...WATCHED.map((resource): [string, MicrosSpan] => [`watch/${component}/${resource}`, of('controllerWatch')]),
  ]);
  return Object.fromEntries([
    ...hops,
    ['request/kubelet', of('apiRequest')],
    ['response/kubelet', of('apiResponse')],
    ['request/createStep', CREATE_STEP],
    ['scheduler/cycle', of('schedulerCycle')],
  ]);
}

/** Pods of managed workloads that entries of `apps` and `faults` name one by one. */
function specialPods(parsed: ParsedText, settings: Settings): WorkloadsInput['special'] {
  const { apps = [], faults = [] } = parsed.scenario ?? {};
  const named = [...apps, ...faults].flatMap(({ pod }) => (pod === undefined ? [] : [pod]));
  if (named.length === 0) return {};
  const special: Record<string, Pick<PodInput, 'containers' | 'initContainers' | 'faults'>> = {};
  const add = (identity: string, names: readonly string[], workload: Workload, revision: number): void => {
    const own = apps.filter(({ pod }) => pod !== undefined && names.includes(pod));
    const [placed] = placedPods(parsed, settings).filter((one) => one.workload === workload);
    special[identity] = {
      ...podLists(parsed, settings, workload, { ...MANIFEST, number: revision }, own),
      faults: faultsOf(faults, { ...(placed as NonNullable<typeof placed>), identity, name: names[0] ?? identity }),
    };
  };
  for (const pod of placedPods(parsed, settings)) {
    const names = namesOf(pod);
    if (isManaged(pod.workload, parsed) && named.some((name) => names.includes(name)))
      add(pod.identity, names, pod.workload, 1);
  }
  for (const name of named) {
    const workload = parsed.workloads.find((one) => isManaged(one, parsed) && isIdentityOf(name, one));
    if (workload && !(name in special)) add(name, [name], workload, Number(/#(\d+)/.exec(name)?.[1] ?? 1));
  }
  return special;
}
