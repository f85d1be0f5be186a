import { expect, it } from 'vitest';
import { EXAMPLES } from '../io/examples/examples.ts';
import { readScenario } from '../io/readScenario.ts';
import { simulate } from '../sim/simulate.ts';
import { TraceReader } from '../sim/trace/reader.ts';
import { opening } from './opening.ts';

const openingOf = (text: string) => {
  const { scenario } = readScenario(text);
  if (!scenario) throw new Error('the text has errors');
  return opening({ scenario, reader: new TraceReader(simulate(scenario)) });
};
const example = (id: string): string => EXAMPLES.find((one) => one.id === id)?.text ?? '';

it('opens at the first request that the rules sent to a Pod in vain, with that Pod', () => {
  const { playhead, window, pod } = openingOf(example('rollout-drops-requests'));
  expect(pod).toBe('default/web#1/1');
  expect(playhead).toBeGreaterThan(37.5e6);
  expect(playhead).toBeLessThan(38.7e6);
  expect(window.from).toBeLessThan(playhead);
  expect(window.to).toBeGreaterThan(playhead);
});

it('opens at the first Ready when requests were lost before only, to nobody', () => {
  const { playhead, window, pod } = openingOf(example('running-not-ready'));
  expect(pod).toBeNull();
  // The app serves from 13.2 s on; the probe that finds it comes 30 s after the first.
  expect(playhead).toBeGreaterThan(31.4e6);
  expect(playhead).toBeLessThan(31.6e6);
  expect(window.from).toBeLessThan(0);
});

it('opens on the whole run when nothing becomes Ready', () => {
  const text = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {containers: [{name: app, image: i, readinessProbe: {httpGet: {port: 80}}}]}
---
apiVersion: podtopool/v1
kind: Scenario
duration: 60s
apps: [{container: app, readyAfter: 1h}]
`;
  const { playhead, window } = openingOf(text);
  expect(playhead).toBe(30_000_000);
  expect(window.to).toBeGreaterThanOrEqual(60_000_000);
});
