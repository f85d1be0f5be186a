import { canonicalIp } from '../../base/ipAddress.ts';
import type { ClientInput, ClientSource, ServicePortRef } from '../clientInput.ts';
import type { ClusterContext } from '../controllers/context.ts';
import { hostPort } from '../proxy/address.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';
import { Client } from './client.ts';
import type { ClusterDns } from './dns.ts';
import { DnsRoute, sliceRoute } from './endpointsRoute.ts';
import { LoadBalancer } from './loadBalancer.ts';
import type { PodNetwork } from './podNetwork.ts';
import { type Choice, pickOne, type Route } from './route.ts';
import { byRules, type NodeRules, nodePortFrontends } from './rulesRoute.ts';
import { keepingPort } from './udpFlow.ts';
import { withoutKubelet } from './withoutKubelet.ts';

/** What the clients of a cluster share. */
interface World {
  readonly context: ClusterContext;
  /** The rules of each node by its name. */
  readonly nodes: ReadonlyMap<string, NodeRules>;
  readonly pods: PodNetwork;
  readonly dns: ClusterDns;
}

/** Starts the clients. */
export function startClients(
  context: ClusterContext,
  nodes: ReadonlyMap<string, NodeRules>,
  kubelets: PodNetwork,
  dns: ClusterDns,
): void {
  const { clients } = context.input;
  if (clients.length === 0) return;
  const world: World = { context, nodes, pods: withoutKubelet(context, kubelets), dns };
  clients.forEach((client, place) => {
    const subject = subjectOf(context, client);
    new Client(context, client, routeOf(world, client, subject, place), world.pods, subject).start();
  });
}

function subjectOf({ trace }: ClusterContext, { name, from }: ClientInput): number {
  const node = from.type === 'outside' ? '' : from.node;
  const pod = from.type === 'pod' ? from.pod : '';
  return trace.subjectOf({ component: 'client', node, pod, container: '', probe: '', object: name });
}

const NO_PORT: ServicePortRef = { service: '', port: '' };

function routeOf(world: World, client: ClientInput, subject: number, place: number): Route {
  const { context, nodes, pods } = world;
  const { to } = client;
  const service = client.service ?? NO_PORT;
  switch (to.type) {
    case 'address':
      return addressRoute(world, client, hostPort(canonicalIp(to.ip), to.port), place);
    case 'nodePort': {
      const entries = to.nodes.map((node) => ({ node, ref: NO_REF }));
      return nodePortRoute(world, client, () => entries, nodePortFrontends(to.port, protocolOf(client)));
    }
    case 'loadBalancer': {
      const { balancer } = to;
      const frontends = [
        ...(balancer.ip === null ? [] : [`${hostPort(canonicalIp(balancer.ip), balancer.port)}/${protocolOf(client)}`]),
        ...nodePortFrontends(balancer.nodePort, protocolOf(client)),
      ];
      const running = new LoadBalancer(context, client, balancer, nodes, pods, subject);
      running.start();
      return nodePortRoute(world, client, () => running.candidates(), frontends);
    }
    case 'endpoints':
      return to.resolver.type === 'dns'
        ? new DnsRoute(context, world.dns, client, service, subject, to.resolver)
        : sliceRoute(context, service, subject, to.resolver.lag);
    case 'pod':
      return { resolve: null, choose: () => directly(context, to.pod, to.port) };
  }
}

/** To an address by the rules of the client's own node. `place`: among the clients. */
function addressRoute(world: World, client: ClientInput, dest: string, place: number): Route {
  const { from, protocol, keepAlive } = client;
  const node = from.type === 'outside' ? '' : from.node;
  const frontends = [`${dest}/${protocolOf(client)}`];
  const anew = (fraction: number): Choice => enter(world, client, node, frontends, fraction);
  if (protocol !== 'UDP' || !keepAlive) return { resolve: null, choose: anew };
  const rules = world.nodes.get(node);
  return {
    resolve: null,
    choose: (fraction) => keepingPort(world.context, rules, dest, place, () => anew(fraction)),
  };
}

/** From outside to one of some nodes, and there by its rules. */
function nodePortRoute(
  world: World,
  client: ClientInput,
  nodes: () => readonly { readonly node: string; readonly ref: Ref }[],
  frontends: readonly string[],
): Route {
  return {
    resolve: null,
    choose: (fraction) => {
      const candidates = nodes();
      const { node, ref } = pickOne(candidates, fraction) ?? { node: '', ref: NO_REF };
      const choice: Choice = world.pods.isOn(node)
        ? enter(world, client, node, frontends, (fraction * candidates.length) % 1)
        : { verdict: 'drop', backend: '', of: 0, via: node, ref: NO_REF };
      return { ...choice, nodeChosenBy: ref };
    },
  };
}

/** By the rules of a node, whichever of the frontends it knows. */
function enter(
  { nodes, context }: World,
  { name, from }: ClientInput,
  node: string,
  frontends: readonly string[],
  fraction: number,
): Choice {
  return byRules(nodes.get(node), frontends, from.type, sourceOf(name, from), fraction, context.kernel);
}

const protocolOf = ({ protocol }: ClientInput): string => protocol.toLowerCase();

/** Whom the other side sees: clients of one node have one address. */
function sourceOf(name: string, from: ClientSource): string {
  switch (from.type) {
    case 'node':
      return from.node;
    case 'pod':
      return from.pod;
    case 'outside':
      return name;
  }
}

/** To the address that the API server has of a Pod. */
function directly({ store }: ClusterContext, pod: string, port: number): Choice {
  const [ip] = store.get('pods', pod)?.status.podIPs ?? [];
  const nothing = { via: '', ref: NO_REF };
  if (ip === undefined) return { ...nothing, verdict: 'noAddress', backend: '', of: 0 };
  return { ...nothing, verdict: 'backend', backend: hostPort(ip, port), of: 1 };
}
