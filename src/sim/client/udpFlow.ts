import type { ClusterContext } from '../controllers/context.ts';
import { NO_REF } from '../trace/ref.ts';
import type { Choice } from './route.ts';
import type { NodeRules } from './rulesRoute.ts';

/** First of the source ports of clients that keep theirs. */
const FIRST_PORT = 40_000;

/**
 * A UDP client that keeps its source port stays with its backend as long as the node remembers the connection: until
 * kube-proxy or time ends that (T-011, P-062, P-063). `place`: among the clients, which tells their ports apart.
 */
export function keepingPort(
  { kernel }: ClusterContext,
  rules: NodeRules | undefined,
  dest: string,
  place: number,
  choose: () => Choice,
): Choice {
  const { now } = kernel;
  const from = `${dest.startsWith('[') ? '[fd00:192:168::2]' : '192.168.0.2'}:${FIRST_PORT + place}`;
  const known = rules?.conntrack.pass(from, dest, now) ?? null;
  if (rules && known !== null) return { verdict: 'backend', backend: known, of: 0, via: '', ref: NO_REF };
  const choice = choose();
  if (rules && choice.verdict === 'backend')
    rules.conntrack.add({ proxy: rules.name, from, dest, backend: choice.backend, protocol: 'UDP' }, now);
  return choice;
}
