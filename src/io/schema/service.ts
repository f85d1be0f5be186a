import * as z from 'zod/mini';
import { isIpAddress } from '../../base/ipAddress.ts';
import { familyOf } from '../../sim/api/objects.ts';
import { label, metadata, top } from './metadata.ts';
import { portName, portNumber } from './probe.ts';
import { opaque, say, strict } from './strict.ts';

export const PROTOCOLS = ['TCP', 'UDP', 'SCTP'] as const;
export const IP_FAMILIES = ['IPv4', 'IPv6'] as const;
const POLICIES = ['Cluster', 'Local'] as const;

/** What a node port may be by default (kube-apiserver, --service-node-port-range). */
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
  name: z.optional(label('a port of a Service')),
  protocol: z.optional(z.enum(PROTOCOLS)),
  port: portNumber,
  // 0 is unset: the port itself is meant.
  targetPort: z.optional(z.union([z.literal(0), portNumber, portName], { error: NO_TARGET_PORT })),
  nodePort: z.optional(
    z
      .int()
      .check(z.refine((port) => port === 0 || (port >= NODE_PORTS.first && port <= NODE_PORTS.last), NODE_PORT_RANGE)),
  ),
  appProtocol: z.optional(z.string()),
});

export const ipAddress = z
  .string()
  .check(z.refine(isIpAddress, say('this is no IP address', 'Write an IPv4 or IPv6 address, such as 10.0.0.5.')));
const range = z
  .string()
  .check(z.regex(/^[0-9a-fA-F:.]+\/\d{1,3}$/, say('this is no range of addresses', 'Write it as in 10.0.0.0/8.')));

const TIMEOUT_RANGE = say('timeoutSeconds must be between 1 and 86400', 'Write 10800 for the default of 3 hours.');
const affinityConfig = strict({
  clientIP: z.optional(
    strict({
      timeoutSeconds: z.optional(
        z.int().check(z.refine((seconds) => seconds >= 1 && seconds <= 86_400, TIMEOUT_RANGE)),
      ),
    }),
  ),
});

const NO_CLUSTER_IP = say('this is no IP address', 'Write an address such as 10.96.0.10, or None.');

const serviceSpec = strict({
  type: z.optional(z.enum(['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'])),
  selector: z.optional(z.record(z.string(), z.string())),
  ports: z.optional(z.array(servicePort)),
  clusterIP: z.optional(z.union([z.enum(['None', '']), ipAddress], { error: NO_CLUSTER_IP })),
  clusterIPs: z.optional(z.array(z.union([z.literal('None'), ipAddress], { error: NO_CLUSTER_IP }))),
  externalIPs: z.optional(z.array(ipAddress)),
  externalName: z.optional(z.string()),
  ipFamilies: z.optional(z.array(z.enum(IP_FAMILIES))),
  ipFamilyPolicy: z.optional(z.enum(['SingleStack', 'PreferDualStack', 'RequireDualStack'])),
  publishNotReadyAddresses: z.optional(z.boolean()),
  internalTrafficPolicy: z.optional(z.enum(POLICIES)),
  externalTrafficPolicy: z.optional(z.enum(POLICIES)),
  trafficDistribution: z.optional(z.enum(['PreferClose', 'PreferSameZone', 'PreferSameNode'])),
  healthCheckNodePort: z.optional(z.int()),
  loadBalancerSourceRanges: z.optional(z.array(range)),
  sessionAffinity: z.optional(z.enum(['None', 'ClientIP'])),
  sessionAffinityConfig: z.optional(affinityConfig),
  allocateLoadBalancerNodePorts: z.optional(z.boolean()),
  ...opaque('loadBalancerClass', 'loadBalancerIP'),
});
type ServiceSpecManifest = z.output<typeof serviceSpec>;
type Problem = readonly [path: (string | number)[], message: string, remedy: string];

