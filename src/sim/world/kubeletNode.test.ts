import { describe, expect, it } from 'vitest';
import { deploymentSpec, kubeletRollout } from '../../../test/support/rollouts.ts';
import { isReady, type PodJson, storedIn } from '../../../test/support/storedObjects.ts';
import { micros, seconds } from '../../base/units.ts';
import type { Scenario } from '../scenario.ts';
import type { NodeAction } from '../workloadsInput.ts';

const at = (second: number) => micros(seconds(second));
const power = (from: number, to: number): readonly NodeAction[] => [
  { at: at(from), do: 'stopNode', node: 'node-0', powerOff: true },
  { at: at(to), do: 'startNode', node: 'node-0' },
];
interface NodeJson {
  readonly status: { readonly conditions?: readonly { readonly status: string }[] };
}

/** Second and Ready of `node-0` at each change of it. */
const nodeReady = (scenario: Scenario): readonly string[] =>
  storedIn<NodeJson>(scenario, 'nodes')
    .filter(({ key }) => key === 'node-0')
    .map(({ at: second, object }) => `${Math.floor(second)} ${object?.status.conditions?.[0]?.status}`)
    .filter((line, i, all) => line.split(' ')[1] !== (all[i - 1]?.split(' ')[1] ?? 'True'));

/** The lives of the Pods: identity, restarts, whether Ready at the end; those that are gone are not there. */
function endsOf(scenario: Scenario): Readonly<Record<string, string>> {
  const ends: Record<string, string> = {};
  for (const { key, object } of storedIn<PodJson>(scenario, 'pods')) {
    if (object) {
      const [app] = object.status.containerStatuses ?? [];
      ends[key] = `${object.spec.nodeName} ${app?.restartCount} ${isReady(object) ? 'ready' : 'not ready'}`;
    } else delete ends[key];
  }
  return ends;
}

const one = (durationSeconds: number, actions: readonly NodeAction[], over: Partial<Scenario> = {}): Scenario =>
  kubeletRollout(durationSeconds, { spec: deploymentSpec({ replicas: 1 }), actions }, over);

describe('a node with a kubelet', () => {
  it('keeps its Lease alive: nothing is written about it while all is well', () => {
    expect(nodeReady(one(200, []))).toEqual([]);
  });

  it('starts its Pods anew, at other addresses, after a short loss of power that nobody has noticed', () => {
    const scenario = one(120, power(20, 35));
    expect(nodeReady(scenario)).toEqual([]);
    expect(endsOf(scenario)).toEqual({ 'default/web#1/0': 'node-0 1 ready' });
    const addresses = storedIn<PodJson>(scenario, 'pods').flatMap(({ object }) => object?.status.podIP ?? []);
    expect(new Set(addresses).size).toBe(2);
  });

  it('is given up 50 s after its last sign of life, and its Pods are replaced when their tolerations end', () => {
    const scenario = one(150, power(20, 500));
    const [given, ...others] = nodeReady(scenario);
    expect(others).toEqual([]);
    const [second, ready] = given?.split(' ') ?? [];
    expect(ready).toBe('Unknown');
    expect(Number(second)).toBeGreaterThan(60);
    expect(Number(second)).toBeLessThan(80);
    expect(endsOf(scenario)).toEqual({ 'default/web#1/0': 'node-0 0 not ready', 'default/web#1/1': 'node-1 0 ready' });
  });

  it('comes back: what was deleted meanwhile is removed, and it is Ready again', () => {
    const scenario = one(240, power(20, 200));
    expect(nodeReady(scenario).map((line) => line.split(' ')[1])).toEqual(['Unknown', 'True']);
    expect(endsOf(scenario)).toEqual({ 'default/web#1/1': 'node-1 0 ready' });
  });

  it.each([
    ['a kubelet that is down', { do: 'restartKubelet', down: seconds(60) }],
    ['an API server out of reach', { do: 'cutApi', lasts: seconds(60) }],
    ['a cut network', { do: 'cutNode', lasts: seconds(60) }],
  ] as const)('loses its Lease, but none of its containers, to %s', (_, what) => {
    const scenario = one(150, [], { actions: [{ at: at(20), node: 'node-0', ...what }] });
    expect(nodeReady(scenario).map((line) => line.split(' ')[1])).toEqual(['Unknown', 'True']);
    expect(endsOf(scenario)).toEqual({ 'default/web#1/0': 'node-0 0 ready' });
  });
});
