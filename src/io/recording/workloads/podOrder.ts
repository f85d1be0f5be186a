import { micros } from '../../../base/units.ts';
import type { Pin, Pins } from '../../../sim/scenario.ts';
import type { WorkloadsRecording } from './recording.ts';

/** Orders in which Pods of a node were marked, and in which a pass of garbage collection went. */
export function podOrderPins(recording: WorkloadsRecording): Pins {
  const { podGCOrder } = recording.scenario.draws;
  const collected = podGCOrder.map(({ pods }): Pin => ({ value: pods.join(', '), at: null }));
  return { ...markPins(recording), ...(collected.length > 0 && { 'podgc/order': collected }) };
}

/** The recorded order is that of a whole pass, which marks the Pods of several nodes at once: each node's is drawn by itself. */
function markPins({ initial, events, scenario: { draws } }: WorkloadsRecording): Pins {
  const nodes = new Map(Object.entries(initial.pods ?? {}).map(([name, { node }]) => [name, node]));
  for (const { type, name, changed } of events as readonly Loose[])
    if (type === 'pods' && changed?.node) nodes.set(String(name), changed.node);
  const pins: Record<string, Pin[]> = {};
  for (const { t, pods } of draws.podMarkOrder) {
    for (const node of new Set(pods.map((pod) => nodes.get(pod)))) {
      const own = pods.filter((pod) => nodes.get(pod) === node);
      if (own.length < 2) continue;
      const marked = events.findLast(({ t: at, type, key }) => at <= t && type === 'markPodsNotReady' && key === node);
      const name = `nodelifecycle/podMarks/${node}`;
      pins[name] = [...(pins[name] ?? []), { value: own.join(', '), at: micros(marked?.t ?? t) }];
    }
  }
  return pins;
}

interface Loose {
  readonly type: string;
  readonly name?: unknown;
  readonly changed?: { readonly node?: unknown };
}
