import type { ProxyEndpoint } from '../endpoints.ts';
import { type FrontendOptions, frontendsOf } from '../frontends.ts';
import type { ModeContext, ProxiedService } from '../mode.ts';
import type { Frontend, ServiceRules } from '../rules.ts';
import { portKey } from '../servicePort.ts';
import { type PortRules, portRules } from './portRules.ts';

/** A Service in the table, and what its rules then do. */
export interface ServicePlan {
  readonly ports: readonly PlannedPort[];
  readonly inForce: ServiceRules;
}

interface PlannedPort {
  readonly rules: PortRules;
  readonly protocol: string;
  /** Endpoints that the rules lead to. */
  readonly reachable: readonly ProxyEndpoint[];
}

/** Works out a Service, port by port. */
export function planService(
  { key, ports, endpoints }: ProxiedService,
  select: ModeContext['select'],
  options: FrontendOptions,
): ServicePlan {
  const planned: PlannedPort[] = [];
  const frontends: Frontend[] = [];
  for (const port of ports) {
    const selection = select(port, endpoints.get(portKey(port)) ?? []);
    const rules = portRules(port, selection, options.detectsLocalPods);
    planned.push({ rules, protocol: port.protocol.toLowerCase(), reachable: selection.reachable });
    frontends.push(...frontendsOf(port, selection, options));
  }
  return { ports: planned, inForce: { service: key, frontends } };
}

/** Elements that masquerade the traffic of a node's endpoints to themselves through the Service. */
export const hairpins = ({ ports }: ServicePlan, node: string): readonly string[] =>
  ports.flatMap(({ protocol, reachable }) =>
    reachable
      .filter((endpoint) => endpoint.node === node)
      .map(({ address }) => `hairpin-connections ${address} . ${protocol}`),
  );
