import * as z from 'zod/mini';
import { OUTCOMES, type Outcome } from '../../sim/clientInput.ts';
import { dns } from './dns.ts';
import { duration } from './duration.ts';
import { optional, say, strict } from './strict.ts';

/** By which way a client reaches a Service. */
const WAYS = ['clusterIP', 'nodePort', 'loadBalancer', 'dns', 'endpointSlices'] as const;
export type Way = (typeof WAYS)[number];

const FAILURES: readonly Outcome[] = OUTCOMES.filter((outcome) => outcome !== 'served');

const from = strict({
  node: optional(z.string(), 'A process on that node.'),
  pod: optional(z.string(), 'A container of that Pod: its name (web-0) or its identity (default/web#1/0).'),
  outside: optional(z.literal(true), 'From outside of the cluster.'),
}).check(
  z.refine(({ node, pod, outside }) => [node, pod, outside].filter((one) => one !== undefined).length === 1, {
    error: say('a client is in one place', 'Write one of node, pod and outside: true.'),
  }),
);

const to = strict({
  service: optional(z.string(), 'Name of a Service.'),
  pod: optional(z.string(), "A Pod's own address, past every Service. Needs port."),
  namespace: optional(z.string(), 'Namespace of the Service. Default: any.'),
  port: optional(
    z.union([z.int().check(z.minimum(1), z.maximum(65_535)), z.string()], {
      error: say('port must be a number or a name', 'Write a port of the Service, such as 80.'),
    }),
    'Number or name of a port of the Service, or number of a port of the Pod. Default: the first port.',
  ),
  via: optional(
    z.enum(WAYS),
    'clusterIP: its cluster IP. nodePort: its node port, on any node. loadBalancer: a balancer in front of the nodes. dns: the addresses behind the name of a headless Service. ' +
      'endpointSlices: the Pods themselves, as an Ingress or Gateway controller does. Default: clusterIP, or dns where there is none; from outside: loadBalancer or nodePort, as the Service is.',
  ),
  node: optional(z.string(), 'Of via: nodePort: that node only. Default: any.'),
  hostname: optional(
    z.string(),
    'Of via: dns: only the Pod of that hostname, such as web-1 of the name web-1.web. Default: each.',
  ),
  lag: optional(
    duration,
    'Of via: endpointSlices: how long it takes from a slice to the first connection that heeds it. Default 0s.',
  ),
}).check(
  z.refine(({ service, pod }) => (service === undefined) !== (pod === undefined), {
    error: say('a client asks either a Service or a Pod', 'Write one of service and pod.'),
  }),
  z.refine(({ pod, port }) => pod === undefined || typeof port === 'number', {
    path: ['port'],
    error: say('a client of a Pod needs the number of a port', 'Add port, such as port: 8080.'),
  }),
);

const keepAlive = strict({
  idleTimeout: optional(duration, 'The client closes a connection that it has not used for so long. Default: never.'),
  maxRequests: optional(
    z.int().check(z.minimum(1), z.maximum(1_000_000)),
    'It closes one that has carried so many requests. Default: never.',
  ),
  appIdleTimeout: optional(
    duration,
    'The app closes a connection that has carried nothing for so long; what is on its way then is reset. Default: never.',
  ),
});

const retries = strict({
  count: z.int().check(z.minimum(0), z.maximum(100), z.describe('A request is made up to so many times more.')),
  on: optional(
    z.array(z.enum(FAILURES)).check(z.minLength(1)),
    'After which outcomes. Default: refused, rejected, reset, timeout and noAddress.',
  ),
  delay: optional(duration, 'Wait before each retry. Default 0s.'),
});

const checks = (text: string) => optional(z.int().check(z.minimum(1), z.maximum(100)), text);
const loadBalancer = strict({
  interval: optional(
    duration.check(z.refine((length) => length > 0, say('interval must be more than 0', 'Write it as in 10s.'))),
    'From one check of a node to the next. Default 10s. ≈',
  ),
  healthyThreshold: checks('So many good answers in a row, and a node is sent to. Default 2. ≈'),
  unhealthyThreshold: checks('So many bad ones, and it is not. Default 3. ≈'),
  delay: optional(duration, 'From that decision to the first connection that heeds it. Default 0s.'),
});

/** An entry of `clients`: who asks whom, how often, and how. */
export const client = strict({
  name: optional(
    z.string().check(z.regex(/^[^/]+$/, say('a name has no slash', 'Write another name.'))),
    'Shown beside its lane. Default: the name of what it asks.',
  ),
  from: optional(from, 'Where its connections begin. Default: the first node.'),
  to: to.check(z.describe('Whom it asks.')),
  interval: optional(duration, 'From the start of one request to the next, answered or not. Default 0.5s.'),
  timeout: optional(duration, 'How long it waits for an answer. Default 1s.'),
  start: optional(duration, 'First request, since the start of the scenario. Default: one interval.'),
  count: optional(z.int().check(z.minimum(1), z.maximum(10_000_000)), 'So many requests. Default: until the end.'),
  path: optional(
    z.string().check(z.regex(/^\//, say('a path begins with a slash', 'Write it as in /api.'))),
    'Path that it asks for; outages of an app may be about some paths only. Default /.',
  ),
  keepAlive: optional(
    keepAlive,
    'Connections are kept open and used again; {} keeps them until the app closes them. Default: a new connection for each request.',
  ),
  retries: optional(retries, 'Default: none.'),
  dns: optional(dns, 'Of via: dns: who remembers answers.'),
  loadBalancer: optional(loadBalancer, 'Of via: loadBalancer: how it finds out which nodes to send to.'),
});
export type ClientEntry = z.output<typeof client>;
