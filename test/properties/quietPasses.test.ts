import { expect, it } from 'vitest';
import { readScenario } from '../../src/io/readScenario.ts';
import type { Scenario } from '../../src/sim/scenario.ts';
import { TraceReader } from '../../src/sim/trace/reader.ts';
import { told, traceOf } from './told.ts';

/** A Pod that has been quiet for some passes at 200 s, when something happens; the run goes on for some passes more. */
const scenarioWith = (action: string, spec = '', settings = '', app = ''): Scenario => {
  const text = `apiVersion: v1
kind: Node
metadata: {name: node}
---
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: default}
spec:
  ${spec}
  containers:
    - name: app
      image: web:1
      readinessProbe: {httpGet: {path: /, port: 8080}, periodSeconds: 7}
      livenessProbe: {httpGet: {path: /live, port: 8080}, periodSeconds: 11}
---
apiVersion: podtopool/v1
kind: Scenario
duration: 8m
apps: [{workload: web, readyAfter: 4s, answersIn: 5ms${app && `, ${app}`}}]
${settings}
actions: [${action}]
`;
  const { scenario, issues } = readScenario(text);
  if (!scenario) throw new Error(issues.map(({ message }) => message).join('; '));
  return scenario;
};

/** Passes before anything happens. */
const passesBefore = (scenario: Scenario): number =>
  new TraceReader(traceOf(scenario)).events().filter(({ kind, at }) => kind === 'syncPod' && at < 200e6).length;

const POD = 'pod: default/web';

it.each<[name: string, scenario: Scenario]>([
  ['nothing happens', scenarioWith('')],
  ['it is deleted', scenarioWith(`{at: 200s, do: deletePod, ${POD}}`)],
  ['its kubelet evicts it', scenarioWith(`{at: 200s, do: evictPod, ${POD}}`)],
  ['its labels change', scenarioWith(`{at: 200s, do: labelPod, ${POD}}`)],
  ['its container crashes', scenarioWith(`{at: 200s, do: crash, ${POD}, container: app, exitCode: 1}`)],
  ['its probes begin to fail', scenarioWith('', '', '', 'outages: [{from: 200s, to: 260s, answer: fail}]')],
  [
    'somebody fulfils its readiness gate',
    scenarioWith(
      `{at: 200s, do: patchCondition, ${POD}, condition: example.com/lb, status: 'True'}`,
      'readinessGates: [{conditionType: example.com/lb}]',
    ),
  ],
  ['its time is over', scenarioWith('', 'activeDeadlineSeconds: 200')],
  ['its node loses the network of its Pods', scenarioWith('{at: 200s, do: cutPodNetwork, node: node, lasts: 90s}')],
  ['its kubelet restarts', scenarioWith('{at: 200s, do: restartKubelet, node: node, down: 20s}')],
  [
    'it is static, and its manifest goes',
    scenarioWith(`{at: 200s, do: removeStaticPod, ${POD}}`, '', 'staticPods: [web]'),
  ],
  [
    'it is static, and there is no mirror for a while',
    scenarioWith('{at: 0s, do: cutApi, node: node, lasts: 250s}', '', 'staticPods: [web]'),
  ],
])('a Pod that was quiet gets the same passes as one that is looked at each time when %s', (_name, scenario) => {
  expect(passesBefore(scenario)).toBeGreaterThan(3);
  expect(told(scenario, false)).toEqual(told(scenario, true));
});
