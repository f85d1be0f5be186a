import type { IpFamily } from '../api/objects.ts';
import type { Ref } from '../trace/ref.ts';

/** What a new connection meets: sent to a backend, refused, silently dropped, or an ipvs service without servers. */
export type Verdict = 'dnat' | 'reject' | 'drop' | 'noRealServer';

/** Where connections go; all of `backends` (`ip:port`, sorted by bytes, unique) are equally likely. */
export interface Target {
  readonly verdict: Verdict;
  readonly backends: readonly string[];
}

/** The rules in force for one address that clients use. What does not apply is absent. */
export interface Frontend extends Target {
  /** `ip:port/proto`, or `nodePort:n/proto` for that port of any address of the node. */
  readonly frontend: string;
  readonly kind: 'clusterIP' | 'nodePort' | 'externalIP' | 'loadBalancer';
  /** Name of the Service's port; '' without one. */
  readonly port: string;
  /** ClientIP affinity (P-036). */
  readonly affinitySeconds?: number;
  /** loadBalancerSourceRanges: from elsewhere the connection is dropped. */
  readonly sourceRanges?: readonly string[];
  /** What the node itself, and its Pods, get where rules of their own say so (P-054). */
  readonly fromNode?: Target;
  readonly fromLocalPods?: Target;
  /** Weights of the real servers of ipvs, in the order of `backends`. */
  readonly weights?: readonly number[];
}

/** The rules of one Service in one family: the object `rules/<proxy>/<family>/<namespace/name>` of the trace, as JSON. */
export interface ServiceRules {
  /** `namespace/name`. */
  readonly service: string;
  readonly frontends: readonly Frontend[];
}

/** Key of `ServiceRules` in the trace. */
export const rulesKey = (proxy: string, family: IpFamily, service: string): string =>
  `rules/${proxy}/${family}/${service}`;

/** A frontend in force, and the sync that wrote it. */
export interface FrontendInForce {
  readonly rules: Frontend;
  readonly ref: Ref;
}
