import { HOOK_NAMES, type HookName } from '../../sim/scenario.ts';
import type { Complaint, Issue, Range, Severity } from '../issue.ts';
import type { ParsedText } from '../manifest/parse.ts';
import { fits } from '../manifest/scenarioSettings.ts';
import { allContainers, type Workload, type WorkloadContainer } from '../manifest/workload.ts';
import type { Settings } from '../settings.ts';
import { nodesFor, nodesOf } from './placedPods.ts';
import { rolloutChecks } from './rolloutChecks.ts';
import { targetChecks } from './targetChecks.ts';
import { versionChecks } from './versionChecks.ts';

/** What only the numbers of a text and its sliders together can tell. */
export function crossChecks(parsed: ParsedText, settings: Settings): Issue[] {
  const issues = parsed.workloads.flatMap((workload) => [
    ...allContainers(workload).flatMap((container) => [
      ...HOOK_NAMES.flatMap((name) => hookChecks(name, workload, container, parsed, settings)),
      ...initChecks(workload, container, parsed),
    ]),
    ...rolloutChecks(workload, parsed, settings),
    ...placeChecks(workload, parsed),
    ...pauseChecks(workload, parsed),
  ]);
  // What could not be read is not there to be named: its own error says enough.
  const allRead = !parsed.issues.some(({ severity }) => severity === 'error');
  return allRead ? [...issues, ...targetChecks(parsed, settings), ...versionChecks(parsed, settings)] : issues;
}

/** An issue about a setting, or about a place of the text without one. */
const issueAt = (
  severity: Severity,
  range: Range,
  path: string,
  setting: string | null,
  complaint: Complaint,
): Issue => ({ severity, ...range, path, setting, ...complaint });

/** A Deployment that is paused as it comes has no ReplicaSet yet, and makes none (pkg/controller/deployment/sync.go). */
function pauseChecks({ plan, name, path, namespace }: Workload, parsed: ParsedText): Issue[] {
  const isResumed = (parsed.scenario?.actions ?? []).some(
    (entry) => entry.do === 'resume' && entry.workload === name && (entry.namespace ?? namespace) === namespace,
  );
  if (plan?.kind !== 'Deployment' || !plan.paused || isResumed) return [];
  return [
    issueAt('warning', parsed.placeOf(path), path, null, {
      message: `Deployment ${name} is paused from its start: it makes no Pod until it is resumed`,
      remedy: `Remove paused, or add an action { do: resume, workload: ${name} }.`,
    }),
  ];
}

/** A bare Pod is on its node from the start: no scheduler is asked. */
function placeChecks(workload: Workload, parsed: ParsedText): Issue[] {
  const { kind, nodeName, name, path } = workload;
  const isStatic = parsed.scenario?.staticPods?.includes(name) ?? false;
  if (kind !== 'Pod' || nodeName !== null || isStatic) return [];
  const nodes = nodesOf(parsed);
  if (nodesFor(workload, parsed, nodes).length > 0) return [];
  return [
    issueAt('warning', parsed.placeOf(path), path, null, {
      message: `no Node of this text takes Pod ${name}: in a cluster it would wait without a node, here it runs on one of them all the same`,
      remedy: 'Tolerate the taints, uncordon a Node, or make it a Deployment: its Pods ask the scheduler.',
    }),
  ];
}

/** K-072, K-082, K-086; pkg/apis/core/validation/validation.go, validateSleepAction. */
function hookChecks(
  name: HookName,
  workload: Workload,
  container: WorkloadContainer,
  parsed: ParsedText,
  settings: Settings,
): Issue[] {
  const gracePath = `${workload.path}/terminationGracePeriodSeconds`;
  const hook = container.hooks[name];
  const own = `${workload.path}/${container.name}/${name}.${hook?.type === 'sleep' ? 'sleep.seconds' : 'answersIn'}`;
  const grace = settings.get(gracePath);
  const takes = settings.get(own);
  if (!hook || !takes || !grace) return [];
  const limit = grace.value ?? 0;
  const length = takes.value ?? 0;
  const tell = (severity: Severity, message: string, remedy: string): Issue[] => {
    const shown = grace.from === 'slider' && takes.from !== 'slider' ? gracePath : own;
    return [issueAt(severity, parsed.placeOf(own), own, shown, { message, remedy })];
  };
  if (hook.type === 'sleep' && length > limit)
    return tell(
      'error',
      `${name}.sleep.seconds must not be more than terminationGracePeriodSeconds (${limit}), but is ${length}`,
      `Write ${limit} or less, or raise terminationGracePeriodSeconds of ${workload.name}.`,
    );
  if (name === 'preStop' && length > limit)
    return tell(
      'warning',
      `the preStop hook takes ${length} s, but the grace period is ${limit} s: SIGTERM comes while the hook still runs, and SIGKILL 2 s later`,
      `Raise terminationGracePeriodSeconds of ${workload.name} to more than ${length}.`,
    );
  if (hook.type === 'sleep' || hook.broken !== null || takes.from !== 'productDefault') return [];
  return tell(
    'note',
    `how long the ${name} hook of ${container.name} takes is not known: here it ends at once`,
    `Say it in the Scenario document: apps: [{container: ${container.name}, ${name}: {answersIn: 5s}}].`,
  );
}

/** Says that the end of an init container is assumed. */
function initChecks(workload: Workload, container: WorkloadContainer, parsed: ParsedText): Issue[] {
  const { name, role } = container;
  const apps = parsed.scenario?.apps ?? [];
  if (role !== 'init' || apps.some((app) => fits(app, workload, container))) return [];
  const path = `${workload.path}/${name}`;
  return [
    issueAt('note', parsed.placeOf(path), path, null, {
      message: `what the init container ${name} does is not known: here it ends well after 1 s ≈`,
      remedy: `Say it in the Scenario document: apps: [{container: ${name}, exit: {at: 5s}}].`,
    }),
  ];
}
