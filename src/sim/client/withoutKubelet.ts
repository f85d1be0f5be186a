import { milliseconds } from '../../base/units.ts';
import type { ApiPod } from '../api/apiPod.ts';
import type { ClusterContext } from '../controllers/context.ts';
import { addressOf, type PodAddress, type PodNetwork } from './podNetwork.ts';

/** What a Pod without a kubelet answers: it has no app that could do anything else. */
const ANSWER = { state: 'answer', code: 200, takes: milliseconds(1) } as const;

/**
 * The Pod network of the kubelets, and on it the Pods that no kubelet runs: they answer well while they are Running, and
 * are silent once they are gone.
 */
export function withoutKubelet({ store }: ClusterContext, kubelets: PodNetwork): PodNetwork {
  const owners = new Map<string, string>();
  const learn = (pod: ApiPod): void => {
    for (const ip of pod.status.podIPs) owners.set(ip.includes(':') ? `[${ip}]` : ip, pod.input.identity);
  };
  for (const pod of store.list('pods')) learn(pod);
  store.subscribe('pods', ({ now }) => {
    if (now) learn(now);
  });
  const scripted = (backend: string): PodAddress | null => {
    const pod = owners.get(addressOf(backend).ip);
    if (pod === undefined) return null;
    if (store.get('pods', pod)?.status.phase !== 'Running') return { pod, state: 'gone' };
    return { pod, state: { id: pod, serve: () => ANSWER, onEnd: () => () => {} } };
  };
  return { ...kubelets, lookUp: (backend, from) => kubelets.lookUp(backend, from) ?? scripted(backend) };
}
