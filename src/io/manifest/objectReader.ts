import type * as z from 'zod/mini';
import { LABEL } from '../../sim/api/objects.ts';
import type { Path } from '../issue.ts';
import {
  type EndpointSliceManifest,
  type EndpointsManifest,
  endpointSlice,
  endpoints,
  type NodeManifest,
  node,
} from '../schema/endpoints.ts';

import { type PodSpecManifest, pod } from '../schema/pod.ts';

import { type ScenarioDocument, scenarioDocument } from '../schema/scenarioDocument.ts';
import { service } from '../schema/service.ts';
import { check } from '../schema/strict.ts';
import { type PodDisruptionBudgetManifest, podDisruptionBudget, WORKLOADS } from '../schema/workloads.ts';
import { PROBE_NUMBERS } from '../settings.ts';
import { NotModelledList } from './notModelled.ts';
import { type ManifestObject, type NamedObject, nameOf } from './objects.ts';
import { lineOf, type Report, type Spot, within } from './report.ts';
import { checkAllocations, checkServices, type FoundService } from './serviceChecks.ts';
import { SettingsBuilder } from './settingsBuilder.ts';
import { tolerationsOf } from './tolerations.ts';
import { readPodSpec, type Workload } from './workload.ts';
import { planOf, readWorkloadNumbers } from './workloadSpec.ts';

/** The Scenario document; `value` is null when something is wrong with it. */
export interface FoundScenario {
  readonly value: ScenarioDocument | null;
  readonly spot: Spot;
}

/** Endpoints or a slice written by hand. */
export type FoundEndpoints = { readonly slot: number } & (
  | { readonly kind: 'Endpoints'; readonly manifest: EndpointsManifest }
  | { readonly kind: 'EndpointSlice'; readonly manifest: EndpointSliceManifest }
);

/** A PodDisruptionBudget of the text. */
export interface FoundBudget {
  readonly manifest: PodDisruptionBudgetManifest;
  readonly slot: number;
}

/** `namespace/name` of the Service that it is about. */
function serviceNamed({ kind, manifest: { metadata } }: FoundEndpoints): string {
  const name = kind === 'Endpoints' ? metadata.name : metadata.labels?.[LABEL.serviceName];
  return `${metadata.namespace ?? 'default'}/${name ?? ''}`;
}

/** Takes the objects of a text one by one, in order, and keeps what the simulation needs of them. */
export class ObjectReader {
  readonly settings: SettingsBuilder;
  readonly notModelled: NotModelledList;
  readonly used: NamedObject[] = [];
  readonly workloads: Workload[] = [];
  /** By name. */
  readonly nodes = new Map<string, NodeManifest>();
  readonly services: FoundService[] = [];
  readonly endpoints: FoundEndpoints[] = [];
  readonly budgets: FoundBudget[] = [];
  scenario: FoundScenario | null = null;
  /** Pods that a kubelet said to have from a file. */
  private readonly mirrors: { readonly workload: Workload; readonly spot: Spot }[] = [];
  private readonly report: Report;
  /** Objects created so far; Nodes exist before all others. */
  private created = 0;

  constructor(report: Report) {
    this.report = report;
    this.settings = new SettingsBuilder(report);
    this.notModelled = new NotModelledList(report);
  }

  take(object: ManifestObject): void {
    const { kind } = object;
    if (kind !== 'Scenario') this.used.push(nameOf(kind, object.value, object.spot));
    if (kind === 'Scenario') this.takeScenario(object);
    else if (kind === 'Node') this.takeNode(object);
    else if (kind === 'Service') this.takeService(object);
    else if (kind === 'PodDisruptionBudget') this.takeBudget(object);
    else if (kind === 'Endpoints' || kind === 'EndpointSlice') this.takeEndpoints(kind, object);
    else if (kind === 'Pod') this.takePod(object);
    else this.takeWorkload(kind, object);
  }

  /** After the last object: what only the whole text can tell. */
  finish(): void {
    const listed = this.scenario?.value?.staticPods ?? [];
    for (const { workload, spot } of this.mirrors.filter(({ workload: { name } }) => !listed.includes(name))) {
      const instead = 'it is created at the API server like any other Pod, unless staticPods of the Scenario names it';
      this.notModelled.add('warning', 'static Pod', spot, `Pod ${workload.name}`, instead);
    }
    // A workload that could not be read is not there to be selected: its own error says enough.
    const allRead = !this.report.issues.some(({ severity }) => severity === 'error');
    checkAllocations(this.services, this.report);
    if (allRead) checkServices(this.services, this.workloads, new Set(this.endpoints.map(serviceNamed)), this.report);
  }

