import { expect, it } from 'vitest';
import { probeWorkerMachine } from '../src/sim/kubelet/prober/probeWorkerMachine.ts';
import { chartText, PROBE_WORKER_DOCUMENT } from './generate-chart.ts';

it('chart and tables of docs/probe-worker.md are what the machine gives', () => {
  expect(PROBE_WORKER_DOCUMENT.read(), 'run: npm run chart').toBe(PROBE_WORKER_DOCUMENT.make());
});

it.each(Object.keys(probeWorkerMachine.implementations.guards))('guard %s leads somewhere in the document', (guard) => {
  expect(PROBE_WORKER_DOCUMENT.make()).toMatch(new RegExp(`\\| (at once|\`[A-Z]+\`) +\\| \`${guard}\` +\\|`));
});

it('the chart has no two states of one name, which mermaid would take for one', () => {
  const states = chartText().match(/^ {4}\w+$/gm) ?? [];
  expect(states.length).toBeGreaterThan(0);
  expect(new Set(states).size).toBe(states.length);
});

it('the chart starts with the sleep and ends when the worker leaves', () => {
  expect(chartText()).toMatch(/^ {2}\[\*\] --> startSleep$/m);
  expect(chartText()).toMatch(/^ {2}stopped --> \[\*\]$/m);
});
