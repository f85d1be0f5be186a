import { sleepOf } from '../manifest/hooks.ts';
import { type ReadKind, readObjects } from '../manifest/objects.ts';
import { Report } from '../manifest/report.ts';
import type { HANDLER_TYPES } from '../schema/probe.ts';
import { PROBE_NUMBERS } from '../settings.ts';
import { readSource } from '../yaml/source.ts';
import { yamlText } from '../yaml/write.ts';

/**
 * Which fields of an object a link carries: a filter gives what is left of a value, undefined for nothing.
 * What is not named is left out, so that nothing new leaks by being forgotten.
 */
type Filter = (value: unknown) => unknown;
type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const scalar: Filter = (value) => (typeof value === 'object' ? undefined : value);
const whole: Filter = (value) => value;
const instead =
  (text: unknown): Filter =>
  () =>
    text;
const listOf =
  (item: Filter): Filter =>
  (value) =>
    Array.isArray(value) ? value.map(item) : undefined;
const fields =
  (filters: Readonly<Record<string, Filter>>): Filter =>
  (value) =>
    isRecord(value)
      ? Object.fromEntries(
          Object.entries(value).flatMap(([key, inner]) => {
            const left = Object.hasOwn(filters, key) ? filters[key]?.(inner) : undefined;
            return left === undefined ? [] : [[key, left]];
          }),
        )
      : undefined;
const scalars = (...keys: readonly string[]): Record<string, Filter> =>
  Object.fromEntries(keys.map((key) => [key, scalar]));
/** A map of texts, such as labels. */
const texts: Filter = (value) =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).filter(([, text]) => typeof text !== 'object'))
    : undefined;

const HANDLERS: Readonly<Record<(typeof HANDLER_TYPES)[number], Filter>> = {
  exec: instead({ command: ['check'] }),
  httpGet: fields(scalars('path', 'port', 'scheme')),
  tcpSocket: fields(scalars('port')),
  grpc: fields(scalars('port', 'service')),
};
const probe = fields({ ...HANDLERS, ...scalars(...PROBE_NUMBERS) });
/** A command that only sleeps says how long the hook takes, and is kept; every other one is replaced. */
const hookCommand: Filter = (value) => {
  const command = isRecord(value) && Array.isArray(value.command) ? value.command.map(String) : [];
  const seconds = sleepOf(command);
  return { command: seconds === null ? ['check'] : ['sleep', String(seconds)] };
};
const hook = fields({
  exec: hookCommand,
  httpGet: HANDLERS.httpGet,
  tcpSocket: HANDLERS.tcpSocket,
  sleep: fields(scalars('seconds')),
});
const inContainer = {
  name: scalar,
  image: instead('app'),
  ports: listOf(fields(scalars('name', 'containerPort', 'protocol'))),
  startupProbe: probe,
  readinessProbe: probe,
  livenessProbe: probe,
  lifecycle: fields({ postStart: hook, preStop: hook }),
  // Of an init container, Always makes a sidecar.
  restartPolicy: scalar,
  restartPolicyRules: listOf(
    fields({ action: scalar, exitCodes: fields({ operator: scalar, values: listOf(scalar) }) }),
  ),
};
const tolerations = listOf(fields(scalars('key', 'operator', 'value', 'effect', 'tolerationSeconds')));
const podSpec = fields({
  tolerations,
  ...scalars(
    'restartPolicy',
    'terminationGracePeriodSeconds',
    'activeDeadlineSeconds',
    'nodeName',
    'hostname',
    'subdomain',
  ),
  readinessGates: listOf(fields(scalars('conditionType'))),
  containers: listOf(fields(inContainer)),
  initContainers: listOf(fields(inContainer)),
});
const selector = fields({ matchLabels: texts, matchExpressions: whole });
const metadata = fields({ ...scalars('name', 'generateName', 'namespace'), labels: texts });
const template = fields({ metadata: fields({ labels: texts }), spec: podSpec });
const top = { ...scalars('apiVersion', 'kind'), metadata };
const rolling = fields({
  type: scalar,
  rollingUpdate: fields(scalars('maxSurge', 'maxUnavailable', 'partition')),
});
const workload = fields({
  ...top,
  spec: fields({
    ...scalars(
      'replicas',
      'podManagementPolicy',
      'serviceName',
      'minReadySeconds',
      'progressDeadlineSeconds',
      'revisionHistoryLimit',
      'paused',
    ),
    selector,
    template,
    strategy: rolling,
    updateStrategy: rolling,
  }),
});
const annotated = fields({ ...scalars('name', 'namespace'), labels: texts, annotations: texts });
const addresses = listOf(scalar);
const ports = listOf(fields(scalars('name', 'port', 'protocol', 'appProtocol')));
const targetRef = fields(scalars('kind', 'name', 'namespace', 'uid'));
const listed = listOf(fields({ ...scalars('ip', 'hostname', 'nodeName'), targetRef }));
const named = listOf(fields(scalars('name')));
const service = fields({
  ...scalars(
    'type',
    'clusterIP',
    'externalName',
    'ipFamilyPolicy',
    'publishNotReadyAddresses',
    'internalTrafficPolicy',
    'externalTrafficPolicy',
    'trafficDistribution',
    'healthCheckNodePort',
    'allocateLoadBalancerNodePorts',
    'sessionAffinity',
  ),
  selector: texts,
  ports: listOf(fields(scalars('name', 'port', 'targetPort', 'protocol', 'nodePort', 'appProtocol'))),
  clusterIPs: addresses,
  externalIPs: addresses,
  ipFamilies: addresses,
  loadBalancerSourceRanges: addresses,
  sessionAffinityConfig: fields({ clientIP: fields(scalars('timeoutSeconds')) }),
});

