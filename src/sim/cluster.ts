import type { ApiServer } from './api/apiServer.ts';
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
import { Script } from './world/script.ts';

/** Starts the control plane beside the API server, the proxies, and what a script writes. */
export function startCluster(context: ClusterContext, api: ApiServer, machines: readonly NodeMachine[]): void {
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
  startClients(context, new Map(proxies.map((proxy) => [proxy.node, proxy])), networkOf(machines));
}
