/** A scenario with one setting changed, as a slider of that name would change it. */
import { seconds } from '../base/units.ts';
import type { PodTemplate } from '../sim/api/workloadObjects.ts';
import type { ClusterInput, StoredInput } from '../sim/clusterInput.ts';
import {
  type AppRun,
  type AppStep,
  type ContainerInput,
  type PodInput,
  PROBE_KINDS,
  type ProbeKind,
  type ProbeSpec,
  type Scenario,
} from '../sim/scenario.ts';

/**
 * A single change. `setting` is named as sliders name it (`default/web/app/readiness/periodSeconds`,
 * `kubeProxy/minSyncPeriod`); numbers are in its unit. From null: the probe is new, and asks as the readiness probe does.
 */
export interface Edit {
  readonly setting: string;
  readonly from: number | null;
  readonly to: number;
}

export const MIN_SYNC_PERIOD = 'kubeProxy/minSyncPeriod';
export const BATCH_PERIOD = 'controllerManager/endpointslice-updates-batch-period';

/** `namespace/workload` of an identity, as settings begin. */
export const workloadOf = (identity: string): string => identity.replace(/#.*$/, '');

/** Seconds that a workload's new Pod must be ready before the next one is replaced. */
export const minReadyOf = (workload: string): string => `${workload}/minReadySeconds`;
/** Whose it is; null for settings of other things. */
const minReadySetting = (setting: string): string | null => /^(.+)\/minReadySeconds$/.exec(setting)?.[1] ?? null;

/** Of a probe's setting: whose it is. Null for settings of other things. */
export function probeSetting(setting: string): ProbeSetting | null {
  const [namespace = '', workload = '', container = '', kind, field] = setting.split('/');
  const probe = PROBE_KINDS.find((name) => name === kind);
  if (probe === undefined || field === undefined) return null;
  return { workload: `${namespace}/${workload}`, container, probe, field: field as ProbeField };
}
interface ProbeSetting {
  readonly workload: string;
  readonly container: string;
  readonly probe: ProbeKind;
  readonly field: ProbeField;
}
export type ProbeField = Exclude<keyof ProbeSpec, 'handler' | 'terminationGracePeriodSeconds'>;

/** All Pods of the workload, now and later, and all kube-proxies change alike. */
export function applyEdit(scenario: Scenario, { setting, to }: Edit): Scenario {
  const probe = probeSetting(setting);
  if (probe !== null) return withPods(scenario, probe, to);
  const { cluster } = scenario;
  return cluster === null ? scenario : { ...scenario, cluster: withNumber(cluster, setting, to) };
}

function withNumber(cluster: ClusterInput, setting: string, to: number): ClusterInput {
  const period = seconds(to);
  const workload = minReadySetting(setting);
  if (workload !== null)
    return withSpecs(cluster, (spec) =>
      workloadOf(spec.template.identity ?? '') === workload ? { ...spec, minReadySeconds: to } : spec,
    );
  const { proxies, controllers } = cluster;
  if (setting === MIN_SYNC_PERIOD)
    return { ...cluster, proxies: proxies.map((proxy) => ({ ...proxy, minSyncPeriod: period })) };
  if (setting === BATCH_PERIOD) {
    const endpointslices = { ...controllers.endpointslices, batchPeriod: period };
    return { ...cluster, controllers: { ...controllers, endpointslices } };
  }
  throw new Error(`no edit changes ${setting}`);
}

type WithContainers = Pick<PodInput, 'containers' | 'initContainers'>;

function withPods(scenario: Scenario, setting: ProbeSetting, to: number): Scenario {
  const edited = (container: ContainerInput): ContainerInput =>
    container.name === setting.container ? withProbe(container, setting, to) : container;
  const changed = <P extends WithContainers>(identity: string | null, pod: P): P =>
    workloadOf(identity ?? '') === setting.workload
      ? { ...pod, containers: pod.containers.map(edited), initContainers: pod.initContainers.map(edited) }
      : pod;
  const { pods, cluster } = scenario;
  return {
    ...scenario,
    pods: pods.map((pod) => changed(pod.identity, pod)),
    cluster: cluster && withClusterPods(cluster, changed),
  };
}

/** Pods that a rollout adds, the templates of workloads, and what is special about single Pods. */
function withClusterPods(
  cluster: ClusterInput,
  changed: <P extends WithContainers>(identity: string | null, pod: P) => P,
): ClusterInput {
  const edited = withSpecs(cluster, ({ template, ...spec }) => ({
    ...spec,
    template: { ...template, pod: changed(template.identity, template.pod) },
  }));
  const { rollouts, workloads } = edited;
  return {
    ...edited,
    rollouts: rollouts.map((rollout) => ({
      ...rollout,
      replace: rollout.replace.map(({ add, remove }) => ({ add: changed(add.identity, add), remove })),
    })),
    workloads: workloads && {
      ...workloads,
      special: Object.fromEntries(
        Object.entries(workloads.special).map(([identity, pod]) => [identity, changed(identity, pod)]),
      ),
    },
  };
}

interface WorkloadSpec {
  readonly template: PodTemplate;
}

/** The specs of workloads, as they are made and as they become. */
function withSpecs(cluster: ClusterInput, change: (spec: WorkloadSpec) => WorkloadSpec): ClusterInput {
  const { existing, writes, workloads } = cluster;
  const edited = <S extends object>(spec: S): S =>
    'template' in spec ? (change(spec as S & WorkloadSpec) as S & WorkloadSpec) : spec;
  const stored = <S extends StoredInput>(input: S): S =>
    'spec' in input.object ? { ...input, object: { ...input.object, spec: edited(input.object.spec) } } : input;
  return {
    ...cluster,
    existing: existing.map(stored),
    writes: writes.map((write) => ('stored' in write ? { ...write, stored: stored(write.stored) } : write)),
    workloads: workloads && {
      ...workloads,
      actions: workloads.actions.map((action) =>
        action.do === 'patch' ? { ...action, spec: edited(action.spec) } : action,
      ),
    },
  };
}

/** A startup probe that is new may fail as long as it likes: it is to start the Pod sooner, not to kill it. */
const FAILURES_OF_NEW = 10_000;

function withProbe(container: ContainerInput, { probe, field }: ProbeSetting, to: number): ContainerInput {
  const { probes, runs } = container;
  const own = probes[probe];
  if (own !== null) return { ...container, probes: { ...probes, [probe]: { ...own, [field]: to } } };
  const { readiness } = probes;
  if (readiness === null) return container;
  const added = { ...readiness, initialDelaySeconds: 0, successThreshold: 1, failureThreshold: FAILURES_OF_NEW };
  return {
    ...container,
    probes: { ...probes, [probe]: { ...added, [field]: to } },
    runs: runs.map((run) => answeringAlike(run, probe)),
  };
}

/** The app answers the probe as it answers readiness. */
function answeringAlike(run: AppRun, probe: ProbeKind): AppRun {
  const alike = (script: readonly AppStep[]): readonly AppStep[] =>
    script.map((step) => {
      const { readiness } = step.answers;
      return readiness === undefined ? step : { ...step, answers: { ...step.answers, [probe]: readiness } };
    });
  const { script, postStart, preStop, onTerm } = run;
  return {
    script: alike(script),
    postStart: postStart && { ...postStart, script: alike(postStart.script) },
    preStop: preStop && { ...preStop, script: alike(preStop.script) },
    onTerm: onTerm && { ...onTerm, script: alike(onTerm.script) },
  };
}
