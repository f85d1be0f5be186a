import { expect, it } from 'vitest';
import { micros, seconds } from '../../src/base/units.ts';
import { readScenario } from '../../src/io/readScenario.ts';
import type { FeatureGate } from '../../src/sim/scenario.ts';
import { type ReadRun, readRun } from '../support/readRun.ts';
import { container, exitStep, ok, pod, probe, run, scenario, step } from '../support/scenario.ts';

const KUBELET = scenario([], 1).kubelet;
const play = (gates: readonly FeatureGate[], over: Parameters<typeof scenario>[2] = {}): ReadRun => {
  const app = container({ readiness: probe({ periodSeconds: 2 }) }, [run(step(0, ok()), exitStep(100, 1))]);
  return readRun(scenario([pod([app])], 150, { kubelet: { ...KUBELET, featureGates: gates }, ...over }));
};

it.each<[kubernetes: string, gates: readonly FeatureGate[], atOnce: boolean]>([
  ['1.37', [], false],
  ['1.37', ['EventedPLEG'], true],
  ['1.36', ['EventedPLEG'], false],
])('in %s with the gates %j an exit is seen at once: %s (K-096)', (kubernetes, gates, atOnce) => {
  const played = play(gates, { kubernetes });
  const [exit] = played.all('containerExit');
  const [seen] = played.all('syncLoop', ({ at, payload }) => payload.op === 'ContainerDied' && at >= (exit?.at ?? 0));
  expect((seen?.at ?? 0) - (exit?.at ?? 0) < 1_000).toBe(atOnce);
});

it.each<[kubernetes: string, gates: readonly FeatureGate[], dips: number]>([
  ['1.37', [], 0],
  ['1.37', ['ChangeContainerStatusOnKubeletRestart'], 1],
  ['1.34', [], 1],
])('in %s with the gates %j a restart of the kubelet costs readiness %d times (K-123)', (kubernetes, gates, dips) => {
  const restart = { at: micros(60_000_000), do: 'restartKubelet', node: 'node-a', down: seconds(2) } as const;
  const played = play(gates, { kubernetes, actions: [restart] });
  expect(played.readyTurned('False').filter((t) => t > 60 && t < 90)).toHaveLength(dips);
});

it('gates stand in the Scenario document as in the KubeletConfiguration', () => {
  const text = (gates: string): string => `apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {containers: [{name: app, image: i}]}
---
apiVersion: podtopool/v1
kind: Scenario
kubelet: {featureGates: {${gates}}}
`;
  expect(readScenario(text('EventedPLEG: true')).scenario?.kubelet.featureGates).toEqual(['EventedPLEG']);
  expect(readScenario(text('EventedPLEG: false')).scenario?.kubelet.featureGates).toBeUndefined();
  expect(readScenario(text('EventedPLEGG: true')).issues.map(({ message }) => message)).toEqual([
    'unknown field EventedPLEGG',
  ]);
});
