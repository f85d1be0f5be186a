import { micros, milliseconds, seconds } from '../../base/units.ts';
import { keyOf, type ServiceObject, type ServicePort } from '../../sim/api/objects.ts';
import type {
  ClientInput,
  ClientSource,
  ClientTarget,
  KeepAliveInput,
  LoadBalancerInput,
  RetriesInput,
} from '../../sim/clientInput.ts';
import { clientSetting, type NamedClient } from '../manifest/clients.ts';
import type { ParsedText } from '../manifest/parse.ts';
import type { ClientEntry, Way } from '../schema/client.ts';
import type { Settings } from '../settings.ts';
import { dnsInput } from './dns.ts';
import { nodesOf, type PlacedPod, placedPods, podsMeant } from './placedPods.ts';

/** After which outcomes a request is made again where the text does not say: those that no app decided. */
const RETRIED_BY_DEFAULT: RetriesInput['on'] = ['refused', 'rejected', 'reset', 'timeout', 'noAddress'];

/** The clients of a text without errors. `services`: as the API server has them. */
export function clientInputs(
  parsed: ParsedText,
  settings: Settings,
  services: readonly ServiceObject[],
): readonly ClientInput[] {
  const { clients } = parsed;
  const pods = clients.some(({ entry: { from, to } }) => from?.pod ?? to.pod) ? placedPods(parsed, settings) : [];
  const nodes = nodesOf(parsed);
  return clients.flatMap((client): ClientInput[] => {
    const { name, entry } = client;
    const number = (field: 'interval' | 'timeout'): number => settings.get(clientSetting(name, field))?.value ?? 1;
    const asked = askedOf(entry, services);
    const to = targetOf(entry, asked, pods, nodes);
    if (!to) return [];
    const every = number('interval');
    const { start = every, count = Number.POSITIVE_INFINITY, path = '/' } = entry;
    return [
      {
        name,
        from: sourceOf(client, pods, nodes),
        to,
        service: asked && { service: keyOf(asked.service), port: asked.port.name },
        protocol: asked?.port.protocol ?? 'TCP',
        path,
        start: micros(seconds(start)),
        every: seconds(every),
        count,
        network: milliseconds(settings.get('latencies/clientNetwork')?.value ?? 0),
        timeout: seconds(number('timeout')),
        keepAlive: entry.keepAlive ? keepAliveOf(entry.keepAlive) : null,
        retries: retriesOf(entry.retries),
      },
    ];
  });
}

/** The port of a Service that an entry asks for; null for one that asks a Pod, or nobody. */
function askedOf(
  { to }: ClientEntry,
  services: readonly ServiceObject[],
): { readonly service: ServiceObject; readonly port: ServicePort } | null {
  const service = services.find(
    ({ meta }) => meta.name === to.service && (to.namespace ?? meta.namespace) === meta.namespace,
  );
  const port = service?.spec.ports.find((one) => to.port === undefined || to.port === one.port || to.port === one.name);
  return service && port ? { service, port } : null;
}

function sourceOf(
  { entry: { from, to } }: NamedClient,
  pods: readonly PlacedPod[],
  nodes: readonly string[],
): ClientSource {
  const isOutside = from?.outside ?? (from === undefined && (to.via === 'nodePort' || to.via === 'loadBalancer'));
  if (isOutside) return { type: 'outside' };
  const [pod] = from?.pod === undefined ? [] : podsMeant(from, pods);
  if (pod) return { type: 'pod', node: pod.node, pod: pod.identity };
  return { type: 'node', node: from?.node ?? nodes[0] ?? '' };
}

/** By which way an entry reaches its Service. */
export function wayOf({ from, to }: ClientEntry, type: string, clusterIP: string | undefined): Way {
  if (to.via) return to.via;
  if (from?.outside) return type === 'LoadBalancer' ? 'loadBalancer' : 'nodePort';
  return clusterIP === 'None' ? 'dns' : 'clusterIP';
}

function targetOf(
  entry: ClientEntry,
  asked: ReturnType<typeof askedOf>,
  pods: readonly PlacedPod[],
  nodes: readonly string[],
): ClientTarget | null {
  const { to } = entry;
  const [pod] = to.pod === undefined ? [] : podsMeant({ pod: to.pod }, pods);
  if (pod) return { type: 'pod', pod: pod.identity, port: Number(to.port) };
  if (!asked) return null;
  const { spec } = asked.service;
  switch (wayOf(entry, spec.type, spec.clusterIP)) {
    case 'clusterIP':
      return { type: 'address', ip: spec.clusterIP, port: asked.port.port };
    case 'nodePort':
      return { type: 'nodePort', port: asked.port.nodePort, nodes: to.node === undefined ? nodes : [to.node] };
    case 'loadBalancer':
      return { type: 'loadBalancer', balancer: balancerOf(entry, asked, nodes) };
    case 'dns':
      return { type: 'endpoints', resolver: dnsInput(asked.service.meta, entry.dns, to.hostname) };
    case 'endpointSlices':
      return { type: 'endpoints', resolver: { type: 'slices', lag: seconds(to.lag ?? 0) } };
  }
}

function balancerOf(
  { loadBalancer = {} }: ClientEntry,
  { service: { spec }, port }: NonNullable<ReturnType<typeof askedOf>>,
  nodes: readonly string[],
): LoadBalancerInput {
  const { interval = 10, healthyThreshold = 2, unhealthyThreshold = 3, delay = 0 } = loadBalancer;
  return {
    nodes,
    ip: spec.loadBalancerIngress.find(({ ipMode }) => ipMode === 'VIP')?.ip ?? null,
    port: port.port,
    nodePort: port.nodePort,
    asksHealthCheckPort: spec.healthCheckNodePort !== 0,
    interval: seconds(interval),
    healthyThreshold,
    unhealthyThreshold,
    delay: seconds(delay),
  };
}

const spanOrNever = (value: number | undefined) => (value === undefined ? null : seconds(value));

const keepAliveOf = ({
  idleTimeout,
  maxRequests,
  appIdleTimeout,
}: NonNullable<ClientEntry['keepAlive']>): KeepAliveInput => ({
  idleTimeout: spanOrNever(idleTimeout),
  maxRequests: maxRequests ?? null,
  appIdleTimeout: spanOrNever(appIdleTimeout),
});

const retriesOf = ({ count, on, delay = 0 }: NonNullable<ClientEntry['retries']> = { count: 0 }): RetriesInput => ({
  count,
  on: on ?? RETRIED_BY_DEFAULT,
  delay: seconds(delay),
});
