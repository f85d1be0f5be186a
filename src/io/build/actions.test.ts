import { describe, expect, it } from 'vitest';
import { readScenario } from '../readScenario.ts';

const MANIFESTS = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  replicas: 2
  podManagementPolicy: Parallel
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      readinessGates: [{conditionType: lb.example/ready}]
      containers: [{name: app, image: i}]
---
apiVersion: v1
kind: Pod
metadata: {name: etcd, namespace: kube-system}
spec:
  nodeName: Node-B
  containers: [{name: app, image: i}]
---
apiVersion: v1
kind: Node
metadata: {name: node-a}
---
apiVersion: podtopool/v1
kind: Scenario
`;
/** Lines of what stands before the fields. */
const LINES = MANIFESTS.split('\n').length - 1;
const read = (fields: string, overrides: { path: string; value: number }[] = []) =>
  readScenario(`${MANIFESTS}${fields}`, overrides);
const told = (fields: string): string[] =>
  read(fields)
    .issues.filter(({ severity }) => severity !== 'note')
    .map(
      ({ line, column, severity, message, remedy }) => `${line - LINES}:${column} ${severity} ${message}. ${remedy}`,
    );

describe('an action', () => {
  it.each<[name: string, action: string, expected: object[]]>([
    [
      'on a workload means each Pod that it has by then',
      '{at: 40s, do: deletePod, workload: web, graceSeconds: 5}',
      [{ at: 40e6, do: 'deletePod', pod: 'default/web', graceSeconds: 5 }],
    ],
    [
      'on one Pod by its name',
      '{at: 1.5s, do: labelPod, pod: web-1}',
      [{ at: 1_500_000, do: 'labelPod', pod: 'default/web#1/1', labels: {} }],
    ],
    [
      'on one Pod by its identity, with the grace of the Pod',
      "{at: 2, do: deletePod, pod: 'default/web#1/0'}",
      [{ at: 2e6, do: 'deletePod', pod: 'default/web#1/0', graceSeconds: null }],
    ],
    [
      'writes a condition, whose status may be without quotes',
      '{at: 3s, do: patchCondition, pod: web-0, condition: lb.example/ready, status: True}',
      [{ at: 3e6, do: 'patchCondition', pod: 'default/web#1/0', condition: 'lb.example/ready', status: 'True' }],
    ],
    [
      'restarts one kubelet',
      '{at: 4s, do: restartKubelet, node: Node-B, down: 8s}',
      [{ at: 4e6, do: 'restartKubelet', node: 'Node-B', down: 8e6 }],
    ],
    [
      'restarts all kubelets without a node',
      '{at: 4s, do: restartKubelet, down: 0}',
      [
        { at: 4e6, do: 'restartKubelet', node: 'node-a', down: 0 },
        { at: 4e6, do: 'restartKubelet', node: 'Node-B', down: 0 },
      ],
    ],
  ])('%s', (_name, action, expected) => {
    expect(told(`actions: [${action}]`)).toEqual([]);
    expect(read(`actions: [${action}]`).scenario?.actions).toEqual(expected);
  });

  it.each<[action: string, issue: string]>([
    [
      '{at: 1s, do: deletPod, pod: web-0}',
      '1:24 error do must be deletePod or evict or evictPod or crash or patchCondition or labelPod or removeStaticPod or setReady or rollOut or scale or undo or pause or resume or restartKubelet or cutApi or cutNode or refuseWrites or cutPodNetwork or drain or cordon or uncordon or stopNode or startNode or deleteNode or labelNode or nodeReady or patchSelector or deleteService or deleteSlices or deleteEndpoints or touchSlice, not the text "deletPod". Did you mean deletePod?',
    ],
    ['{at: 1s, do: deletePod, pod: wev-0}', '1:40 error there is no pod wev-0 in this text. Did you mean web-0?'],
    ['{at: 1s, do: deletePod, workload: wev}', '1:45 error there is no workload wev in this text. Did you mean web?'],
    [
      '{at: 1s, do: deletePod, pod: web-0, namespace: defaut}',
      '1:58 error there is no namespace defaut in this text. Did you mean default?',
    ],
    [
      '{at: 1s, do: deletePod}',
      '1:11 error deletePod needs a pod or a workload. Add pod: web-0, or workload: web for each of its Pods.',
    ],
    [
      '{at: 1s, do: deletePod, pod: web-0, workload: web}',
      '1:40 error an action has either workload or pod. Remove one of them.',
    ],
    [
      '{at: 1s, do: deletePod, pod: web-0, graceSeconds: -1}',
      '1:61 error graceSeconds must be 0 or more, not -1. Write a number from 0 on.',
    ],
    [
      '{at: 1s, do: labelPod, pod: web-0, graceSeconds: 1}',
      '1:60 error graceSeconds belongs to do: deletePod, evictPod. Remove it, or write do: deletePod.',
    ],
    [
      '{at: 1s, do: patchCondition, pod: web-0, condition: Ready}',
      "1:11 error patchCondition needs status. Add status: 'True' or status: 'False'.",
    ],
    [
      '{at: 1s, do: patchCondition, pod: web-0, condition: Ready, status: Maybe}',
      "1:78 error status must be 'True', 'False' or 'Unknown'. Write status: 'True' or status: 'False'.",
    ],
    [
      "{at: 1s, do: patchCondition, pod: web-0, condition: lb.example/redy, status: 'True'}",
      '1:63 warning no readiness gate of web asks for lb.example/redy: this changes nothing. Did you mean lb.example/ready?',
    ],
    [
      '{at: 1s, do: restartKubelet, node: node-c, down: 1s}',
      '1:46 error there is no node node-c in this text. Did you mean node-a?',
    ],
    [
      '{at: 1s, do: restartKubelet, pod: web-0, down: 1s}',
      '1:45 error restartKubelet is about a node, not about a Pod. Remove pod; node names the node.',
    ],
    [
      '{at: 1s, do: restartKubelet}',
      '1:11 error restartKubelet needs down. Add how long no kubelet runs, such as down: 8s.',
    ],
    [
      '{at: 1s, do: removeStaticPod, pod: etcd}',
      '1:24 error etcd is not a static Pod. Add staticPods: [etcd], or use deletePod.',
    ],
    [
      '{at: soon, do: labelPod, pod: web-0}',
      '1:16 error this is no length of time. Write it with a unit, such as 500us, 12ms, 2.4s or 10m; a bare number counts seconds.',
    ],
  ])('%s is named with its place', (action, issue) => {
    expect(told(`actions: [${action}]`)).toEqual([issue]);
  });

  it('after the end of the run is named', () => {
    expect(told('duration: 60s\nactions: [{at: 60s, do: labelPod, pod: web-0}]')).toEqual([
      '2:16 warning the run ends at 60 s, before this. Raise duration, or remove the action.',
    ]);
  });

  it('on a Pod that a slider took away is a warning, and nothing else changes', () => {
    const { scenario, issues } = read('actions: [{at: 1s, do: labelPod, pod: web-1}]', [
      { path: 'default/web/replicas', value: 1 },
    ]);
    expect(issues).toMatchObject([{ severity: 'warning', message: 'there is no pod web-1 in this text' }]);
    expect(scenario?.actions).toEqual([]);
  });

  it('on a workload that has no Pod changes nothing, and nobody complains', () => {
    const { scenario, issues } = read('actions: [{at: 1s, do: labelPod, workload: web}]', [
      { path: 'default/web/replicas', value: 0 },
    ]);
    expect(issues).toEqual([]);
    expect(scenario?.actions).toEqual([]);
  });

  it.each([
    ['{at: 40s, do: deletePod, pod: web-0}', 120], // 40 + 30 of grace
    ['{at: 40s, do: deletePod, pod: web-0, graceSeconds: 1}', 60],
    ['{at: 100s, do: restartKubelet, down: 100s}', 300],
    ['{at: 20m, do: labelPod, pod: web-0}', 1260],
  ])('%s makes the run last %i s', (action, expected) => {
    expect((read(`actions: [${action}]`).scenario?.duration ?? 0) / 1e6).toBe(expected);
  });
});

describe('staticPods', () => {
  it('makes a bare Pod static, with its node in its name, and its manifest can be removed', () => {
    const { scenario } = read('staticPods: [etcd]\nactions: [{at: 9s, do: removeStaticPod, pod: etcd}]');
    expect(scenario?.pods[2]).toMatchObject({
      identity: 'kube-system/etcd',
      name: 'etcd-node-b',
      node: 'Node-B',
      isStatic: true,
    });
    expect(scenario?.actions).toEqual([{ at: 9e6, do: 'removeStaticPod', pod: 'kube-system/etcd' }]);
  });

  it.each([
    ['[etc]', '1:14 error there is no Pod etc in this text. Did you mean etcd?'],
    ['[web]', '1:14 error StatefulSet web cannot be static. Use a bare Pod: a kubelet reads only Pods from files.'],
  ])('%s is refused', (list, issue) => {
    expect(told(`staticPods: ${list}`)).toEqual([issue]);
  });

  it('answers the annotation of a Pod that a kubelet has from a file', () => {
    const manifest =
      'apiVersion: v1\nkind: Pod\nmetadata: {name: a, annotations: {kubernetes.io/config.source: file}}\nspec: {containers: [{name: a, image: i}]}\n';
    const listed = `${manifest}---\napiVersion: podtopool/v1\nkind: Scenario\nstaticPods: [a]\n`;
    expect(readScenario(manifest).notModelled).toHaveLength(1);
    expect(readScenario(listed).notModelled).toEqual([]);
  });
});
