import { HOOK_NAMES } from '../../sim/scenario.ts';
import {
  CLIENT_NUMBER_NAMES,
  CLUSTER_LATENCY_NAMES,
  CONTROLLER_FLAG_NAMES,
  graceRule,
  NO_MIN_SYNC_PERIOD,
  PROXY_NUMBER_NAMES,
} from '../clusterSettings.ts';
import type { Path } from '../issue.ts';
import type { NumberRule } from '../numberRule.ts';
import type { App } from '../schema/app.ts';
import type { ScenarioDocument } from '../schema/scenarioDocument.ts';
import { checkNumber, KUBERNETES, LATENCY_NAMES, ruleOf, WORLD_SETTINGS } from '../settings.ts';
import { didYouMean } from '../suggest.ts';
import { clientSetting, type NamedClient } from './clients.ts';
import type { FoundScenario } from './objectReader.ts';
import { type Report, type Spot, TEXT_START, within } from './report.ts';
import type { SettingsBuilder } from './settingsBuilder.ts';
import { allContainers, type Workload, type WorkloadContainer } from './workload.ts';

/** What kubelets tell of their nodes. */
const REPORT_FIELDS = ['nodeLeaseDurationSeconds', 'nodeStatusUpdateFrequency', 'nodeStatusReportFrequency'] as const;

const NOWHERE: Spot = { doc: { value: null, emptyKeys: [], locate: () => TEXT_START }, path: [] };

interface Given {
  readonly path: Path;
  readonly seconds: number | undefined;
}

/** Where the Scenario document gives a setting, in seconds. */
function givenBy(scenario: ScenarioDocument | null): ReadonlyMap<string, Given> {
  const { kubelet, latencies, controllerManager, kubeProxy } = scenario ?? {};
  return new Map<string, Given>([
    ['duration', { path: ['duration'], seconds: scenario?.duration }],
    ['seed', { path: ['seed'], seconds: scenario?.seed }],
    [KUBERNETES, { path: [KUBERNETES], seconds: scenario?.kubernetes }],
    ['kubelet/syncFrequency', { path: ['kubelet', 'syncFrequency'], seconds: kubelet?.syncFrequency }],
    ...REPORT_FIELDS.map((name) => [`kubelet/${name}`, { path: ['kubelet', name], seconds: kubelet?.[name] }] as const),
    ['kubelet/uptime', { path: ['kubelet', 'uptime'], seconds: kubelet?.uptime }],
    [
      'kubelet/maxContainerRestartPeriod',
      {
        path: ['kubelet', 'crashLoopBackOff', 'maxContainerRestartPeriod'],
        seconds: kubelet?.crashLoopBackOff?.maxContainerRestartPeriod,
      },
    ],
    ...CONTROLLER_FLAG_NAMES.map(
      (flag) =>
        [
          `controllerManager/${flag}`,
          { path: ['controllerManager', flag], seconds: controllerManager?.[flag] },
        ] as const,
    ),
    ...PROXY_NUMBER_NAMES.map(
      (name) => [`kubeProxy/${name}`, { path: ['kubeProxy', name], seconds: kubeProxy?.[name] }] as const,
    ),
    ...[...LATENCY_NAMES, ...CLUSTER_LATENCY_NAMES].map(
      (name) => [`latencies/${name}`, { path: ['latencies', name], seconds: latencies?.[name] }] as const,
    ),
  ]);
}

const toUnit = (seconds: number, unit: 's' | 'ms' | ''): number =>
  unit === 'ms' ? Math.round(seconds * 1e6) / 1e3 : seconds;

/** The rule of a setting, with the default that it has in that scenario. */
function ruleIn(scenario: ScenarioDocument | null, path: string): NumberRule | null {
  const mode = scenario?.kubeProxy?.mode;
  if (path === 'kubeProxy/minSyncPeriod' && (mode === 'ipvs' || mode === 'ebpf')) return NO_MIN_SYNC_PERIOD;
  if (path === 'controllerManager/node-monitor-grace-period') return graceRule(scenario?.kubernetes);
  return ruleOf(path);
}

