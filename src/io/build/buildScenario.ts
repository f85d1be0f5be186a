import { MICROS_PER_SECOND, micros, milliseconds, seconds } from '../../base/units.ts';
import type { Labels } from '../../sim/api/objects.ts';
import { stableUid } from '../../sim/api/stableNames.ts';
import {
  FEATURE_GATES,
  type FeatureGate,
  type KubeletConfig,
  type Latencies,
  type Pins,
  type PodInput,
  type Scenario,
} from '../../sim/scenario.ts';
import type { ParsedText } from '../manifest/parse.ts';
import { STATIC_TOLERATIONS } from '../manifest/tolerations.ts';
import { KUBERNETES, LATENCY_NAMES, type Settings } from '../settings.ts';
import { happeningsOf } from './actions.ts';
import { clusterOf } from './cluster.ts';
import { CREATE_INTERVAL_US } from './created.ts';
import { isManaged } from './managed.ts';
import { numberIn } from './numberIn.ts';
import { namesOf, nodesOf, type PlacedPod, placedPods } from './placedPods.ts';
import { MANIFEST, podLists } from './podLists.ts';
import { faultsOf, podSpecOf } from './podSpec.ts';

/** The simulator's input. Every number is in `settings`; `parsed` has no error. */
export function buildScenario(parsed: ParsedText, settings: Settings): Scenario {
  const { scenario } = parsed;
  const number = numberIn(settings);
  const pods = buildPods(parsed, settings);
  const happenings = happeningsOf(parsed, settings);
  const scripted = pods.filter(({ hasKubelet }) => !hasKubelet).map(({ input }) => input);
  return {
    duration: seconds(number('duration')),
    seed: number('seed'),
    kubernetes: `1.${number(KUBERNETES)}`,
    wallClock: scenario?.startTime ?? null,
    kubelet: {
      processStart: micros(-Math.round(number('kubelet/uptime') * MICROS_PER_SECOND)),
      syncLoopDelay: null,
      syncFrequencySeconds: number('kubelet/syncFrequency'),
      maxContainerRestartPeriodSeconds: number('kubelet/maxContainerRestartPeriod'),
      ...gatesOf(scenario?.kubelet?.featureGates ?? {}),
    },
    latency: Object.fromEntries(
      LATENCY_NAMES.map((name) => [name, milliseconds(number(`latencies/${name}`))]),
    ) as unknown as Latencies,
    clockSkew: Object.fromEntries(
      Object.entries(scenario?.clockSkew ?? {}).map(([node, ahead]) => [node, seconds(ahead)]),
    ),
    nodes: nodesOf(parsed),
    perNode: {},
    pods: pods.filter(({ hasKubelet }) => hasKubelet).map(({ input }) => input),
    cluster: clusterOf(parsed, settings, scripted, happenings),
    actions: happenings.actions,
    pins: pinsOf(scenario?.draws ?? {}),
  };
}

/** Without any gate on, nothing: a scenario is the same whether its defaults are written out or not. */
function gatesOf(
  given: Readonly<Partial<Record<FeatureGate, boolean | undefined>>>,
): Pick<KubeletConfig, 'featureGates'> {
  const on = (Object.keys(FEATURE_GATES) as FeatureGate[]).filter((gate) => given[gate] === true);
  return on.length > 0 ? { featureGates: on } : {};
}

const pinsOf = (draws: Readonly<Record<string, readonly (number | string)[]>>): Pins =>
  Object.fromEntries(
    Object.entries(draws).map(([name, values]) => [name, values.map((value) => ({ value, at: null }))]),
  );

interface BuiltPod {
  readonly input: PodInput;
  readonly hasKubelet: boolean;
}

/** The Pods that no controller makes. */
function buildPods(parsed: ParsedText, settings: Settings): BuiltPod[] {
  const apps = parsed.scenario?.apps ?? [];
  const shared = new Map(
    parsed.workloads.map((workload) => [workload, podLists(parsed, settings, workload, MANIFEST, [])]),
  );
  const placed = placedPods(parsed, settings).filter(({ workload }) => !isManaged(workload, parsed));
  return placed.map((pod) => {
    const { workload, ordinal, identity, name, node, isStatic, hasKubelet } = pod;
    const own = apps.filter(({ pod: named }) => named !== undefined && namesOf(pod).includes(named));
    const input: PodInput = {
      ...podSpecOf(workload, settings, MANIFEST),
      identity,
      namespace: workload.namespace,
      name,
      uid: stableUid(identity),
      node,
      labels: labelsOf(pod),
      // A StatefulSet gives each of its Pods its name as host name (pkg/controller/statefulset, initIdentity).
      hostname: workload.kind === 'StatefulSet' ? name : workload.hostname,
      owner: null,
      createdAt: micros((workload.slot + ordinal) * CREATE_INTERVAL_US),
      isStatic,
      ...(isStatic && { tolerations: STATIC_TOLERATIONS }),
      faults: faultsOf(parsed.scenario?.faults ?? [], pod),
      ...((own.length === 0 && shared.get(workload)) || podLists(parsed, settings, workload, MANIFEST, own)),
    };
    return { input, hasKubelet };
  });
}

/** A Service of one Pod of a StatefulSet selects by the label with its name. */
const labelsOf = ({ workload, name }: PlacedPod): Labels =>
  workload.kind === 'StatefulSet'
    ? { ...workload.labels, 'statefulset.kubernetes.io/pod-name': name }
    : workload.labels;
