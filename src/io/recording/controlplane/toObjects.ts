import type { Micros } from '../../../base/units.ts';
import { type ObjectMeta, PLAIN_NODE } from '../../../sim/api/objects.ts';
import type { ScriptedPod, StoredInput } from '../../../sim/clusterInput.ts';
import { type ContainerInput, NO_FAULTS } from '../../../sim/scenario.ts';
import type { ManifestOf, RecordedManifest } from './manifest.ts';

/** The object that a manifest describes, as the store holds it from `at` on. */
export function storedOf(manifest: RecordedManifest, at: Micros): StoredInput {
  switch (manifest.kind) {
    case 'Node':
      return { resource: 'nodes', object: nodeOf(manifest) };
    case 'Pod':
      return { resource: 'pods', object: podOf(manifest, at) };
    case 'Service':
      return { resource: 'services', object: serviceOf(manifest) };
    case 'Endpoints':
      return { resource: 'endpoints', object: { meta: metaOf(manifest.metadata), subsets: manifest.subsets } };
    case 'EndpointSlice':
      return { resource: 'endpointslices', object: sliceOf(manifest) };
  }
}

/** Key of the object of that name, and identity of a Pod: recordings have one namespace. */
export const keyOfName = (name: string): string => `default/${name}`;

type Object<R extends StoredInput['resource']> = Extract<StoredInput, { resource: R }>['object'];

/** Whole seconds since the Unix epoch; 0 where a time is not set. */
const secondsOf = (time: string | null): number => (time === null ? 0 : Date.parse(time) / 1000);

const metaOf = (metadata: RecordedManifest['metadata']): ObjectMeta => ({
  namespace: metadata.namespace,
  name: metadata.name,
  generateName: '',
  uid: metadata.uid,
  resourceVersion: 0,
  generation: 0,
  labels: metadata.labels,
  annotations: metadata.annotations,
  creationTimestamp: secondsOf(metadata.creationTimestamp),
  deletionTimestamp: null,
  ownerUid: '',
  ownerName: '',
});

function nodeOf({ metadata, status }: ManifestOf<'Node'>): Object<'nodes'> {
  const { cpu } = status.allocatable;
  return {
    meta: metaOf(metadata),
    ...PLAIN_NODE,
    cpuMillis: cpu.endsWith('m') ? Number.parseInt(cpu, 10) : Number(cpu) * 1000,
    ready: status.conditions.find(({ type }) => type === 'Ready')?.status ?? 'Unknown',
  };
}

/** A Pod that is created at `createdAt`, with the status that its manifest gives. */
export function podOf({ metadata, spec, status }: Omit<ManifestOf<'Pod'>, 'kind'>, createdAt: Micros): ScriptedPod {
  const { namespace, name, uid, labels } = metadata;
  return {
    input: {
      identity: `${namespace}/${name}`,
      namespace,
      name,
      uid,
      node: spec.nodeName,
      labels,
      hostname: spec.hostname,
      subdomain: spec.subdomain,
      owner: null,
      tolerations: [],
      target: '',
      createdAt,
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      activeDeadlineSeconds: null,
      readinessGates: [],
      isStatic: false,
      containers: spec.containers.map(containerOf),
      initContainers: [],
      faults: NO_FAULTS,
    },
    status: {
      phase: status.phase,
      reason: '',
      message: '',
      podIPs: status.podIPs.map(({ ip }) => ip),
      startTime: null,
      observedGeneration: 0,
      conditions: status.conditions.map(({ type, status: value, lastTransitionTime }) => ({
        type,
        status: value,
        reason: '',
        message: '',
        lastTransitionTime: secondsOf(lastTransitionTime),
      })),
      initContainerStatuses: [],
      containerStatuses: [],
    },
  };
}

/** The script speaks for the Pod: what its containers do is nobody's business. */
const containerOf = ({ name, image, ports }: ManifestOf<'Pod'>['spec']['containers'][number]): ContainerInput => ({
  name,
  image,
  ports,
  latencyIndex: 0,
  probes: { startup: null, readiness: null, liveness: null },
  isSidecar: false,
  restart: null,
  imagePull: null,
  postStart: null,
  preStop: null,
  outages: [],
  runs: [{ script: [], postStart: null, preStop: null, onTerm: null }],
});

function serviceOf({ metadata, spec, status }: ManifestOf<'Service'>): Object<'services'> {
  const { sessionAffinity, sessionAffinityConfig, ports, ...same } = spec;
  const seconds = sessionAffinityConfig?.clientIP.timeoutSeconds ?? DEFAULT_AFFINITY_SECONDS;
  return {
    meta: metaOf(metadata),
    spec: {
      ...same,
      ports: ports.map((port) => ({ ...port, targetPort: port.targetPort ?? port.port })),
      loadBalancerIngress: status.loadBalancer.ingress,
      affinitySeconds: sessionAffinity === 'ClientIP' ? seconds : null,
    },
  };
}
/** pkg/apis/core/v1/defaults.go, DefaultClientIPServiceAffinitySeconds. */
const DEFAULT_AFFINITY_SECONDS = 10_800;

function sliceOf({ metadata, addressType, ports, endpoints }: ManifestOf<'EndpointSlice'>): Object<'endpointslices'> {
  return {
    meta: metaOf(metadata),
    addressType,
    ports,
    endpoints: endpoints.map(({ conditions, hints, ...same }) => ({
      ...same,
      ...conditions,
      hints: hints && { zones: hints.forZones, nodes: hints.forNodes },
    })),
  };
}
