import { MICROS_PER_MS, seconds } from '../../base/units.ts';
import type { PeersInput } from '../../sim/clientInput.ts';
import type { ContainerInput, Hook, HookName, PodInput, ProbeKind, ProbeSpec } from '../../sim/scenario.ts';
import type { ParsedText } from '../manifest/parse.ts';
import { fits, isOf } from '../manifest/scenarioSettings.ts';
import { allContainers, type Workload, type WorkloadContainer } from '../manifest/workload.ts';
import type { ActionEntry } from '../schema/action.ts';
import type { App } from '../schema/app.ts';
import type { ProbeNumber, Setting, Settings } from '../settings.ts';
import { appRuns, worldOutages } from './appRuns.ts';
import { numberIn } from './numberIn.ts';
import { needsOf, peersOf } from './peers.ts';

/** One template of a workload. */
export interface Revision {
  /** From 1: the manifest. */
  readonly number: number;
  /** The rollouts that made it of the manifest, in order. */
  readonly changes: readonly ActionEntry[];
}
export const MANIFEST: Revision = { number: 1, changes: [] };

/** The containers of a Pod of that revision. `own`: entries of `apps` about this Pod alone. */
export function podLists(
  { scenario, services }: ParsedText,
  settings: Settings,
  workload: Workload,
  revision: Revision,
  own: readonly App[],
): Pick<PodInput, 'containers' | 'initContainers'> {
  const apps = (scenario?.apps ?? []).filter((app) => isOf(app, revision.number));
  const build = (container: WorkloadContainer): ContainerInput => {
    const app = lastApp(apps, workload, container, own);
    const peers = peersOf(app, workload.namespace, services);
    return buildContainer(container, workload, { app, peers }, settings, revision);
  };
  return { containers: workload.containers.map(build), initContainers: workload.initContainers.map(build) };
}

/** The last entry that fits: one for all Pods, or one of `own` for this Pod alone. */
const lastApp = (
  apps: readonly App[],
  workload: Workload,
  container: WorkloadContainer,
  own: readonly App[],
): App | null =>
  apps.findLast((app) => fits(app, workload, container) && (app.pod === undefined || own.includes(app))) ?? null;

function buildContainer(
  container: WorkloadContainer,
  workload: Workload,
  { app, peers }: { readonly app: App | null; readonly peers: PeersInput | null },
  settings: Settings,
  { changes }: Revision,
): ContainerInput {
  const path = `${workload.path}/${container.name}`;
  const own = changes.filter((change) => change.container === undefined || change.container === container.name);
  const probe = (kind: ProbeKind): ProbeSpec | null => {
    const handler = container.probes[kind];
    if (!handler) return null;
    const changed = (field: ProbeNumber): number | undefined =>
      own.findLast((change) => change[`${kind}Probe`]?.[field] !== undefined)?.[`${kind}Probe`]?.[field];
    const number = (field: ProbeNumber): number => changed(field) ?? numberIn(settings)(`${path}/${kind}/${field}`);
    return {
      initialDelaySeconds: number('initialDelaySeconds'),
      periodSeconds: number('periodSeconds'),
      timeoutSeconds: number('timeoutSeconds'),
      successThreshold: number('successThreshold'),
      failureThreshold: number('failureThreshold'),
      terminationGracePeriodSeconds:
        changed('terminationGracePeriodSeconds') ??
        settings.get(`${path}/${kind}/terminationGracePeriodSeconds`)?.value ??
        null,
      handler: { type: handler.type, target: handler.target },
    };
  };
  const probes = { startup: probe('startup'), readiness: probe('readiness'), liveness: probe('liveness') };
  const hook = (name: HookName): Hook | null => {
    const type = container.hooks[name]?.type;
    if (type === undefined) return null;
    return type === 'sleep' ? { type, seconds: numberIn(settings)(`${path}/${name}.sleep.seconds`) } : { type };
  };
  const timeoutSeconds = {
    startup: probes.startup?.timeoutSeconds ?? 1,
    readiness: probes.readiness?.timeoutSeconds ?? 1,
    liveness: probes.liveness?.timeoutSeconds ?? 1,
  };
  const ofApp = {
    readyAfter: settingAt(settings, `${path}/readyAfter`),
    answersIn: settingAt(settings, `${path}/answersIn`),
    hookAnswersIn: (name: HookName) => settings.get(`${path}/${name}.answersIn`) ?? null,
    timeoutSeconds,
  };
  return {
    name: container.name,
    image: own.findLast(({ image }) => image !== undefined)?.image ?? container.image,
    ports: container.ports,
    outages: worldOutages(app, container, ofApp),
    ...needsOf(peers, container.probes.readiness, numberIn(settings)(`${path}/answersIn`) * MICROS_PER_MS),
    isSidecar: container.role === 'sidecar',
    restart: container.restart,
    imagePull: app?.imagePull ? { takes: seconds(app.imagePull.takes), failures: app.imagePull.failures ?? 0 } : null,
    postStart: hook('postStart'),
    preStop: hook('preStop'),
    latencyIndex: allContainers(workload).indexOf(container),
    probes,
    runs: appRuns(app, container, ofApp),
  };
}

function settingAt(settings: Settings, path: string): Setting {
  const setting = settings.get(path);
  if (!setting) throw new Error(`no setting ${path}`);
  return setting;
}
