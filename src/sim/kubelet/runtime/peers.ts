import type { Answer, ContainerInput, PodInput } from '../../scenario.ts';
import { NO_REF } from '../../trace/ref.ts';
import { answerText, type NameAnswer } from '../../world/nameServer.ts';
import { type NodeContext, subjectOf } from '../context.ts';

/**
 * How the app in a container looks for its peers: the answer of its readiness probe while it lacks some. Null: it looks
 * for none. Tells in the trace what it finds, where that changes.
 */
export function peersOf(context: NodeContext, pod: PodInput, container: ContainerInput): (() => Answer | null) | null {
  const { needs } = container;
  if (!needs) return null;
  const { kernel, trace, nameServer, node } = context;
  const { peers, answer } = needs;
  const asker = `${pod.uid}/${container.name}`;
  let told = '';
  let lacks = false;
  let everFound = false;
  /** Tells what was found, and what the app is by that, where these change. */
  const tell = (found: NameAnswer): void => {
    const text = answerText(found);
    if (text === told) return;
    told = text;
    const lookup = { name: peers.dns.name, from: found.from, answer: text, ttl: found.ttl };
    const subject = subjectOf(context, 'dns', pod, container.name);
    const ref = trace.event('dnsLookup', kernel.now, subject, lookup, [found.ref], NO_REF, 0);
    if (lacks === isTooFew(found)) return;
    lacks = !lacks;
    const state = lacks ? (everFound ? 'failing' : 'starting') : 'serving';
    const detail = `readiness: ${found.backends.length} of ${peers.addresses} addresses of ${peers.dns.name}`;
    trace.event('appState', kernel.now, subjectOf(context, 'app', pod, container.name), { state, detail }, [ref]);
  };
  const isTooFew = ({ backends }: NameAnswer): boolean => backends.length < peers.addresses;
  return () => {
    const found = nameServer.lookUp?.(peers, node, asker);
    if (!found) return answer;
    tell(found);
    everFound ||= !isTooFew(found);
    return isTooFew(found) ? answer : null;
  };
}
