import * as z from 'zod';

/** Objects as recordings of `traces/controlplane` write them: Kubernetes' own form, already defaulted. */
const strings = z.record(z.string(), z.string());
const metadata = z.object({
  name: z.string(),
  namespace: z.string().default(''),
  uid: z.string().default(''),
  creationTimestamp: z.string().nullable().default(null),
  labels: strings.default({}),
  annotations: strings.default({}),
});
const protocol = z.enum(['TCP', 'UDP', 'SCTP']).default('TCP');
const family = z.enum(['IPv4', 'IPv6']);

const node = z.object({
  kind: z.literal('Node'),
  metadata,
  status: z.object({
    allocatable: z.object({ cpu: z.string().default('0') }).prefault({}),
    conditions: z.array(z.object({ type: z.string(), status: z.enum(['True', 'False', 'Unknown']) })).default([]),
  }),
});

const pod = z.object({
  kind: z.literal('Pod'),
  metadata,
  spec: z.object({
    nodeName: z.string().default(''),
    hostname: z.string().default(''),
    subdomain: z.string().default(''),
    containers: z.array(
      z.object({
        name: z.string(),
        image: z.string().default(''),
        ports: z.array(z.object({ name: z.string().default(''), containerPort: z.number(), protocol })).default([]),
      }),
    ),
  }),
  status: z.object({
    phase: z.enum(['Pending', 'Running', 'Succeeded', 'Failed']),
    podIPs: z.array(z.object({ ip: z.string() })).default([]),
    conditions: z
      .array(
        z.object({
          type: z.string(),
          status: z.enum(['True', 'False', 'Unknown']),
          lastTransitionTime: z.string().nullable().default(null),
        }),
      )
      .default([]),
  }),
});

const service = z.object({
  kind: z.literal('Service'),
  metadata,
  spec: z.object({
    type: z.enum(['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName']).default('ClusterIP'),
    clusterIP: z.string().default(''),
    clusterIPs: z.array(z.string()).default([]),
    ports: z
      .array(
        z.object({
          name: z.string().default(''),
          protocol,
          port: z.number(),
          targetPort: z.union([z.number(), z.string()]).optional(),
          nodePort: z.number().default(0),
          appProtocol: z.string().nullable().default(null),
        }),
      )
      .default([]),
    selector: strings.nullable().default(null),
    ipFamilies: z.array(family).default([]),
    publishNotReadyAddresses: z.boolean().default(false),
    internalTrafficPolicy: z.enum(['Cluster', 'Local']).default('Cluster'),
    externalTrafficPolicy: z.enum(['Cluster', 'Local']).default('Cluster'),
    trafficDistribution: z.enum(['', 'PreferClose', 'PreferSameZone', 'PreferSameNode']).default(''),
    healthCheckNodePort: z.number().default(0),
    externalIPs: z.array(z.string()).default([]),
    loadBalancerSourceRanges: z.array(z.string()).default([]),
    sessionAffinity: z.enum(['None', 'ClientIP']).default('None'),
    sessionAffinityConfig: z.object({ clientIP: z.object({ timeoutSeconds: z.number() }) }).optional(),
    externalName: z.string().default(''),
  }),
  status: z
    .object({
      loadBalancer: z
        .object({
          ingress: z.array(z.object({ ip: z.string(), ipMode: z.enum(['VIP', 'Proxy']).default('VIP') })).default([]),
        })
        .prefault({}),
    })
    .prefault({}),
});

const targetRef = z.object({ namespace: z.string(), name: z.string(), uid: z.string().default('') });
const port = z.object({
  name: z.string().default(''),
  port: z.number(),
  protocol,
  appProtocol: z.string().nullable().default(null),
});
const address = z.object({
  ip: z.string(),
  hostname: z.string().default(''),
  nodeName: z.string().nullable().default(null),
  targetRef: targetRef.nullable().default(null),
});
const endpoints = z.object({
  kind: z.literal('Endpoints'),
  metadata,
  subsets: z
    .array(
      z.object({
        addresses: z.array(address).default([]),
        notReadyAddresses: z.array(address).default([]),
        ports: z.array(port).default([]),
      }),
    )
    .default([]),
});

const condition = z.boolean().nullable().default(null);
const names = z
  .array(z.object({ name: z.string() }))
  .default([])
  .transform((list) => list.map(({ name }) => name));
const endpointSlice = z.object({
  kind: z.literal('EndpointSlice'),
  metadata,
  addressType: family,
  ports: z.array(port).default([]),
  endpoints: z
    .array(
      z.object({
        addresses: z.array(z.string()),
        conditions: z.object({ ready: condition, serving: condition, terminating: condition }).prefault({}),
        hostname: z.string().default(''),
        nodeName: z.string().nullable().default(null),
        zone: z.string().nullable().default(null),
        hints: z.object({ forZones: names, forNodes: names }).nullable().default(null),
        targetRef: targetRef.nullable().default(null),
      }),
    )
    .default([]),
});

export const manifest = z.discriminatedUnion('kind', [node, pod, service, endpoints, endpointSlice]);
export type RecordedManifest = z.infer<typeof manifest>;
export type ManifestOf<K extends RecordedManifest['kind']> = Extract<RecordedManifest, { kind: K }>;
