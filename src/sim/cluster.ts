import type { ApiServer } from './api/apiServer.ts';
import { Client, type RulesInForce } from './client/client.ts';
import { networkOf } from './client/podNetwork.ts';
import { Rollout } from './client/rollout.ts';
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
  const network = networkOf(machines);
  new Script(context, api).play();
  kernel.at(input.start, 'controller', () => {
    new EndpointsController(context).start();
    new EndpointSliceController(context).start();
    if (input.controllers.mirroring) new MirroringController(context).start();
  });
  for (const rollout of input.rollouts) new Rollout(context, api, rollout).start();
  if (input.workloads) startWorkloads(context, api, machines, input.workloads);
  const proxies = new Map<string, KubeProxy>();
  input.proxies.forEach((proxy, place) => {
    const kubeProxy = new KubeProxy(context, proxy, place);
    proxies.set(proxy.name, kubeProxy);
    kernel.at(proxy.start, 'proxy', () => kubeProxy.start());
  });
  for (const client of input.clients) {
    const rules: RulesInForce = (frontend) => proxies.get(client.proxy)?.frontendRules(frontend) ?? null;
    new Client(context, client, rules, network).start();
  }
}
