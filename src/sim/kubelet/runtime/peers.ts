import type { Answer, ContainerInput, PodInput } from '../../scenario.ts';
import { NO_REF } from '../../trace/ref.ts';
import { answerText } from '../../world/nameServer.ts';
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
  return () => {
    const found = nameServer.lookUp?.(peers, node, asker);
    if (!found) return answer;
    const text = answerText(found);
    if (text !== told) {
      told = text;
      const subject = subjectOf(context, 'dns', pod, container.name);
      const payload = { name: peers.dns.name, from: found.from, answer: text, ttl: found.ttl };
      trace.event('dnsLookup', kernel.now, subject, payload, [found.ref], NO_REF, 0);
    }
    return found.backends.length < peers.addresses ? answer : null;
  };
}