const FILTERS: Readonly<Record<ReadKind, Filter>> = {
  Pod: fields({ ...top, spec: podSpec }),
  Deployment: workload,
  ReplicaSet: workload,
  StatefulSet: workload,
  DaemonSet: workload,
  PodDisruptionBudget: fields({
    ...top,
    spec: fields({ ...scalars('minAvailable', 'maxUnavailable', 'unhealthyPodEvictionPolicy'), selector }),
  }),
  Service: fields({
    ...top,
    metadata: annotated,
    spec: service,
    status: fields({ loadBalancer: fields({ ingress: listOf(fields(scalars('ip', 'ipMode'))) }) }),
  }),
  Endpoints: fields({
    ...top,
    metadata: annotated,
    subsets: listOf(fields({ addresses: listed, notReadyAddresses: listed, ports })),
  }),
  EndpointSlice: fields({
    ...top,
    metadata: annotated,
    addressType: scalar,
    ports,
    endpoints: listOf(
      fields({
        ...scalars('hostname', 'nodeName', 'zone'),
        addresses,
        conditions: fields(scalars('ready', 'serving', 'terminating')),
        hints: fields({ forZones: named, forNodes: named }),
        targetRef,
      }),
    ),
  }),
  Node: fields({
    ...top,
    spec: fields({ ...scalars('unschedulable'), taints: listOf(fields(scalars('key', 'value', 'effect'))) }),
    status: fields({
      allocatable: fields(scalars('cpu', 'pods')),
      conditions: listOf(fields(scalars('type', 'status'))),
    }),
  }),
  Scenario: whole,
};

/**
 * The objects of a text with the fields that the simulation uses: names kept, images and commands replaced, all else
 * left out. The text should read without errors; what is no object is left out too.
 */
export function modelledObjects(text: string): Fields[] {
  const { objects } = readObjects(readSource(text).documents, new Report());
  return objects.map(({ kind, value }) => FILTERS[kind](value)).filter(isRecord);
}

/** The objects as a text of YAML documents. */
export const textOfObjects = (objects: readonly Fields[]): string =>
  objects.map((object) => yamlText(object, { aliasDuplicateObjects: false })).join('---\n');
