import * as z from 'zod';
import { label, metadata, top } from './metadata.ts';
import { portName, portNumber } from './probe.ts';
import { opaque, say, strict } from './strict.ts';

export const PROTOCOLS = ['TCP', 'UDP', 'SCTP'] as const;
export const IP_FAMILIES = ['IPv4', 'IPv6'] as const;
const POLICIES = ['Cluster', 'Local'] as const;

/** What a Node's address range may be by default (kube-apiserver, --service-node-port-range). */
const NODE_PORTS = { first: 30_000, last: 32_767 } as const;
const NODE_PORT_RANGE = say(
  `nodePort must be between ${NODE_PORTS.first} and ${NODE_PORTS.last}`,
  'Remove the line: the API server chooses one.',
);
const NO_TARGET_PORT = say(
  'targetPort must be a number or the name of a container port',
  'Write it, such as 8080 or http.',
);

const servicePort = strict({
  name: label('a port of a Service').optional(),
  protocol: z.enum(PROTOCOLS).optional(),
  port: portNumber,
  targetPort: z.union([portNumber, portName], { error: NO_TARGET_PORT }).optional(),
  nodePort: z.int().min(NODE_PORTS.first, NODE_PORT_RANGE).max(NODE_PORTS.last, NODE_PORT_RANGE).optional(),
  appProtocol: z.string().optional(),
});

const ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}|[0-9a-fA-F:]*:[0-9a-fA-F:.]*)$/;
export const ipAddress = z
  .string()
  .regex(ADDRESS, say('this is no IP address', 'Write an IPv4 or IPv6 address, such as 10.0.0.5.'));
const range = z
  .string()
  .regex(/^[0-9a-fA-F:.]+\/\d{1,3}$/, say('this is no range of addresses', 'Write it as in 10.0.0.0/8.'));

const affinityTimeout = strict({
  clientIP: strict({
    timeoutSeconds: z
      .int()
      .min(1, say('timeoutSeconds must be 1 to 86400', 'Write 10800 for the default of 3 hours.'))
      .max(86_400, say('timeoutSeconds must be 1 to 86400', 'Write at most 86400, which is a day.'))
      .optional(),
  }).optional(),
});

const serviceSpec = strict({
  type: z.enum(['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName']).optional(),
  selector: z.record(z.string(), z.string()).optional(),
  ports: z.array(servicePort).optional(),
  clusterIP: z.union([z.literal('None'), z.literal(''), ipAddress]).optional(),
  clusterIPs: z.array(z.union([z.literal('None'), ipAddress])).optional(),
  externalIPs: z.array(ipAddress).optional(),
  externalName: z.string().optional(),
  ipFamilies: z.array(z.enum(IP_FAMILIES)).optional(),
  ipFamilyPolicy: z.enum(['SingleStack', 'PreferDualStack', 'RequireDualStack']).optional(),
  publishNotReadyAddresses: z.boolean().optional(),
  internalTrafficPolicy: z.enum(POLICIES).optional(),
  externalTrafficPolicy: z.enum(POLICIES).optional(),
  trafficDistribution: z.enum(['PreferClose', 'PreferSameZone', 'PreferSameNode']).optional(),
  healthCheckNodePort: z.int().optional(),
  loadBalancerSourceRanges: z.array(range).optional(),
  sessionAffinity: z.enum(['None', 'ClientIP']).optional(),
  sessionAffinityConfig: affinityTimeout.optional(),
  ...opaque('allocateLoadBalancerNodePorts', 'loadBalancerClass', 'loadBalancerIP'),
}).superRefine((spec, context) => {
  const report = (path: (string | number)[], message: string, remedy: string): void =>
    context.addIssue({ code: 'custom', path, message: say(message, remedy) });
  for (const problem of typeProblems(spec)) report(...problem);
  for (const problem of portProblems(spec)) report(...problem);
});
type ServiceSpecManifest = z.output<typeof serviceSpec>;
type Problem = readonly [path: (string | number)[], message: string, remedy: string];

/** Fields that do not go with the type (pkg/apis/core/validation/validation.go, ValidateService; semantics, 1.1). */
function typeProblems(spec: ServiceSpecManifest): Problem[] {
  const { type = 'ClusterIP', clusterIP, externalIPs = [], externalTrafficPolicy } = spec;
  const isExternal = type === 'NodePort' || type === 'LoadBalancer';
  const problems: Problem[] = [];
  if (clusterIP === 'None' && isExternal) {
    problems.push([
      ['clusterIP'],
      `a headless Service cannot be of type ${type}`,
      'Remove clusterIP, or write type: ClusterIP.',
    ]);
  }
  if (type === 'ExternalName' && !spec.externalName) {
    problems.push([
      ['type'],
      'a Service of type ExternalName needs externalName',
      'Add externalName: some.host.example.',
    ]);
  }
  if (externalTrafficPolicy !== undefined && !isExternal && externalIPs.length === 0) {
    problems.push([
      ['externalTrafficPolicy'],
      'externalTrafficPolicy is only for a Service that is reached from outside',
      'Remove it, or write type: NodePort or type: LoadBalancer.',
    ]);
  }
  const checksHealth = type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
  if (spec.healthCheckNodePort !== undefined && !checksHealth) {
    problems.push([
      ['healthCheckNodePort'],
      'healthCheckNodePort is only for type LoadBalancer with externalTrafficPolicy Local',
      'Remove it.',
    ]);
  }
  return problems;
}

function portProblems({ type, clusterIP, ports = [] }: ServiceSpecManifest): Problem[] {
  if (ports.length === 0) {
    const mayLackPorts = clusterIP === 'None' || type === 'ExternalName';
    return mayLackPorts ? [] : [[[], 'a Service needs at least one port', 'Add ports, such as - port: 80.']];
  }
  return ports.flatMap((port, i): Problem[] => {
    const before = ports.slice(0, i);
    if (port.name === undefined && ports.length > 1) {
      return [[['ports', i], 'each port needs a name when a Service has several', 'Add name, such as name: http.']];
    }
    if (port.name !== undefined && before.some(({ name }) => name === port.name)) {
      return [[['ports', i, 'name'], `two ports are called ${port.name}`, 'Give each port its own name.']];
    }
    const protocol = port.protocol ?? 'TCP';
    if (before.some((other) => other.port === port.port && (other.protocol ?? 'TCP') === protocol)) {
      return [[['ports', i, 'port'], `port ${port.port} (${protocol}) is given twice`, 'Remove one of them.']];
    }
    return [];
  });
}

const ingress = z.looseObject({ ip: ipAddress.optional(), ipMode: z.enum(['VIP', 'Proxy']).optional() });
export const service = strict({
  ...top,
  metadata: metadata.extend({ name: label('a Service') }),
  spec: serviceSpec,
  status: z
    .looseObject({ loadBalancer: z.looseObject({ ingress: z.array(ingress).optional() }).optional() })
    .optional(),
});
export type ServiceManifest = z.output<typeof service>;
