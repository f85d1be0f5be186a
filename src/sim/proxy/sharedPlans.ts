import type { EndpointsByPort } from './endpoints.ts';
import type { ProxiedService } from './mode.ts';
import { type ServicePortInfo, usesLocalEndpoints } from './servicePort.ts';

/**
 * What the rules of a Service come to, where that is the same on all nodes: no Local policy, no hints. Ports and endpoints
 * are immutable and all proxies share them, so each is worked out once and not once a node.
 */
export class SharedPlans<T> {
  private readonly plans = new WeakMap<readonly ServicePortInfo[], WeakMap<EndpointsByPort, T>>();

  /** The plan for a Service, from `make` unless another node has it already. */
  get(service: ProxiedService, make: () => T): T {
    const { ports, endpoints } = service;
    if (ports.length === 0 || ports.some(usesLocalEndpoints) || hasHints(endpoints)) return make();
    let ofPorts = this.plans.get(ports);
    if (!ofPorts) {
      ofPorts = new WeakMap();
      this.plans.set(ports, ofPorts);
    }
    const known = ofPorts.get(endpoints);
    if (known !== undefined) return known;
    const plan = make();
    ofPorts.set(endpoints, plan);
    return plan;
  }
}

const hinted = new WeakMap<EndpointsByPort, boolean>();

/** Whether any endpoint has hints, so that the zone of a node matters (P-053). */
export function hasHints(endpoints: EndpointsByPort): boolean {
  const known = hinted.get(endpoints);
  if (known !== undefined) return known;
  const has = [...endpoints.values()].some((list) =>
    list.some(({ zoneHints, nodeHints }) => zoneHints.length > 0 || nodeHints.length > 0),
  );
  hinted.set(endpoints, has);
  return has;
}
