import { fnv1a64 } from '../../../base/hash.ts';
import { micros } from '../../../base/units.ts';
import type { Pin, Pins } from '../../../sim/scenario.ts';
import type { WorkloadsRecording } from './recording.ts';

/** One creation or deletion of a DaemonSet's Pod: when it was asked for, and when its answer came. */
interface Step {
  readonly set: string;
  readonly node: string;
  readonly called: number;
  readonly answered: number;
}

/** Orders of nodes in which DaemonSets acted, at the instants of the decisions. */
export function nodeOrderPins(recording: WorkloadsRecording): Pins {
  const pins: Record<string, Pin[]> = {};
  for (const { set, nodes, at } of decisionsOf(stepsOf(recording))) {
    const name = `daemonset/nodes/default/${set}`;
    const known = pins[name] ?? [];
    pins[name] = known;
    known.push({ value: nodes.join(', '), at: micros(at) });
  }
  return pins;
}

/** The recorded steps; a request takes longer by what the name of a new Pod's node, or of a Pod that goes, says. */
function stepsOf({ scenario: { draws, world }, events }: WorkloadsRecording): readonly Step[] {
  const hop = (name: string): number => world.latencyUs[name] ?? 0;
  const spread = (name: string): number => Number(fnv1a64(name) % BigInt(hop('request/nameSpread') || 1));
  const own = events.filter(({ type, actor }) => type === 'pods' && actor === 'daemonset');
  return draws.daemonSetNodeOrder.map(({ node, t, verb }): Step => {
    const told = own.find((event) => event.t === t && event.verb === verb && nodeOf(event) === node);
    const pod = String(told?.name ?? '');
    const called = t - hop('request/daemonset') - spread(verb === 'create' ? node : pod);
    return { set: pod.slice(0, pod.lastIndexOf('-')), node, called, answered: t + hop('response/daemonset') };
  });
}

const nodeOf = ({ node, object }: Readonly<Record<string, unknown>>): unknown =>
  node ?? (object as { readonly target?: unknown } | undefined)?.target;

/** What was asked for at once, or when the answer to the same decision's last batch came, was decided together. */
function decisionsOf(
  steps: readonly Step[],
): readonly { readonly set: string; readonly nodes: readonly string[]; readonly at: number }[] {
  const decisions: { set: string; nodes: string[]; at: number; next: Set<number> }[] = [];
  for (const { set, node, called, answered } of steps.toSorted((a, b) => a.called - b.called)) {
    const known = decisions.find((one) => one.set === set && one.next.has(called));
    const one = known ?? { set, nodes: [], at: called, next: new Set([called]) };
    if (!known) decisions.push(one);
    if (!one.nodes.includes(node)) one.nodes.push(node);
    one.next.add(answered);
  }
  return decisions;
}
