import type { Complaint, Issue, Range, Severity } from '../issue.ts';
import type { ParsedText } from '../manifest/parse.ts';
import { fits } from '../manifest/scenarioSettings.ts';
import { allContainers, type Workload, type WorkloadContainer } from '../manifest/workload.ts';
import type { Settings } from '../settings.ts';
import { targetChecks } from './targetChecks.ts';

/** What only the numbers of a text and its sliders together can tell. */
export function crossChecks(parsed: ParsedText, settings: Settings): Issue[] {
  const issues = parsed.workloads.flatMap((workload) =>
    allContainers(workload).flatMap((container) => [
      ...hookChecks(workload, container, parsed, settings),
      ...initChecks(workload, container, parsed),
    ]),
  );
  // What could not be read is not there to be named: its own error says enough.
  const allRead = !parsed.issues.some(({ severity }) => severity === 'error');
  return allRead ? [...issues, ...targetChecks(parsed, settings)] : issues;
}

/** An issue about a setting, or about a place of the text without one. */
const issueAt = (
  severity: Severity,
  range: Range,
  path: string,
  setting: string | null,
  complaint: Complaint,
): Issue => ({ severity, ...range, path, setting, ...complaint });

/** K-082, K-086; pkg/apis/core/validation/validation.go, validateSleepAction. */
function hookChecks(
  { path, name }: Workload,
  container: WorkloadContainer,
  parsed: ParsedText,
  settings: Settings,
): Issue[] {
  const gracePath = `${path}/terminationGracePeriodSeconds`;
  const grace = settings.get(gracePath);
  if (container.preStop === null || grace?.value === null || grace === undefined) return [];
  const seconds = grace.value;
  const own = `${path}/${container.name}/preStop.${container.preStop.type === 'sleep' ? 'sleep.seconds' : 'answersIn'}`;
  const takes = settings.get(own);
  const tell = (severity: Severity, message: string, remedy: string): Issue[] => {
    const shown = grace.from === 'slider' && takes?.from !== 'slider' ? gracePath : own;
    return [issueAt(severity, parsed.placeOf(own), own, shown, { message, remedy })];
  };
  const length = takes?.value ?? 0;
  if (length > seconds) {
    return container.preStop.type === 'sleep'
      ? tell(
          'error',
          `preStop.sleep.seconds must not be more than terminationGracePeriodSeconds (${seconds}), but is ${length}`,
          `Write ${seconds} or less, or raise terminationGracePeriodSeconds of ${name}.`,
        )
      : tell(
          'warning',
          `the preStop hook takes ${length} s, but the grace period is ${seconds} s: SIGTERM comes while the hook still runs, and SIGKILL 2 s later`,
          `Raise terminationGracePeriodSeconds of ${name} to more than ${length}.`,
        );
  }
  if (container.preStop.type === 'sleep' || takes?.from !== 'productDefault') return [];
  return tell(
    'note',
    `how long the preStop hook of ${container.name} takes is not known: here it ends at once`,
    `Say it in the Scenario document: apps: [{container: ${container.name}, preStop: {answersIn: 5s}}].`,
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
