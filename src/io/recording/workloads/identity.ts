import { type GivenIdentity, namesOf } from '../../../sim/workloadsInput.ts';
import type { WorkloadsRecording } from './recording.ts';

type Pods = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Names and UIDs as a recording has them. `made`: the Pods of a run at t = 0, in order of creation and under other names;
 * a recorded Pod is the one of the same owner with the same address.
 */
export function identityOf({ initial, events }: WorkloadsRecording, made: Pods): GivenIdentity {
  const names = new Map<string, string[]>();
  const uids = new Map<string, string[]>();
  const add = (name: string, { owner, uid, target }: Readonly<Record<string, unknown>>): void => {
    append(uids, name, String(uid));
    const [kind, of = ''] = String(owner ?? '').split('/');
    if (kind === 'ReplicaSet' || kind === 'DaemonSet') append(names, namesOf(`${of}-`, String(target ?? '')), name);
  };
  const left = new Map(Object.entries(initial.pods ?? {}));
  for (const pod of Object.values(made)) {
    const same = [...left].find(([, one]) => one.owner === pod.owner && one.podIP === pod.podIP);
    if (!same) continue;
    left.delete(same[0]);
    add(...same);
  }
  for (const [name, pod] of left) add(name, pod);
  for (const { lane, type, name, object } of events)
    if (lane === 'api' && type === 'pods' && object) add(String(name), object as Readonly<Record<string, unknown>>);
  return { names: Object.fromEntries(names), uids: Object.fromEntries(uids) };
}

function append(lists: Map<string, string[]>, key: string, text: string): void {
  const list = lists.get(key) ?? [];
  list.push(text);
  lists.set(key, list);
}
