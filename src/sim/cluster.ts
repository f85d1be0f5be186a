import type { ApiServer } from './api/apiServer.ts';
import type { ClusterContext } from './controllers/context.ts';
import { EndpointsController } from './controllers/endpoints/endpointsController.ts';
import { EndpointSliceController } from './controllers/endpointslice/endpointSliceController.ts';
import { MirroringController } from './controllers/endpointslice/mirroringController.ts';
import { KubeProxy } from './proxy/kubeProxy.ts';
import { Script } from './world/script.ts';

/** Starts the control plane beside the API server, the proxies, and what a script writes. */
export function startCluster(context: ClusterContext, api: ApiServer): void {
  const { kernel, input } = context;
  new Script(context, api).play();
  kernel.at(input.start, 'controller', () => {
    new EndpointsController(context).start();
    new EndpointSliceController(context).start();
    if (input.controllers.mirroring) new MirroringController(context).start();
  });
  input.proxies.forEach((proxy, place) => {
    kernel.at(proxy.start, 'proxy', () => new KubeProxy(context, proxy, place).start());
  });
}
