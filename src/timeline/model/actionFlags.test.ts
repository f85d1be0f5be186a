import { expect, it } from 'vitest';
import { container, pod, scenario } from '../../../test/support/scenario.ts';
import { finishedRunOf } from '../../../test/support/services.ts';
import { micros } from '../../base/units.ts';
import type { Action } from '../../sim/scenario.ts';
import { simulate } from '../../sim/simulate.ts';
import { TraceReader } from '../../sim/trace/reader.ts';
import { actionFlags, flagLetter } from './actionFlags.ts';

const pods = ['web-0', 'web-1'].map((name) => pod([container({})], { identity: `default/${name}`, name, uid: name }));
const flagsOf = (actions: readonly Action[]) =>
  actionFlags(new TraceReader(simulate(scenario(pods, 30, { actions })))).map(
    ({ at, action, refs }) => `${at / 1e6} ${action} ×${refs.length}`,
  );
const label = (at: number, name: string): Action => ({
  at: micros(at * 1e6),
  do: 'labelPod',
  pod: `default/${name}`,
  labels: {},
});

it.each<[name: string, actions: readonly Action[], flags: readonly string[]]>([
  ['the creation of Pods is no flag', [], []],
  ['one action on several Pods is one flag', [label(5, 'web-0'), label(5, 'web-1')], ['5 labelPod ×2']],
  ['flags are in order of time', [label(7, 'web-0'), label(5, 'web-1')], ['5 labelPod ×1', '7 labelPod ×1']],
])('%s', (_name, actions, flags) => {
  expect(flagsOf(actions)).toEqual(flags);
});

/** Each stands in the text under the name that its flag has: the flag is how it is changed, moved and removed. */
it.each([
  'do: rollOut, workload: web',
  'do: scale, workload: web, replicas: 3',
  'do: pause, workload: web',
  'do: deletePod, workload: web',
  'do: evict, workload: web',
  'do: drain, node: node-b',
  'do: cordon, node: node-b',
  'do: stopNode, node: node-b',
  'do: cutNode, node: node-b, lasts: 5s',
  'do: cutApi, node: node-b, lasts: 5s',
  'do: restartKubelet, node: node-b, down: 5s',
  'do: patchSelector, service: web, labels: {app: other}',
  'do: deleteService, service: web',
])('%s has a flag under its own name, with a letter', (entry) => {
  const { reader } = finishedRunOf(`apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: i}]}
---
apiVersion: v1
kind: Node
metadata: {name: node-a}
---
apiVersion: v1
kind: Node
metadata: {name: node-b}
---
apiVersion: podtopool/v1
kind: Scenario
duration: 30s
actions: [{at: 10s, ${entry}}]
`);
  const [flag] = actionFlags(reader);
  expect(flag?.action).toBe(/do: (\w+)/.exec(entry)?.[1]);
  expect(flagLetter(flag?.action ?? '')).toMatch(/^[A-Z]$/);
});
