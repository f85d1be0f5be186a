import { canonicalIp } from '../../base/ipAddress.ts';
import type { ClientInput, ClientSource } from '../clientInput.ts';
import type { ClusterContext } from '../controllers/context.ts';
import { hostPort } from '../proxy/address.ts';
import { NO_REF } from '../trace/ref.ts';
import { Client } from './client.ts';
import type { PodNetwork } from './podNetwork.ts';
import { type Choice, pickOne, type Route } from './route.ts';
import { byRules, type NodeRules, nodePortFrontends } from './rulesRoute.ts';
import { withoutKubelet } from './withoutKubelet.ts';

/** Starts the clients. `nodes`: the rules of each node by its name. */
export function startClients(
  context: ClusterContext,
  nodes: ReadonlyMap<string, NodeRules>,
  kubelets: PodNetwork,
): void {
  const { clients } = context.input;
  if (clients.length === 0) return;
  const pods = withoutKubelet(context, kubelets);
  for (const client of clients) new Client(context, client, routeOf(context, client, nodes), pods).start();
}

function routeOf(context: ClusterContext, client: ClientInput, nodes: ReadonlyMap<string, NodeRules>): Route {
  const { from, to } = client;
  const protocol = client.protocol.toLowerCase();
  switch (to.type) {
    case 'address': {
      const frontends = [`${hostPort(canonicalIp(to.ip), to.port)}/${protocol}`];
      const node = from.type === 'outside' ? '' : from.node;
      return { resolve: null, choose: (fraction) => enter(node, frontends, fraction) };
    }
    case 'nodePort':
      return {
        resolve: null,
        choose: (fraction) => {
          const node = pickOne(to.nodes, fraction) ?? '';
          const within = (fraction * to.nodes.length) % 1;
          return enter(node, nodePortFrontends(to.port, protocol), within);
        },
      };
    case 'pod':
      return { resolve: null, choose: () => directly(context, to.pod, to.port) };
  }

  /** By the rules of a node, whichever of the frontends it knows. */
  function enter(node: string, frontends: readonly string[], fraction: number): Choice {
    const rules = nodes.get(node);
    const known = frontends.find((frontend) => rules?.frontendRules(frontend, from.type)) ?? frontends[0] ?? '';
    return byRules(rules, known, { type: from.type, source: sourceOf(client.name, from) }, fraction, context.kernel);
  }
}

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
  return { ...nothing, verdict: 'backend', backend: `${ip}:${port}`, of: 1 };
}
