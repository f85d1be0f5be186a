import type { Task } from '../../kernel/kernel.ts';
import { hostPort, NODE_IP } from '../address.ts';
import type { Selection } from '../endpointSelection.ts';
import {
  INJECTED_FAILURE,
  type Mode,
  type ModeContext,
  type Outcome,
  type ProxiedService,
  type RuleWriter,
  type Snapshot,
} from '../mode.ts';
import type { Frontend, ServiceRules } from '../rules.ts';
import { portKey, type ServicePortInfo } from '../servicePort.ts';
import { IptablesPart } from './iptablesPart.ts';

/** kube-proxy in ipvs mode: virtual servers with real ones, and a few iptables rules that match ipsets (P-042). */
export const ipvs: Mode = {
  start: (context) => new IpvsWriter(context),
  isAlwaysFull: () => true,
  maxInterval: ({ syncPeriod }) => syncPeriod,
  logsRetry: false,
};

/**
 * Virtual and real servers change as a sync goes through the Services; then the iptables part is written, and only if
 * that succeeds go the virtual servers that nothing wants any more.
 *
 * Connections that are open stay with their real server in every mode (T-012), so one that drains with weight 0 until they
 * end is not kept here: it takes no new connection (P-042).
 * Source: pkg/proxy/ipvs/proxier.go, syncProxyRules, syncEndpoint, cleanLegacyService.
 */
class IpvsWriter implements RuleWriter {
  readonly skipsPeriodicFullSync = false;
  private readonly context: ModeContext;
  private readonly inForce = new Map<string, readonly Frontend[]>();

  constructor(context: ModeContext) {
    this.context = context;
  }

  *sync({ services, written }: Snapshot): Task<Outcome> {
    const part = new IptablesPart();
    const wanted = new Map<string, readonly Frontend[]>();
    for (const service of services.values()) wanted.set(service.key, this.syncService(service, part));
    const write = part.size();
    const isApplied = yield* this.context.write(write.lines);
    if (!isApplied) this.context.error('Failed to execute iptables-restore', INJECTED_FAILURE);
    const rules: ServiceRules[] = [];
    for (const { key: service } of written) {
      const before = this.inForce.get(service) ?? [];
      const now = wanted.get(service) ?? [];
      const frontends = isApplied
        ? now
        : [...now, ...before.filter((old) => !now.some((one) => one.frontend === old.frontend))];
      if (areSame(before, frontends)) continue;
      this.inForce.set(service, frontends);
      rules.push({ service, frontends });
    }
    return { isApplied, write, rules };
  }

  private syncService({ ports, endpoints }: ProxiedService, part: IptablesPart): readonly Frontend[] {
    const { input, family, select } = this.context;
    return ports.flatMap((port) => {
      const all = endpoints.get(portKey(port)) ?? [];
      part.add(
        port,
        all.some(({ node }) => node === input.node),
        NODE_IP[family],
      );
      return frontendsOf(port, select(port, all), NODE_IP[family]);
    });
  }
}

/** The virtual servers of a port; where a Local policy finds nothing on the node, all endpoints take its place (P-042). */
function frontendsOf(port: ServicePortInfo, { cluster, local }: Selection, nodeIp: string): readonly Frontend[] {
  const backendsOf = (isLocal: boolean): readonly string[] =>
    (isLocal && local.length > 0 ? local : cluster).map(({ address }) => address);
  const frontend = (kind: Frontend['kind'], ip: string, number: number, backends: readonly string[]): Frontend => ({
    frontend: `${hostPort(ip, number)}/${port.protocol.toLowerCase()}`,
    kind,
    port: port.name,
    verdict: backends.length > 0 ? 'dnat' : 'noRealServer',
    backends,
    ...(backends.length > 0 && { weights: backends.map(() => 1) }),
    ...(port.affinitySeconds !== null && { affinitySeconds: port.affinitySeconds }),
  });
  const external = backendsOf(port.externalPolicyLocal);
  return [
    frontend('clusterIP', port.clusterIP, port.port, backendsOf(port.internalPolicyLocal)),
    ...port.externalIPs.map((ip) => frontend('externalIP', ip, port.port, external)),
    ...port.loadBalancerVIPs.map((ip) => frontend('loadBalancer', ip, port.port, external)),
    ...(port.nodePort === 0 ? [] : [frontend('nodePort', nodeIp, port.nodePort, external)]),
  ];
}

const areSame = (a: readonly Frontend[], b: readonly Frontend[]): boolean =>
  a.length === b.length && a.every((one, i) => isSame(one, b[i] as Frontend));

const isSame = (a: Frontend, b: Frontend): boolean =>
  a.frontend === b.frontend &&
  a.port === b.port &&
  a.affinitySeconds === b.affinitySeconds &&
  a.backends.length === b.backends.length &&
  a.backends.every((backend, i) => backend === b.backends[i]);