  private takeScenario(object: ManifestObject): void {
    if (this.scenario) {
      const message = `there is a second Scenario document; the first is on line ${lineOf(within(this.scenario.spot, 'kind'))}`;
      this.report.add('error', within(object.spot, 'kind'), { message, remedy: 'Keep one of them.' });
      return;
    }
    this.scenario = { value: this.checked(scenarioDocument, object), spot: object.spot };
  }

  private takeNode(object: ManifestObject): void {
    const manifest = this.checked(node, object);
    if (!manifest) return;
    const { name } = manifest.metadata;
    if (this.nodes.has(name)) this.tellTwice(`the Node ${name}`, object);
    else this.nodes.set(name, manifest);
  }

  private takeService(object: ManifestObject): void {
    const slot = this.created++;
    const manifest = this.checked(service, object);
    if (!manifest) return;
    const { name, namespace = 'default' } = manifest.metadata;
    this.notModelled.look('service', manifest.spec, within(object.spot, 'spec'), `Service ${name}`);
    const isKnown = this.services.some(
      (other) => other.namespace === namespace && other.manifest.metadata.name === name,
    );
    if (isKnown) this.tellTwice(`the Service ${namespace}/${name}`, object);
    else this.services.push({ manifest, namespace, slot, spot: object.spot });
  }

  private takeBudget(object: ManifestObject): void {
    const slot = this.created++;
    const manifest = this.checked(podDisruptionBudget, object);
    if (!manifest) return;
    this.budgets.push({ manifest, slot });
    const { metadata, spec } = manifest;
    const about = `PodDisruptionBudget ${metadata.name}`;
    this.notModelled.look('selector', spec.selector ?? {}, within(object.spot, 'spec', 'selector'), about);
  }

  private takeEndpoints(kind: 'Endpoints' | 'EndpointSlice', object: ManifestObject): void {
    const slot = this.created++;
    if (kind === 'Endpoints') {
      const manifest = this.checked(endpoints, object);
      if (manifest) this.endpoints.push({ kind, manifest, slot });
    } else {
      const manifest = this.checked(endpointSlice, object);
      if (manifest) this.endpoints.push({ kind, manifest, slot });
    }
  }

  private tellTwice(what: string, object: ManifestObject): void {
    const complaint = { message: `${what} is given twice`, remedy: 'Remove one of them.' };
    this.report.add('error', within(object.spot, 'metadata', 'name'), complaint);
  }

  private takePod(object: ManifestObject): void {
    const slot = this.created++;
    const manifest = this.checked(pod, object);
    if (!manifest) return;
    const { name, generateName = '', namespace, annotations } = manifest.metadata;
    const spot = within(object.spot, 'spec');
    const added = this.addWorkload(
      {
        kind: 'Pod',
        namespace,
        name: name ?? generateName.replace(/-+$/, ''),
        generateName: name === undefined ? generateName : null,
        slot,
      },
      manifest.spec,
      object,
      spot,
      { labels: manifest.metadata.labels ?? {}, selector: {}, plan: null },
    );
    const source = 'kubernetes.io/config.source';
    if (added && annotations && source in annotations && annotations[source] !== 'api')
      this.mirrors.push({ workload: added, spot: within(object.spot, 'metadata', 'annotations', source) });
  }

  private takeWorkload(kind: keyof typeof WORKLOADS, object: ManifestObject): void {
    const slot = this.created++;
    const manifest = this.checked<z.output<(typeof WORKLOADS)[keyof typeof WORKLOADS]>>(WORKLOADS[kind], object);
    if (!manifest) return;
    const { name, namespace } = manifest.metadata;
    const spec = within(object.spot, 'spec');
    const added = this.addWorkload(
      { kind, namespace, name, generateName: null, slot },
      manifest.spec.template.spec,
      object,
      within(spec, 'template', 'spec'),
      {
        labels: manifest.spec.template.metadata?.labels ?? {},
        selector: manifest.spec.selector.matchLabels ?? {},
        plan: planOf(kind, manifest.spec),
        subdomain: 'serviceName' in manifest.spec ? manifest.spec.serviceName : undefined,
      },
    );
    if (!added) return;
    this.notModelled.look('workload', manifest.spec, spec, `${kind} ${name}`);
    readWorkloadNumbers(kind, manifest.spec, added.path, spec, this.settings);
  }

