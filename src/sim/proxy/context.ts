import { familyOf, type IpFamily } from '../api/objects.ts';
import type { ProxyInput } from '../clusterInput.ts';
import type { ClusterContext } from '../controllers/context.ts';

/** What the parts of a proxier share: one family of one kube-proxy. */
export interface ProxierContext {
  readonly cluster: ClusterContext;
  readonly input: ProxyInput;
  readonly family: IpFamily;
  /** How events name the family: '' unless dual stack. */
  readonly familyName: '' | IpFamily;
  /** Subject of the proxy's events. */
  readonly subject: number;
}

/** Whether the proxier can tell the traffic of its node's Pods from other traffic. */
export const detectsLocalPods = ({ input, family }: ProxierContext): boolean =>
  input.detectLocalPodCIDR !== '' && familyOf(input.detectLocalPodCIDR) === family;
