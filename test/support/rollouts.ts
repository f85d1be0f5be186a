/** Deployments whose Pods kubelets run: controllers, scheduler, kubelets and clients' world in one scenario. */
import { type MicrosSpan, micros, microsSpan, milliseconds, seconds } from '../../src/base/units.ts';
import type { DeploymentObject, DeploymentSpec, PodTemplate } from '../../src/sim/api/workloadObjects.ts';
import type { ScriptedWrite } from '../../src/sim/clusterInput.ts';
import { type ContainerInput, NO_FAULTS, type PodInput, type Scenario } from '../../src/sim/scenario.ts';
import {
  KUBELET_REPORTS,
  NODE_LIFECYCLE,
  NOTHING_GIVEN,
  WORKLOAD_CONTROLLERS,
  type WorkloadAction,
} from '../../src/sim/workloadsInput.ts';
import { clusterInput, meta, nodeObject, service } from './cluster.ts';
import { container, probe, scenario } from './scenario.ts';

const HOP: MicrosSpan = milliseconds(3);
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
];

/** Each watch and request of the controllers takes 3 ms. */
const hops: Readonly<Record<string, MicrosSpan>> = Object.fromEntries(
  [...WORKLOAD_CONTROLLERS, 'scheduler', 'kubelet'].flatMap((component) => [
    [`request/${component}`, HOP],
    [`response/${component}`, HOP],
    ...WATCHED.map((resource) => [`watch/${component}/${resource}`, HOP]),
  ]),
);

/** The container `app` with a readiness probe each second and port 8080. */
const servingContainer = (over: Partial<ContainerInput> = {}): ContainerInput => ({
  ...container({ readiness: probe({ periodSeconds: 1, failureThreshold: 1 }) }),
  ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
  ...over,
});

/** The `revision`-th template of `default/web`. */
export const template = (revision: number, over: Partial<PodTemplate['pod']> = {}): PodTemplate => ({
  identity: `default/web#${revision}`,
  text: `revision ${revision}`,
  hash: `hash${revision}`,
  labels: { app: 'web' },
  pod: {
    hostname: '',
    subdomain: '',
    tolerations: ['not-ready', 'unreachable'].map((reason) => ({
      key: `node.kubernetes.io/${reason}`,
      operator: 'Exists',
      value: '',
      effect: 'NoExecute',
      tolerationSeconds: 20,
    })),
    target: '',
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 10,
    activeDeadlineSeconds: null,
    readinessGates: [],
    isStatic: false,
    containers: [servingContainer()],
    initContainers: [],
    faults: NO_FAULTS,
    ...over,
  },
});

export const deploymentSpec = (over: Partial<DeploymentSpec> = {}): DeploymentSpec => ({
  replicas: 3,
  selector: { app: 'web' },
  template: template(1),
  strategy: 'RollingUpdate',
  maxSurge: 1,
  maxUnavailable: 0,
  minReadySeconds: 0,
  progressDeadlineSeconds: 600,
  revisionHistoryLimit: 10,
  paused: false,
  ...over,
});

const deployment = (spec: DeploymentSpec): DeploymentObject => ({
  meta: meta('web', { generation: 1 }),
  spec,
  status: {
    observedGeneration: 0,
    replicas: 0,
    updatedReplicas: 0,
    readyReplicas: 0,
    availableReplicas: 0,
    unavailableReplicas: 0,
    terminatingReplicas: null,
    conditions: [],
  },
});

/** A patch of the Deployment `web` at a second. */
export const patched = (second: number, spec: DeploymentSpec): WorkloadAction => ({
  at: micros(seconds(second)),
  do: 'patch',
  resource: 'deployments',
  key: 'default/web',
  spec,
  note: '',
});

/** The Deployment `web` and its Service on nodes `node-0` …, created at t = 0. */
export function kubeletRollout(
  durationSeconds: number,
  given: {
    readonly spec?: DeploymentSpec;
    readonly nodes?: number;
    readonly actions?: readonly WorkloadAction[];
    readonly pods?: readonly PodInput[];
  },
  over: Partial<Scenario> = {},
): Scenario {
  const { spec = deploymentSpec(), nodes = 2, actions = [], pods = [] } = given;
  const names = Array.from({ length: nodes }, (_, place) => `node-${place}`);
  const start = micros(-10_000_000);
  const writes: readonly ScriptedWrite[] = [
    { at: micros(0), do: 'create', stored: { resource: 'services', object: service('web') } },
    { at: micros(20_000), do: 'create', stored: { resource: 'deployments', object: deployment(spec) } },
  ];
  const cluster = clusterInput({
    start,
    existing: names.map((name) => ({ resource: 'nodes', object: nodeObject(name) })),
    writes,
    workloads: {
      running: WORKLOAD_CONTROLLERS,
      hops: { ...hops, 'scheduler/cycle': microsSpan(2_000) },
      agents: null,
      reports: KUBELET_REPORTS,
      nodeLifecycle: NODE_LIFECYCLE,
      given: NOTHING_GIVEN,
      special: {},
      actions,
    },
  });
  return scenario(pods, durationSeconds, { nodes: names, cluster, ...over });
}
