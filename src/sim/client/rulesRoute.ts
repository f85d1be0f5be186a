import type { ClientSource } from '../clientInput.ts';
import type { Scheduler } from '../kernel/kernel.ts';
import { hostPort, NODE_IP } from '../proxy/address.ts';
import type { ConntrackTable } from '../proxy/conntrack.ts';
import type { HealthAnswer } from '../proxy/healthCheck.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';
import type { Affinity } from './affinity.ts';
import { type Choice, pickOne } from './route.ts';

/** What the rules in force on a node do with a new connection to a frontend. `ref` is the sync that wrote them. */
export interface FrontendRules {
  readonly verdict: 'dnat' | 'reject' | 'drop' | 'noRealServer';
  /** `ip:port`, all equally likely. */
  readonly backends: readonly string[];
  /** ClientIP affinity (P-036). */
  readonly affinitySeconds?: number | undefined;
  readonly ref: Ref;
}

/** The rules of a node, and which client went where by affinity. */
export interface NodeRules {
  /** Of its proxy. */
  readonly name: string;
  readonly node: string;
  /** Null: no rule names the frontend. */
  frontendRules(frontend: string, from: ClientSource['type']): FrontendRules | null;
  readonly affinity: Affinity;
  readonly conntrack: ConntrackTable;
  /** What the health check node ports answer, by Service (P-060). */
  readonly healthAnswers: ReadonlyMap<string, HealthAnswer>;
}

const NOWHERE: Choice = { verdict: 'drop', backend: '', of: 0, via: '', ref: NO_REF };

/**
 * A new connection to whichever of `frontends` the rules in force on the node know at this instant (P-056, T-010). `source`:
 * whom the other side sees.
 */
export function byRules(
  rules: NodeRules | undefined,
  frontends: readonly string[],
  from: ClientSource['type'],
  source: string,
  fraction: number,
  kernel: Scheduler,
): Choice {
  if (!rules) return NOWHERE;
  const via = rules.node;
  for (const frontend of frontends) {
    const found = rules.frontendRules(frontend, from);
    if (!found) continue;
    const { verdict, backends, affinitySeconds, ref } = found;
    if (verdict !== 'dnat') return { ...NOWHERE, verdict: verdict === 'drop' ? 'drop' : 'reject', via, ref };
    const drawn = pickOne(backends, fraction) ?? '';
    const backend =
      affinitySeconds === undefined
        ? drawn
        : rules.affinity.choose(`${frontend} ${source}`, backends, drawn, affinitySeconds, kernel.now);
    return { verdict: 'backend', backend, of: backends.length, via, ref };
  }
  return { ...NOWHERE, via };
}

/** By what the rules call a node port: of any address of the node, in ipvs mode of its one address of each family (P-041, P-042). */
export const nodePortFrontends = (port: number, protocol: string): readonly string[] => [
  `nodePort:${port}/${protocol}`,
  `${hostPort(NODE_IP.IPv4, port)}/${protocol}`,
  `${hostPort(NODE_IP.IPv6, port)}/${protocol}`,
];
