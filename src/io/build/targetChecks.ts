import type { Issue, Path, Severity } from '../issue.ts';
import { pathText } from '../issue.ts';
import type { ParsedText } from '../manifest/parse.ts';
import { allContainers } from '../manifest/workload.ts';
import { type ActionEntry, isNodeAction, isServiceAction, isWorkloadAction } from '../schema/action.ts';
import type { Settings } from '../settings.ts';
import { didYouMean } from '../suggest.ts';
import { clientProblems } from './clientChecks.ts';
import { isManaged } from './managed.ts';
import { isIdentityOf } from './names.ts';
import { peersProblem } from './peers.ts';
import { nodesOf, type PlacedPod, placedPods, podsMeant } from './placedPods.ts';

/** Conditions that Pods have without a readiness gate. */
const OWN_CONDITIONS = [
  'PodScheduled',
  'PodReadyToStartContainers',
  'Initialized',
  'ContainersReady',
  'Ready',
  'DisruptionTarget',
];

/** What the Scenario document says about objects that the text does not have, or not so. */
export function targetChecks(parsed: ParsedText, settings: Settings): Issue[] {
  const { scenario } = parsed;
  const issues: Issue[] = [];
  const add = (severity: Severity, path: Path, message: string, remedy: string): void => {
    issues.push({ severity, ...parsed.placeInScenario(path), path: pathText(path), setting: null, message, remedy });
  };
  for (const [i, name] of (scenario?.staticPods ?? []).entries()) {
    const named = parsed.workloads.filter((workload) => workload.name === name);
    const path = ['staticPods', i];
    if (named.length === 0) {
      const bare = parsed.workloads.filter(({ kind }) => kind === 'Pod').map((workload) => workload.name);
      add('error', path, `there is no Pod ${name} in this text`, didYouMean(name, bare));
    } else if (!named.some(({ kind }) => kind === 'Pod')) {
      add(
        'error',
        path,
        `${named[0]?.kind} ${name} cannot be static`,
        'Use a bare Pod: a kubelet reads only Pods from files.',
      );
    }
  }
  for (const [i, name] of (scenario?.podsWithoutKubelet ?? []).entries()) {
    const names = parsed.workloads.map((workload) => workload.name);
    if (names.includes(name)) continue;
    const path = ['podsWithoutKubelet', i];
    add('error', path, `there is no workload ${name} in this text`, didYouMean(name, names));
  }
  for (const node of Object.keys(scenario?.clockSkew ?? {})) {
    const problem = nodeProblem(node, nodesOf(parsed));
    if (problem) add('error', ['clockSkew', node], problem.message, problem.remedy);
  }
  for (const [i, app] of (scenario?.apps ?? []).entries()) {
    const problem = peersProblem(app, parsed);
    if (problem) add('error', ['apps', i, ...problem.path], problem.message, problem.remedy);
  }
  const actions = scenario?.actions ?? [];
  const faults = scenario?.faults ?? [];
  const { clients = [] } = scenario ?? {};
  const pods = actions.length + faults.length + clients.length > 0 ? placedPods(parsed, settings) : [];
  const end = settings.get('duration')?.value ?? Number.POSITIVE_INFINITY;
  for (const { severity, path, message, remedy } of clientProblems(parsed, pods, end))
    add(severity, path, message, remedy);
  for (const [i, entry] of faults.entries()) {
    const found = podsMeant(entry, pods).length > 0 ? null : nobody(entry, parsed, pods, settings);
    if (found) add(found.severity, ['faults', i, ...found.path], found.message, found.remedy);
  }
  for (const [i, entry] of actions.entries()) {
    const found = isServiceAction(entry.do)
      ? serviceProblem(entry, parsed)
      : isWorkloadAction(entry.do)
        ? workloadProblem(entry, parsed)
        : isNodeAction(entry.do)
          ? nodeProblem(entry.node, nodesOf(parsed))
          : podProblem(entry, parsed, pods, settings);
    if (found) add(found.severity, ['actions', i, ...found.path], found.message, found.remedy);
    if (entry.at >= end)
      add(
        'warning',
        ['actions', i, 'at'],
        `the run ends at ${end} s, before this`,
        'Raise duration, or remove the action.',
      );
  }
  return issues;
}

interface Problem {
  readonly severity: Severity;
  readonly path: Path;
  readonly message: string;
  readonly remedy: string;
}

function serviceProblem({ service = '', namespace }: ActionEntry, { services }: ParsedText): Problem | null {
  const there = services.filter((candidate) => (namespace ?? candidate.namespace) === candidate.namespace);
  const names = there.map(({ manifest }) => manifest.metadata.name);
  if (names.includes(service)) return null;
  return {
    severity: 'error',
    path: ['service'],
    message: `there is no Service ${service} in this text`,
    remedy: names.length > 0 ? didYouMean(service, names) : 'Add the Service.',
  };
}

function nodeProblem(node: string | undefined, nodes: readonly string[]): Problem | null {
  if (node === undefined || nodes.includes(node)) return null;
  return {
    severity: 'error',
    path: ['node'],
    message: `there is no node ${node} in this text`,
    remedy: didYouMean(node, nodes),
  };
}