/** Fields that do not go with the type (pkg/apis/core/validation/validation.go, ValidateService; semantics, 1.1). */
function typeProblems(spec: ServiceSpecManifest): Problem[] {
  const { type = 'ClusterIP', clusterIP, externalIPs = [], externalTrafficPolicy } = spec;
  const isOutside = type === 'NodePort' || type === 'LoadBalancer';
  const problems: Problem[] = [];
  if (clusterIP === 'None' && isOutside) {
    const remedy = 'Remove clusterIP, or write type: ClusterIP.';
    problems.push([['clusterIP'], `a headless Service cannot be of type ${type}`, remedy]);
  }
  if (type === 'ExternalName' && !spec.externalName) {
    const remedy = 'Add externalName: some.host.example.';
    problems.push([['type'], 'a Service of type ExternalName needs externalName', remedy]);
  }
  if (externalTrafficPolicy !== undefined && !isOutside && externalIPs.length === 0) {
    problems.push([
      ['externalTrafficPolicy'],
      'externalTrafficPolicy is only for a Service that is reached from outside',
      'Remove it, or write type: NodePort or type: LoadBalancer.',
    ]);
  }
  for (const field of ['loadBalancerSourceRanges', 'allocateLoadBalancerNodePorts'] as const) {
    if (type === 'LoadBalancer' || isEmpty(spec[field])) continue;
    problems.push([[field], `${field} is only for type LoadBalancer`, 'Remove it, or write type: LoadBalancer.']);
  }
  const checksHealth = type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
  if (spec.healthCheckNodePort && !checksHealth) {
    problems.push([
      ['healthCheckNodePort'],
      'healthCheckNodePort is only for type LoadBalancer with externalTrafficPolicy Local',
      'Remove it.',
    ]);
  }
  return problems;
}

const isEmpty = (value: boolean | readonly string[] | undefined): boolean =>
  value === undefined || (Array.isArray(value) && value.length === 0);

/** Families and cluster IPs that do not go together (pkg/registry/core/service/storage/alloc.go, initIPFamilyFields). */
function addressProblems(spec: ServiceSpecManifest): Problem[] {
  const { type, clusterIP = '', clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec;
  const [first = ''] = clusterIPs;
  if (type === 'ExternalName') {
    const given = clusterIP !== '' ? 'clusterIP' : 'clusterIPs';
    if (clusterIP === '' && first === '') return [];
    return [[[given], 'a Service of type ExternalName has no cluster IP', 'Remove it.']];
  }
  const problems: Problem[] = [];
  if (clusterIP !== '' && first !== '' && clusterIP !== first)
    problems.push([
      ['clusterIPs', 0],
      `the first of clusterIPs must be clusterIP, ${clusterIP}`,
      `Write ${clusterIP}.`,
    ]);
  for (const [field, list] of [
    ['clusterIPs', clusterIPs],
    ['ipFamilies', ipFamilies],
  ] as const) {
    if (ipFamilyPolicy !== 'SingleStack' || list.length < 2) continue;
    const remedy = 'Write ipFamilyPolicy: PreferDualStack or RequireDualStack, or keep only the first.';
    problems.push([[field, 1], `with ipFamilyPolicy SingleStack ${field} has one entry`, remedy]);
  }
  for (const [i, ip] of clusterIPs.entries()) {
    const family = ipFamilies[i];
    if (ip === 'None' || family === undefined || familyOf(ip) === family) continue;
    problems.push([['clusterIPs', i], `${ip} is no ${family} address, as ipFamilies asks`, 'Write both in one order.']);
  }
  return problems;
}

function portProblems({ type, clusterIP, clusterIPs, ports = [] }: ServiceSpecManifest): Problem[] {
  if (ports.length === 0) {
    const mayLackPorts = (clusterIP || clusterIPs?.[0]) === 'None' || type === 'ExternalName';
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
    if (port.nodePort && type !== 'NodePort' && type !== 'LoadBalancer') {
      const remedy = 'Remove it, or write type: NodePort.';
      return [[['ports', i, 'nodePort'], 'nodePort is only for type NodePort or LoadBalancer', remedy]];
    }
    if (port.nodePort && before.some((o) => o.nodePort === port.nodePort && (o.protocol ?? 'TCP') === protocol)) {
      const remedy = 'Remove one of them: the API server chooses one.';
      return [[['ports', i, 'nodePort'], `nodePort ${port.nodePort} (${protocol}) is given twice`, remedy]];
    }
    return [];
  });
}

const consistentSpec = serviceSpec.check(
  z.superRefine((spec, context) => {
    for (const [path, message, remedy] of [...typeProblems(spec), ...addressProblems(spec), ...portProblems(spec)])
      context.addIssue({ code: 'custom', path, message: say(message, remedy) });
  }),
);

const ingress = z.looseObject({ ip: z.optional(ipAddress), ipMode: z.optional(z.enum(['VIP', 'Proxy'])) });
export const service = strict({
  ...top,
  metadata: z.extend(metadata, { name: label('a Service') }),
  spec: consistentSpec,
  status: z.optional(
    z.looseObject({ loadBalancer: z.optional(z.looseObject({ ingress: z.optional(z.array(ingress)) })) }),
  ),
});
export type ServiceManifest = z.output<typeof service>;
