import { type FrontendOptions, frontendsOf } from '../frontends.ts';
import type { ModeContext, ProxiedService } from '../mode.ts';
import type { Frontend, ServiceRules } from '../rules.ts';
import { portKey } from '../servicePort.ts';
import { portChains } from './portChains.ts';

/** A Service in the input of iptables-restore, and what its rules then do. */
export interface ServicePlan {
  /** Lines in the chains that all Services share. */
  readonly sharedNatRules: number;
  readonly sharedFilterRules: number;
  /** Its own chains, and the rules in them. */
  readonly chains: ReadonlySet<string>;
  readonly rules: number;
  /** Endpoints of its ports, usable or not (P-031). */
  readonly endpoints: number;
  readonly inForce: ServiceRules;
}

/** Works out a Service, port by port. */
export function planService(
  { key, ports, endpoints }: ProxiedService,
  select: ModeContext['select'],
  options: FrontendOptions,
): ServicePlan {
  const chains = new Set<string>();
  const frontends: Frontend[] = [];
  const sums = { sharedNatRules: 0, sharedFilterRules: 0, rules: 0, endpoints: 0 };
  for (const port of ports) {
    const ofPort = endpoints.get(portKey(port)) ?? [];
    const selection = select(port, ofPort);
    const lines = portChains(port, selection, options.detectsLocalPods);
    for (const chain of lines.chains) chains.add(chain);
    frontends.push(...frontendsOf(port, selection, options));
    sums.sharedNatRules += lines.sharedNatRules;
    sums.sharedFilterRules += lines.sharedFilterRules;
    sums.rules += lines.rules;
    sums.endpoints += ofPort.length;
  }
  return { ...sums, chains, inForce: { service: key, frontends } };
}