function podProblem(
  entry: ActionEntry,
  parsed: ParsedText,
  pods: readonly PlacedPod[],
  settings: Settings,
): Problem | null {
  const meant = podsMeant(entry, pods);
  if (meant.length === 0) return isKnownLater(entry, parsed) ? null : nobody(entry, parsed, pods, settings);
  const kubeletProblem = problemOfKubelet(entry, meant);
  if (kubeletProblem) return kubeletProblem;
  const { condition, container } = entry;
  const containers = [...new Set(meant.flatMap(({ workload }) => allContainers(workload).map(({ name }) => name)))];
  if (container !== undefined && !containers.includes(container)) return noContainer(container, containers);
  if (entry.do === 'removeStaticPod' && !meant.some(({ isStatic }) => isStatic)) {
    const [pod] = meant;
    const message = `${pod?.name} is not a static Pod`;
    return {
      severity: 'error',
      path: ['do'],
      message,
      remedy: `Add staticPods: [${pod?.workload.name}], or use deletePod.`,
    };
  }
  const known = [...OWN_CONDITIONS, ...meant.flatMap(({ workload }) => workload.readinessGates)];
  if (condition === undefined || known.includes(condition)) return null;
  return {
    severity: 'warning',
    path: ['condition'],
    message: `no readiness gate of ${meant[0]?.workload.name} asks for ${condition}: this changes nothing`,
    remedy: didYouMean(condition, known),
  };
}

const noContainer = (container: string, known: readonly string[]): Problem => ({
  severity: 'error',
  path: ['container'],
  message: `there is no container ${container} in this text`,
  remedy: didYouMean(container, known),
});

/** Whether the entry names a Pod that controllers may make during the run. */
const isKnownLater = ({ pod }: ActionEntry, parsed: ParsedText): boolean =>
  pod !== undefined && parsed.workloads.some((workload) => isManaged(workload, parsed) && isIdentityOf(pod, workload));

/** Actions on a workload that it cannot carry out. */
function workloadProblem(
  { do: what, workload: name = '', namespace, container }: ActionEntry,
  { workloads }: ParsedText,
): Problem | null {
  const there = workloads.filter((candidate) => (namespace ?? candidate.namespace) === candidate.namespace);
  const found = there.find((candidate) => candidate.name === name);
  const refused = (path: Path, message: string, remedy: string): Problem => ({
    severity: 'error',
    path,
    message,
    remedy,
  });
  if (!found) {
    const names = there.filter(({ plan }) => plan !== null).map((candidate) => candidate.name);
    return refused(['workload'], `there is no workload ${name} in this text`, didYouMean(name, names));
  }
  const { kind } = found;
  if (kind === 'Pod')
    return refused(['workload'], `${name} is a bare Pod: nobody ${VERBS[what]} it`, 'Use a Deployment.');
  if ((what === 'pause' || what === 'resume') && kind !== 'Deployment')
    return refused(['do'], `only a Deployment can be paused, and ${name} is a ${kind}`, 'Remove the action.');
  if (what === 'scale' && kind === 'DaemonSet')
    return refused(['do'], `the DaemonSet ${name} has one Pod on each node`, 'Add a Node, or remove the action.');
  if (what === 'undo' && kind === 'ReplicaSet')
    return refused(['do'], `the ReplicaSet ${name} keeps no revisions`, 'Use a Deployment.');
  const containers = allContainers(found).map((one) => one.name);
  if (container === undefined || containers.includes(container)) return null;
  return noContainer(container, containers);
}
const VERBS: Readonly<Partial<Record<ActionEntry['do'], string>>> = {
  rollOut: 'rolls out',
  scale: 'scales',
  undo: 'rolls back',
  pause: 'pauses',
  resume: 'resumes',
};

/** setReady is for Pods without a kubelet, and what a kubelet would have to do is not. */
function problemOfKubelet({ do: what }: ActionEntry, meant: readonly PlacedPod[]): Problem | null {
  const [pod] = meant;
  const path = ['do'];
  if (what === 'setReady' && meant.some(({ hasKubelet }) => hasKubelet)) {
    return {
      severity: 'error',
      path,
      message: `${pod?.name} has a kubelet, which decides whether it is Ready`,
      remedy: `Let its app fail (apps), or add podsWithoutKubelet: [${pod?.workload.name}].`,
    };
  }
  if (
    (what === 'patchCondition' || what === 'removeStaticPod' || what === 'crash') &&
    meant.some(({ hasKubelet }) => !hasKubelet)
  ) {
    return {
      severity: 'error',
      path,
      message: `${pod?.name} has no kubelet: ${what} would change nothing`,
      remedy: 'Use setReady, labelPod or deletePod, or remove it from podsWithoutKubelet.',
    };
  }
  return null;
}

/** The first part of an entry that fits nothing; null for a workload that has no Pod. */
function nobody(
  { namespace, pod, workload }: Pick<ActionEntry, 'namespace' | 'pod' | 'workload'>,
  { workloads }: ParsedText,
  pods: readonly PlacedPod[],
  settings: Settings,
): Problem | null {
  const problem = (field: string, value: string, known: readonly string[], severity: Severity = 'error'): Problem => ({
    severity,
    path: [field],
    message: `there is no ${field} ${value} in this text`,
    remedy: didYouMean(value, [...new Set(known)]),
  });
  const there = workloads.filter((candidate) => (namespace ?? candidate.namespace) === candidate.namespace);
  if (there.length === 0 && namespace !== undefined) {
    const namespaces = workloads.map((candidate) => candidate.namespace);
    return problem('namespace', namespace, namespaces);
  }
  const names = there.map(({ name }) => name);
  if (workload !== undefined) return names.includes(workload) ? null : problem('workload', workload, names);
  // A slider that takes Pods away is no mistake in the text.
  const shrunk = there.some(({ path }) => settings.get(`${path}/replicas`)?.from === 'slider');
  const known = pods.filter((candidate) => there.includes(candidate.workload)).map(({ name }) => name);
  return problem('pod', pod ?? '', known, shrunk ? 'warning' : 'error');
}
