import type { Task } from '../../kernel/kernel.ts';
import { NODE_IP } from '../address.ts';
import {
  INJECTED_FAILURE,
  type Mode,
  type ModeContext,
  type Outcome,
  type ProxiedService,
  type RuleWriter,
  type Snapshot,
} from '../mode.ts';
import type { ServiceRules } from '../rules.ts';
import { portKey } from '../servicePort.ts';
import { hasHints, SharedPlans } from '../sharedPlans.ts';
import { IptablesPart } from './iptablesPart.ts';
import { planService } from './servicePlan.ts';

/** kube-proxy in ipvs mode: virtual servers with real ones, and a few iptables rules that match ipsets (P-042). */
export const ipvs: Mode = {
  start: (context) => new IpvsWriter(context),
  isAlwaysFull: () => true,
  maxInterval: ({ syncPeriod }) => syncPeriod,
  logsRetry: false,
};

/** Plans of Services that are the same on all nodes. */
const SHARED = new SharedPlans<ServiceRules>();

/** A Service as the last sync found it. */
interface Served {
  readonly service: ProxiedService;
  readonly rules: ServiceRules;
  /** Whether an endpoint of it, in whatever condition, is on this node. */
  readonly hasLocal: boolean;
}

/**
 * Virtual and real servers change at once as a sync goes through the Services; then the iptables part is written, and
 * only if that succeeds go the virtual servers that nothing wants any more.
 *
 * Connections that are open stay with their real server in every mode (T-012), so one that drains with weight 0 until they
 * end is not kept here: it takes no new connection (P-042).
 * Source: pkg/proxy/ipvs/proxier.go, syncProxyRules, cleanLegacyService.
 */
class IpvsWriter implements RuleWriter {
  readonly skipsPeriodicFullSync = false;
  private readonly context: ModeContext;
  private readonly served = new Map<string, Served>();
  private readonly inForce = new Map<string, ServiceRules>();

  constructor(context: ModeContext) {
    this.context = context;
  }

  *sync({ services, written }: Snapshot): Task<Outcome> {
    const { context } = this;
    const part = new IptablesPart(NODE_IP[context.family]);
    for (const service of services.values()) {
      const { hasLocal } = this.serve(service);
      for (const port of service.ports) part.add(port, hasLocal);
    }
    context.apply(this.change(written, withLeftovers));
    const write = part.size();
    const isApplied = yield* context.write(write.lines);
    if (!isApplied) context.error('Failed to execute iptables-restore', INJECTED_FAILURE);
    const rules = isApplied ? this.change(written, (planned) => planned) : [];
    return { isApplied, write, rules };
  }

  /** The Services whose servers become others by `choose`. */
  private change(
    written: Snapshot['written'],
    choose: (planned: ServiceRules, before: ServiceRules) => ServiceRules,
  ): readonly ServiceRules[] {
    return written.flatMap(({ key, ports }) => {
      const none: ServiceRules = { service: key, frontends: [] };
      const before = this.inForce.get(key) ?? none;
      if (ports.length === 0) this.served.delete(key);
      const now = choose(this.served.get(key)?.rules ?? none, before);
      if (now === before) return [];
      this.inForce.set(key, now);
      return [now];
    });
  }

  /** A Service that is as the last sync found it is not looked at again, unless its hints name the node's zone. */
  private serve(service: ProxiedService): Served {
    const { input, family, select } = this.context;
    const { key, ports, endpoints } = service;
    const before = this.served.get(key);
    if (before?.service === service && !hasHints(endpoints)) return before;
    const rules = SHARED.get(service, () => planService(service, select, NODE_IP[family]));
    const isHere = (port: (typeof ports)[number]): boolean =>
      (endpoints.get(portKey(port)) ?? []).some(({ node }) => node === input.node);
    const served = { service, rules, hasLocal: ports.some(isHere) };
    this.served.set(key, served);
    return served;
  }
}

/** What is planned, and the virtual servers from before that nothing has deleted. */
function withLeftovers(planned: ServiceRules, before: ServiceRules): ServiceRules {
  const names = new Set(planned.frontends.map(({ frontend }) => frontend));
  const left = before.frontends.filter(({ frontend }) => !names.has(frontend));
  return left.length === 0 ? planned : { ...planned, frontends: [...planned.frontends, ...left] };
}
