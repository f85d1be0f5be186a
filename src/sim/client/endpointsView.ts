import type { MicrosSpan } from '../../base/units.ts';
import { Informer } from '../api/informer.ts';
import { type EndpointSliceObject, LABEL } from '../api/objects.ts';
import type { ServicePortRef } from '../clientInput.ts';
import type { ClusterContext } from '../controllers/context.ts';
import { hostPort } from '../proxy/address.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';

/** The ready endpoints of a port of a Service, as somebody who watches its slices knows them. */
export class EndpointsView {
  /** `ip:port`, sorted, each once. */
  backends: readonly string[] = [];
  /** The delivery that it last learned from. */
  ref: Ref = NO_REF;

  /** `to`, `subject`: the watcher; `lag`: on top of the watch latency; `hostname`: of the endpoints that it wants; null: of all. */
  constructor(
    { kernel, trace, store, input }: ClusterContext,
    { service, port }: ServicePortRef,
    subject: number,
    lag: MicrosSpan,
    hostname: string | null = null,
  ) {
    const slash = service.indexOf('/');
    const [namespace, name] = [service.slice(0, slash), service.slice(slash + 1)];
    const informer = new Informer({
      kernel,
      trace,
      store,
      subject,
      resource: 'endpointslices',
      phase: 'client',
      latency: (input.latency.watch.proxy.endpointslices + lag) as MicrosSpan,
      listExtra: input.latency.listExtra,
      selects: ({ meta }) => meta.namespace === namespace && meta.labels[LABEL.serviceName] === name,
    });
    informer.onEvent(({ ref }) => {
      this.ref = ref;
      const all = [...informer.values()].flatMap((slice) => readyIn(slice, port, hostname));
      this.backends = [...new Set(all)].sort();
    });
    kernel.at(input.start, 'client', () => informer.start(() => {}));
  }
}

/** Ready endpoints of the port in a slice; not known counts as ready. */
function readyIn({ ports, endpoints }: EndpointSliceObject, port: string, hostname: string | null): readonly string[] {
  const number = ports.find(({ name }) => name === port)?.port;
  if (number === undefined) return [];
  return endpoints.flatMap(({ ready, addresses, hostname: own }) => {
    const [ip] = addresses;
    const isWanted = ready !== false && (hostname === null || own === hostname);
    return isWanted && ip !== undefined ? [hostPort(ip, number)] : [];
  });
}
