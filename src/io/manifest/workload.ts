import type { Labels, Toleration } from '../../sim/api/objects.ts';
import {
  type ContainerPort,
  type ContainerRestart,
  PROBE_KINDS,
  type ProbeKind,
  type ProbeSpec,
  type RestartPolicy,
} from '../../sim/scenario.ts';
import type { ContainerManifest, PodSpecManifest } from '../schema/pod.ts';
import type { ProbeManifest } from '../schema/probe.ts';
import { ACTIVE_DEADLINE, POD_GRACE, PROBE_NUMBERS, probeRule } from '../settings.ts';
import { type ManifestHooks, readHooks } from './hooks.ts';
import type { Plan } from './plans.ts';
import { readPort } from './port.ts';
import { type Report, type Spot, within } from './report.ts';
import type { SettingsBuilder } from './settingsBuilder.ts';

/** A workload or bare Pod without its numbers, which are in the settings under `path`. */
export interface Workload {
  readonly kind: 'Pod' | 'Deployment' | 'ReplicaSet' | 'StatefulSet' | 'DaemonSet';
  readonly namespace: string;
  readonly name: string;
  /** Begin of a name that the server completes; null when the manifest names the Pod or workload. */
  readonly generateName: string | null;
  /** `namespace/name`: begins the paths of its settings. */
  readonly path: string;
  readonly line: number;
  /** How many objects of the text were created before it. */
  readonly slot: number;
  /** matchLabels of its selector; empty for a bare Pod. */
  readonly selector: Labels;
  /** Null: a bare Pod. */
  readonly plan: Plan | null;
  readonly tolerations: readonly Toleration[];
  /** Of its Pods. */
  readonly labels: Labels;
  /** spec.hostname and spec.subdomain of its Pods; '' when not given. */
  readonly hostname: string;
  readonly subdomain: string;
  readonly restartPolicy: RestartPolicy;
  readonly nodeName: string | null;
  /** Condition types. */
  readonly readinessGates: readonly string[];
  readonly containers: readonly WorkloadContainer[];
  /** Regular init containers and sidecars, in the order of the text. */
  readonly initContainers: readonly WorkloadContainer[];
}
export interface WorkloadContainer {
  readonly name: string;
  readonly image: string;
  readonly ports: readonly ContainerPort[];
  /** A sidecar is an init container with restartPolicy Always; `init` runs to its end. */
  readonly role: 'container' | 'sidecar' | 'init';
  readonly restart: ContainerRestart | null;
  readonly hooks: ManifestHooks;
  readonly probes: Readonly<Record<ProbeKind, Handler | null>>;
}
export interface Handler {
  readonly type: ProbeSpec['handler']['type'];
  /** As in ProbeSpec. */
  readonly target: string;
  /** A port name that no port of the container has: each run of the probe is an error (K-142). */
  readonly unknownPort: string | null;
}

/** All containers in the order in which they count (ContainerInput.latencyIndex): regular ones, then init containers. */
export const allContainers = ({
  containers,
  initContainers,
}: Pick<Workload, 'containers' | 'initContainers'>): readonly WorkloadContainer[] => [...containers, ...initContainers];

/** Reads the containers of a Pod's spec; their numbers go to `settings` below `path`. */
export function readPodSpec(
  spec: PodSpecManifest,
  spot: Spot,
  path: string,
  settings: SettingsBuilder,
  report: Report,
): Pick<Workload, 'containers' | 'initContainers'> {
  const grace = spec.terminationGracePeriodSeconds;
  const graceSpot = within(spot, 'terminationGracePeriodSeconds');
  const gracePath = `${path}/terminationGracePeriodSeconds`;
  if (grace !== undefined && grace < 0) {
    report.add(
      'note',
      graceSpot,
      { message: 'the API server makes 1 of a negative terminationGracePeriodSeconds', remedy: null },
      { setting: gracePath },
    );
  }
  settings.add(gracePath, POD_GRACE, grace !== undefined && grace < 0 ? 1 : grace, 'manifest', graceSpot);
  const deadlineSpot = within(spot, 'activeDeadlineSeconds');
  settings.add(`${path}/activeDeadlineSeconds`, ACTIVE_DEADLINE, spec.activeDeadlineSeconds, 'manifest', deadlineSpot);
  const read =
    (list: 'containers' | 'initContainers') =>
    (container: ContainerManifest, i: number): WorkloadContainer => {
      const sidecar = container.restartPolicy === 'Always' ? 'sidecar' : 'init';
      const role = list === 'containers' ? 'container' : sidecar;
      const containerSpot = within(spot, list, i);
      return readContainer(container, role, containerSpot, `${path}/${container.name}`, settings, report);
    };
  return {
    containers: spec.containers.map(read('containers')),
    initContainers: (spec.initContainers ?? []).map(read('initContainers')),
  };
}

