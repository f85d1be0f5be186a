import type { ApiServer } from './api/apiServer.ts';
import { ClusterDns } from './client/dns.ts';
import { networkOf } from './client/podNetwork.ts';
import { Rollout } from './client/rollout.ts';
import { startClients } from './client/startClients.ts';
import type { ClusterContext } from './controllers/context.ts';
import { EndpointsController } from './controllers/endpoints/endpointsController.ts';
import { EndpointSliceController } from './controllers/endpointslice/endpointSliceController.ts';
import { MirroringController } from './controllers/endpointslicemirroring/mirroringController.ts';
import type { NodeMachine } from './kubelet/nodeMachine.ts';
import { KubeProxy } from './proxy/kubeProxy.ts';
import { startWorkloads } from './workloads.ts';
import type { NameServer } from './world/nameServer.ts';
import { Script } from './world/script.ts';

/** Starts the control plane beside the API server, the proxies, and what a script writes. */
export function startCluster(
  context: ClusterContext,
  api: ApiServer,
  machines: readonly NodeMachine[],
  nameServer: NameServer,
): void {
  const { kernel, input } = context;
  new Script(context, api).play();
  kernel.at(input.start, 'controller', () => {
    new EndpointsController(context).start();
    new EndpointSliceController(context).start();
    if (input.controllers.mirroring) new MirroringController(context).start();
  });
  for (const rollout of input.rollouts) new Rollout(context, api, rollout).start();
  if (input.workloads) startWorkloads(context, api, machines, input.workloads);
  const proxies = input.proxies.map((proxy, place) => new KubeProxy(context, proxy, place));
  for (const proxy of proxies) kernel.at(proxy.input.start, 'proxy', () => proxy.start());
  const dns = startDns(context, machines, nameServer);
  startClients(context, new Map(proxies.map((proxy) => [proxy.node, proxy])), networkOf(machines), dns);
}

/** CoreDNS and what caches its answers. It knows the names that apps look up before they do. */
function startDns(context: ClusterContext, machines: readonly NodeMachine[], nameServer: NameServer): ClusterDns {
  const dns = new ClusterDns(context);
  nameServer.lookUp = (peers, node, asker) => dns.lookUp(peers, node, asker);
  for (const peers of context.input.peers ?? []) {
    for (const { node } of machines) dns.resolverFor(peers.port, peers.dns, node);
  }
  return dns;
}
