import { describe, expect, it } from 'vitest';
import { simulate } from '../../sim/simulate.ts';
import { finishedRun } from '../../sim/trace/podsOfRun.ts';
import { TraceReader } from '../../sim/trace/reader.ts';
import type { WorkloadAction } from '../../sim/workloadsInput.ts';
import { readScenario } from '../readScenario.ts';

const deployment = (spec = '', container = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
${spec}  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 20
      containers:
        - name: app
          image: web:1
          ports: [{containerPort: 8080}]
          readinessProbe: {httpGet: {port: 8080}, periodSeconds: 5}
${container}`;
const withScenario = (fields: string, manifests = deployment()): string =>
  `${manifests}---\napiVersion: podtopool/v1\nkind: Scenario\n${fields}\n`;
const read = (fields: string, manifests = deployment()) => readScenario(withScenario(fields, manifests));
const errors = (text: string): readonly string[] =>
  readScenario(text).issues.flatMap(({ severity, line, message }) =>
    severity === 'error' ? [`${line} ${message}`] : [],
  );
const patches = (fields: string, manifests = deployment()) =>
  (read(fields, manifests).scenario?.cluster?.workloads?.actions ?? []).filter(
    (action): action is Extract<WorkloadAction, { do: 'patch' }> => action.do === 'patch',
  );
type Spec = Readonly<{ replicas: number; paused: boolean; template: { identity: string } }>;

const NODE = 'apiVersion: v1\nkind: Node\nmetadata: {name: node-a}\n';

describe('the controllers of workloads and nodes', () => {
  it.each<[name: string, fields: string, manifests?: string]>([
    ['for a rollout', 'actions: [{at: 5s, do: rollOut, workload: web}]'],
    ['for a deleted Pod of a workload', 'actions: [{at: 5s, do: deletePod, workload: web}]'],
    ['for a drained node', 'actions: [{at: 5s, do: drain, node: node-a}]'],
    ['for a kubelet that is silent for too long', 'actions: [{at: 5s, do: restartKubelet, down: 51s}]'],
    ['for a paused Deployment', 'duration: 1m', deployment('  paused: true\n')],
    [
      'for a tainted node',
      'duration: 1m',
      `${deployment()}---\n${NODE}spec: {taints: [{key: a, effect: NoSchedule}]}\n`,
    ],
    ['where the document names them', "controllerManager: {controllers: ['*']}"],
  ])('run %s', (_name, fields, manifests = deployment()) => {
    const { scenario } = read(fields, manifests);
    expect(scenario?.cluster?.workloads?.running).toContain('replicaset');
    expect(scenario?.pods).toEqual([]);
  });

  it.each<[name: string, fields: string, manifests?: string]>([
    ['nothing happens to it', 'duration: 1m'],
    ['a kubelet is back before anybody notices', 'actions: [{at: 5s, do: restartKubelet, down: 39s}]'],
    [
      'a bare Pod is deleted',
      'actions: [{at: 5s, do: deletePod, pod: solo}]',
      `${deployment()}---\napiVersion: v1\nkind: Pod\nmetadata: {name: solo}\nspec: {containers: [{name: a, image: i}]}\n`,
    ],
  ])('do not run when %s: the Pods are simply there', (_name, fields, manifests = deployment()) => {
    const { scenario } = read(fields, manifests);
    expect(scenario?.cluster?.workloads ?? null).toBeNull();
    expect(scenario?.pods.map(({ identity }) => identity)).toContain('default/web#1/1');
  });

  it('run as the flag says', () => {
    const { scenario } = read("controllerManager: {controllers: ['*', '-node-lifecycle-controller']}");
    expect(scenario?.cluster?.workloads?.running).not.toContain('nodelifecycle');
    expect(scenario?.cluster?.workloads?.running).toContain('tainteviction');
  });

  it('have their flags, and kubelets their reports, under their names', () => {
    const { scenario } = read(
      "controllerManager: {controllers: ['*'], node-monitor-grace-period: 40s, node-eviction-rate: 0.5}\nkubelet: {nodeLeaseDurationSeconds: 20}",
    );
    expect(scenario?.cluster?.workloads).toMatchObject({
      nodeLifecycle: { gracePeriod: 40e6, evictionRate: 0.5, monitorPeriod: 5e6 },
      reports: { leaseDuration: 20e6, statusUpdate: 10e6 },
    });
  });
});

describe('actions on a workload', () => {
  it('are patches, each with what those before it have left', () => {
    const fields = `actions:
  - {at: 30s, do: scale, workload: web, replicas: 5}
  - {at: 10s, do: rollOut, workload: web, image: 'web:2'}
  - {at: 20s, do: pause, workload: web}
  - {at: 40s, do: undo, workload: web}
`;
    const seen = patches(fields).map(({ at, spec }) => {
      const { replicas, paused, template } = spec as Spec;
      return [at / 1e6, replicas, paused, template.identity];
    });
    expect(seen).toEqual([
      [10, 2, false, 'default/web#2'],
      [20, 2, true, 'default/web#2'],
      [30, 5, true, 'default/web#2'],
      [40, 5, true, 'default/web#1'],
    ]);
  });

  it('change a revision and those after it: image, numbers of probes, grace', () => {
    const fields = `actions:
  - {at: 10s, do: rollOut, workload: web, readinessProbe: {periodSeconds: 2}}
  - {at: 20s, do: rollOut, workload: web, image: 'web:3', terminationGracePeriodSeconds: 40}
`;
    const shown = patches(fields).map(({ spec }) => {
      const { template } = spec as { template: { pod: Record<string, never> } };
      const { containers, terminationGracePeriodSeconds: grace } = template.pod as unknown as {
        containers: readonly { image: string; probes: { readiness: { periodSeconds: number } } }[];
        terminationGracePeriodSeconds: number;
      };
      return [containers[0]?.image, containers[0]?.probes.readiness.periodSeconds, grace];
    });
    expect(shown).toEqual([
      ['web:1', 2, 20],
      ['web:3', 2, 40],
    ]);
  });

  it('undo goes to a numbered revision, as kubectl rollout history has them', () => {
    const rollOut = (at: number) => `  - {at: ${at}s, do: rollOut, workload: web}\n`;
    const undo = (at: number, to: number) => `  - {at: ${at}s, do: undo, workload: web, toRevision: ${to}}\n`;
    const templates = patches(`actions:\n${rollOut(1)}${rollOut(2)}${undo(3, 1)}${undo(4, 2)}`).map(
      ({ spec }) => (spec as Spec).template.identity,
    );
    expect(templates).toEqual(['default/web#2', 'default/web#3', 'default/web#1', 'default/web#2']);
  });

  it.each([
    ['{at: 1s, do: rollOut, workload: wep}', 'there is no workload wep in this text'],
    ['{at: 1s, do: rollOut, pod: web-0}', 'rollOut is about a workload, not about a Pod'],
    ['{at: 1s, do: scale, workload: web}', 'scale needs replicas'],
    ['{at: 1s, do: rollOut, workload: web, container: ap}', 'there is no container ap in this text'],
    [
      '{at: 1s, do: rollOut, workload: web, readinessProbe: {periodSeconds: -1}}',
      'periodSeconds must be 0 or more, not -1',
    ],
  ])('%s is refused', (action, message) => {
    expect(errors(withScenario(`actions: [${action}]`))).toEqual([`19 ${message}`]);
  });
});

describe('a manifest that the API server would refuse', () => {
  it.each([
    [
      '  strategy: {type: Recreate, rollingUpdate: {maxSurge: 1}}\n',
      'rollingUpdate must not be set with type: Recreate',
    ],
    [
      '  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}\n',
      'maxSurge and maxUnavailable of a Deployment must not both be 0',
    ],
    ['  strategy: {rollingUpdate: {maxSurge: 1.5}}\n', 'maxSurge must be a whole number or a percentage'],
    ['  minReadySeconds: 700\n', 'progressDeadlineSeconds must be greater than minReadySeconds'],
  ])('%s', (spec, message) => {
    expect(errors(deployment(spec)).map((line) => line.slice(line.indexOf(' ') + 1))).toEqual([message]);
  });
});

describe('a Deployment in a run', () => {
  const run = (fields: string, manifests = deployment()) => {
    const { scenario } = read(fields, manifests);
    if (!scenario) throw new Error('does not read');
    return finishedRun(scenario, new TraceReader(simulate(scenario)));
  };

  it('names its Pods, whoever made them, in order, with their nodes and containers', () => {
    const { scenario } = run("duration: 60s\nactions: [{at: 20s, do: rollOut, workload: web, image: 'web:2'}]");
    expect(scenario.pods.map(({ identity, node, containers }) => [identity, node, containers[0]?.image])).toEqual([
      ['default/web#1/0', 'node-a', 'web:1'],
      ['default/web#1/1', 'node-a', 'web:1'],
      ['default/web#2/0', 'node-a', 'web:2'],
      ['default/web#2/1', 'node-a', 'web:2'],
    ]);
  });

  it('gives a revision, and a single Pod, an app of its own', () => {
    const fields = `duration: 60s
apps:
  - {workload: web, revision: 2, readyAfter: 9s}
  - {pod: 'default/web#2/1', readyAfter: 4s}
actions: [{at: 20s, do: rollOut, workload: web}]`;
    const readyAfter = run(fields).scenario.pods.map(
      ({ containers }) => (containers[0]?.runs[0]?.script.at(-1)?.at ?? 0) / 1e6,
    );
    expect(readyAfter).toEqual([0, 0, 9, 4]);
  });

  it('has the names that its Pods have without controllers', () => {
    const bare = read('duration: 5s').scenario?.pods.map(({ name, uid }) => [name, uid]);
    const made = run("duration: 5s\ncontrollerManager: {controllers: ['*']}").scenario.pods;
    expect(made.map(({ name, uid }) => [name, uid])).toEqual(bare);
  });
});