function readContainer(
  container: ContainerManifest,
  role: WorkloadContainer['role'],
  spot: Spot,
  path: string,
  settings: SettingsBuilder,
  report: Report,
): WorkloadContainer {
  const read = (kind: ProbeKind): Handler | null => {
    const probe = container[`${kind}Probe`];
    if (!probe) return null;
    const probeSpot = within(spot, `${kind}Probe`);
    for (const field of PROBE_NUMBERS) {
      if (kind === 'readiness' && field === 'terminationGracePeriodSeconds') continue;
      settings.add(
        `${path}/${kind}/${field}`,
        probeRule(kind, field),
        probe[field],
        'manifest',
        within(probeSpot, field),
      );
    }
    const handler = readHandler(probe, container);
    if (handler.unknownPort !== null)
      warnOfPort(handler.unknownPort, kind, within(probeSpot, handler.type, 'port'), report);
    return handler;
  };
  const [startup, readiness, liveness] = PROBE_KINDS.map(read);
  settings.places.set(path, () => spot.doc.locate([...spot.path, 'name']));
  return {
    name: container.name,
    image: container.image,
    ports: (container.ports ?? []).map(({ name = '', containerPort, protocol = 'TCP' }) => ({
      name,
      containerPort,
      protocol,
    })),
    role,
    restart: readRestart(container, role),
    hooks: readHooks(container, spot, path, settings, report),
    probes: { startup: startup ?? null, readiness: readiness ?? null, liveness: liveness ?? null },
  };
}

/** A sidecar without rules needs none: its policy is what makes it one. */
function readRestart(
  { restartPolicy, restartPolicyRules = [] }: ContainerManifest,
  role: WorkloadContainer['role'],
): ContainerRestart | null {
  if (restartPolicy === undefined || (role === 'sidecar' && restartPolicyRules.length === 0)) return null;
  const rules = restartPolicyRules.map(({ action, exitCodes }) => ({
    action,
    operator: exitCodes.operator,
    exitCodes: exitCodes.values,
  }));
  return { policy: restartPolicy, rules };
}

const WITH_UNKNOWN_PORT: Readonly<Record<ProbeKind, string>> = {
  startup: 'the container never counts as started, and is never killed for it',
  readiness: 'the container never becomes ready',
  liveness: 'the container is never killed',
};

function warnOfPort(port: string, kind: ProbeKind, spot: Spot, report: Report): void {
  const message = `no port of the container is called ${port}: each run of the ${kind} probe is an error that counts for nothing, so that ${WITH_UNKNOWN_PORT[kind]}`;
  report.add('warning', spot, {
    message,
    remedy: `Add a port with name: ${port} to the container, or write its number.`,
  });
}

function readHandler(probe: ProbeManifest, container: ContainerManifest): Handler {
  if (probe.exec) return { type: 'exec', target: probe.exec.command.join(' '), unknownPort: null };
  if (probe.httpGet) {
    const { text, unknownPort } = readPort(probe.httpGet.port, container);
    const httpPath = probe.httpGet.path || '/';
    return { type: 'httpGet', target: `${text}${httpPath.startsWith('/') ? '' : '/'}${httpPath}`, unknownPort };
  }
  if (probe.tcpSocket) {
    const { text, unknownPort } = readPort(probe.tcpSocket.port, container);
    return { type: 'tcpSocket', target: text, unknownPort };
  }
  return {
    type: 'grpc',
    target: `:${probe.grpc?.port ?? 0}${probe.grpc?.service ? `/${probe.grpc.service}` : ''}`,
    unknownPort: null,
  };
}
