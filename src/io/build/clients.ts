import { micros, milliseconds, seconds } from '../../base/units.ts';
import { keyOf, type ServiceObject, type ServicePort } from '../../sim/api/objects.ts';
import type { ClientInput, ClientSource, ClientTarget, KeepAliveInput, RetriesInput } from '../../sim/clientInput.ts';
import { clientSetting, type NamedClient } from '../manifest/clients.ts';
import type { ParsedText } from '../manifest/parse.ts';
import type { ClientEntry } from '../schema/client.ts';
import type { Settings } from '../settings.ts';
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
  if (from?.outside || (from === undefined && to.via === 'nodePort')) return { type: 'outside' };
  const [pod] = from?.pod === undefined ? [] : podsMeant(from, pods);
  if (pod) return { type: 'pod', node: pod.node, pod: pod.identity };
  return { type: 'node', node: from?.node ?? nodes[0] ?? '' };
}

/** By which way an entry reaches its Service. */
export const wayOf = ({ from, to }: ClientEntry): 'clusterIP' | 'nodePort' =>
  to.via ?? (from?.outside ? 'nodePort' : 'clusterIP');

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
  if (wayOf(entry) === 'nodePort')
    return { type: 'nodePort', port: asked.port.nodePort, nodes: to.node === undefined ? nodes : [to.node] };
  return { type: 'address', ip: spec.clusterIP, port: asked.port.port };
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
