import { expect } from 'vitest';
import { readScenario } from '../../src/io/readScenario.ts';
import type { Scenario } from '../../src/sim/scenario.ts';
import { simulate } from '../../src/sim/simulate.ts';
import { finishedRun } from '../../src/sim/trace/podsOfRun.ts';
import { TraceReader } from '../../src/sim/trace/reader.ts';
import type { FinishedRun } from '../../src/sim/trace/run.ts';

/** A StatefulSet `web` of `replicas` Pods behind the Service `web` on one node; `fields` are of the Scenario document, `spec` of the Service's. No controller replaces what is deleted. */
export function serviceRun(fields: string, replicas = 1, spec = ''): FinishedRun {
  return finishedRunOf(`apiVersion: v1
kind: Service
metadata: {name: web}
spec: {${spec}selector: {app: web}, ports: [{name: http, port: 80, targetPort: 8080}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  replicas: ${replicas}
  podManagementPolicy: Parallel
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: app
          image: i
          lifecycle: {preStop: {sleep: {seconds: 5}}}
          readinessProbe: {httpGet: {path: /ready, port: 8080}, periodSeconds: 5}
---
apiVersion: podtopool/v1
kind: Scenario
startTime: 2026-01-01T00:00:00Z
${fields.includes('controllerManager') ? '' : 'controllerManager: {controllers: []}'}
${fields}
`);
}

/** The run of a text without mistakes. */
export function finishedRunOf(text: string): FinishedRun {
  const scenario = scenarioOf(text);
  return finishedRun(scenario, new TraceReader(simulate(scenario)));
}

/** What a text without mistakes comes to. */
export function scenarioOf(text: string): Scenario {
  const { scenario, issues } = readScenario(text);
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (!scenario) throw new Error('no scenario');
  return scenario;
}