/** Puts the settings of the world and of the apps beside those of the manifests. */
export function readScenarioSettings(
  found: FoundScenario | null,
  workloads: readonly Workload[],
  clients: readonly NamedClient[],
  settings: SettingsBuilder,
  report: Report,
): void {
  const spot = found?.spot ?? NOWHERE;
  const given = givenBy(found?.value ?? null);
  const put = (path: string, seconds: number | undefined, at: Spot): void => {
    const rule = ruleIn(found?.value ?? null, path);
    if (!rule) throw new Error(`no rule for ${path}`);
    const value = seconds === undefined ? undefined : toUnit(seconds, rule.unit);
    const complaint = value === undefined ? null : checkNumber(path.split('/').at(-1) ?? path, rule, value);
    if (complaint) report.add('error', at, complaint, { setting: path });
    settings.add(path, rule, value, 'scenario', at);
  };
  for (const path of WORLD_SETTINGS) {
    const entry = given.get(path);
    put(path, entry?.seconds, within(spot, ...(entry?.path ?? [])));
  }
  for (const { name, entry, index } of clients) {
    for (const field of CLIENT_NUMBER_NAMES)
      put(clientSetting(name, field), entry[field], index === null ? spot : within(spot, 'clients', index, field));
  }
  const apps = found?.value?.apps ?? [];
  // A workload that could not be read is not there to be named: its own error says enough.
  const allRead = !report.issues.some(({ severity }) => severity === 'error');
  if (allRead) for (const [i, app] of apps.entries()) checkTarget(app, within(spot, 'apps', i), workloads, report);
  for (const workload of workloads) {
    for (const container of allContainers(workload)) {
      const { name } = container;
      const index = apps.findLastIndex(
        (app) => app.pod === undefined && isOf(app, 1) && fits(app, workload, container),
      );
      const firstRun = apps[index]?.runs?.[0];
      for (const hookName of HOOK_NAMES) {
        const inRun = firstRun?.[hookName] !== undefined;
        const seconds = (inRun ? firstRun : apps[index])?.[hookName]?.answersIn;
        const path = `${workload.path}/${name}/${hookName}.answersIn`;
        if (settings.settings.has(path) && seconds !== undefined)
          put(path, seconds, within(spot, 'apps', index, ...(inRun ? ['runs', 0] : []), hookName, 'answersIn'));
      }
      for (const field of ['readyAfter', 'answersIn'] as const) {
        const inRun = firstRun?.[field] !== undefined;
        put(
          `${workload.path}/${name}/${field}`,
          inRun ? firstRun[field] : apps[index]?.[field],
          within(spot, 'apps', index, ...(inRun ? ['runs', 0, field] : [field])),
        );
      }
    }
  }
}

/** Is the entry about that container of that workload, as far as it names them? Its `pod` is not asked. */
export const fits = (app: App, workload: Workload, { name, role }: WorkloadContainer): boolean =>
  (app.namespace ?? workload.namespace) === workload.namespace &&
  (app.workload ?? workload.name) === workload.name &&
  (app.container === undefined ? role !== 'init' : app.container === name);

/** Is the entry about Pods of that revision of their workload? */
export const isOf = ({ revision }: App, of: number): boolean => revision === undefined || revision === of;

/** Reports an entry of `apps` that is about nothing in the text. */
function checkTarget(app: App, spot: Spot, workloads: readonly Workload[], report: Report): void {
  const inNamespace = workloads.filter(({ namespace }) => (app.namespace ?? namespace) === namespace);
  const named = inNamespace.filter(({ name }) => (app.workload ?? name) === name);
  const nothing = (field: string, value: string, known: readonly string[]): void =>
    report.add('error', within(spot, field), {
      message: `there is no ${field} ${value} in this text`,
      remedy: didYouMean(value, known),
    });
  if (inNamespace.length === 0 && app.namespace !== undefined)
    nothing(
      'namespace',
      app.namespace,
      workloads.map(({ namespace }) => namespace),
    );
  else if (named.length === 0 && app.workload !== undefined)
    nothing(
      'workload',
      app.workload,
      inNamespace.map(({ name }) => name),
    );
  else if (app.container !== undefined) {
    const containers = named.flatMap((workload) => allContainers(workload).map(({ name }) => name));
    if (!containers.includes(app.container)) nothing('container', app.container, [...new Set(containers)]);
  }
}