  private addWorkload(
    about: Pick<Workload, 'kind' | 'name' | 'generateName' | 'slot'> & { namespace: string | undefined },
    podSpec: PodSpecManifest,
    object: ManifestObject,
    spot: Spot,
    {
      subdomain = podSpec.subdomain,
      ...own
    }: Pick<Workload, 'labels' | 'selector' | 'plan'> & {
      readonly subdomain?: string | undefined;
    },
  ): Workload | null {
    const { kind, name, namespace = 'default' } = about;
    const path = `${namespace}/${name}`;
    const before = this.workloads.find((workload) => workload.path === path);
    if (before) {
      const message = `${kind} ${path} has the same name as the ${before.kind} on line ${before.line}`;
      this.report.add('error', within(object.spot, 'metadata', 'name'), {
        message,
        remedy: 'Rename or remove one of them: identities here are namespace and name.',
      });
      return null;
    }
    const lists = readPodSpec(podSpec, spot, path, this.settings, this.report);
    const workload: Workload = {
      ...about,
      namespace,
      path,
      line: lineOf(within(object.spot, 'kind')),
      ...own,
      tolerations: tolerationsOf(podSpec.tolerations ?? []),
      hostname: podSpec.hostname ?? '',
      subdomain: subdomain ?? '',
      restartPolicy: podSpec.restartPolicy ?? 'Always',
      nodeName: podSpec.nodeName ?? null,
      readinessGates: (podSpec.readinessGates ?? []).map(({ conditionType }) => conditionType),
      ...lists,
    };
    this.workloads.push(workload);
    this.notModelled.look('pod', podSpec, spot, `${kind} ${name}`);
    for (const [i, { ports = [] }] of podSpec.containers.entries())
      for (const [j, port] of ports.entries())
        this.notModelled.look('port', port, within(spot, 'containers', i, 'ports', j), `${kind} ${name}`);
    return workload;
  }

  /** The object as its schema reads it; null, with all that is wrong reported, when it does not fit. */
  private checked<T>(schema: z.ZodMiniType<T>, object: ManifestObject): T | null {
    const { value, found } = check(schema, object.value);
    for (const { path, at, message, remedy } of found) {
      this.report.add(
        'error',
        within(object.spot, ...path),
        { message, remedy },
        { at, setting: settingAt(object, path) },
      );
    }
    return value;
  }
}

/** The setting that a path inside an object stands for; null when it is none. */
function settingAt(object: ManifestObject, path: Path): string | null {
  const { namespace, name } = nameOf(object.kind, object.value, object.spot);
  const field = String(path.at(-1));
  if (WORKLOAD_NUMBERS.includes(field) || (POD_NUMBERS.includes(field) && path.at(-2) === 'spec'))
    return `${namespace}/${name}/${field}`;
  const at = path.findIndex((step) => step === 'containers' || step === 'initContainers');
  if (at < 0) return null;
  const container = `${namespace}/${name}/${String(valueAt(object.value, [...path.slice(0, at + 2), 'name']))}`;
  const inner = path.slice(at + 2).join('.');
  const hook = /^lifecycle\.(postStart|preStop)\.sleep\.seconds$/.exec(inner)?.[1];
  if (hook !== undefined) return `${container}/${hook}.sleep.seconds`;
  const kind = /^(startup|readiness|liveness)Probe$/.exec(String(path[at + 2]))?.[1];
  if (kind === undefined || !PROBE_NUMBERS.some((number) => number === field)) return null;
  return `${container}/${kind}/${field}`;
}
const WORKLOAD_NUMBERS = [
  'replicas',
  'minReadySeconds',
  'progressDeadlineSeconds',
  'revisionHistoryLimit',
  'partition',
];
const POD_NUMBERS = ['terminationGracePeriodSeconds', 'activeDeadlineSeconds'];

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string | number, unknown>)[step] : undefined,
    value,
  );
