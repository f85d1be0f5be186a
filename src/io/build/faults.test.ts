import { describe, expect, it } from 'vitest';
import { readScenario } from '../readScenario.ts';

const PODS = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  replicas: 2
  podManagementPolicy: Parallel
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: registry.example/web:1}]}
---
apiVersion: podtopool/v1
kind: Scenario
`;
const read = (fields: string) => readScenario(PODS + fields);
const errors = (fields: string): string[] =>
  read(fields)
    .issues.filter(({ severity }) => severity === 'error')
    .map(({ line, column, message }) => `${line}:${column} ${message}`);

describe('faults', () => {
  it('reach each Pod of a workload, or one', () => {
    const text = `faults:
  - {workload: web, sandboxFailures: 2}
  - {pod: web-1, admission: {reason: OutOfcpu}}
`;
    expect(read(text).scenario?.pods.map(({ faults }) => faults)).toEqual([
      { admission: null, sandboxFailures: 2 },
      { admission: { reason: 'OutOfcpu', message: 'OutOfcpu' }, sandboxFailures: 0 },
    ]);
  });

  it('an image that is not on the node is pulled', () => {
    const { scenario } = read('apps: [{workload: web, imagePull: {takes: 5s, failures: 1}}]');
    expect(scenario?.pods[0]?.containers[0]?.imagePull).toEqual({ takes: 5_000_000, failures: 1 });
    expect(read('').scenario?.pods[0]?.containers[0]?.imagePull).toBeNull();
  });

  it('a cut of the network is an action on each node, or on one', () => {
    const text = 'actions: [{at: 5s, do: cutApi, lasts: 30s}, {at: 9s, do: cutPodNetwork, node: node-a, lasts: 1s}]';
    expect(read(text).scenario?.actions).toEqual([
      { at: 5_000_000, do: 'cutApi', node: 'node-a', lasts: 30_000_000 },
      { at: 9_000_000, do: 'cutPodNetwork', node: 'node-a', lasts: 1_000_000 },
    ]);
  });

  it.each([
    ['faults: [{pod: web-7, sandboxFailures: 1}]', '14:16 there is no pod web-7 in this text'],
    ['faults: [{workload: wev, sandboxFailures: 1}]', '14:21 there is no workload wev in this text'],
    ['faults: [{sandboxFailures: 1}]', '14:10 a fault needs a pod or a workload'],
    ['faults: [{workload: web, admission: {}}]', '14:26 reason is required'],
    ['actions: [{at: 5s, do: cutApi}]', '14:11 cutApi needs lasts'],
    ['actions: [{at: 5s, do: cutApi, lasts: 9s, pod: web-0}]', '14:48 cutApi is about a node, not about a Pod'],
    [
      'actions: [{at: 5s, do: restartKubelet, down: 1s, lasts: 9s}]',
      '14:57 lasts belongs to do: cutApi, cutNode, refuseWrites, cutPodNetwork',
    ],
  ])('%s is refused', (fields, issue) => {
    expect(errors(fields)).toEqual([issue]);
  });
});
