import { describe, expect, it } from 'vitest';
import { EXAMPLES } from './examples/examples.ts';
import { readScenario } from './readScenario.ts';
import { sliderFields } from './sliders.ts';

const example = (id: string): string => EXAMPLES.find((candidate) => candidate.id === id)?.text ?? '';

it('lists Pod fields, app fields and the fields of each probe, in the order of the text', () => {
  const { model } = readScenario(example('crash-loop'));
  expect(sliderFields(model).map(({ path, value, from }) => `${path} = ${value} (${from})`)).toEqual([
    'default/search/replicas = 1 (manifest)',
    'default/search/maxSurge = 1 (kubernetesDefault)',
    'default/search/maxUnavailable = 0 (kubernetesDefault)',
    'default/search/minReadySeconds = 0 (kubernetesDefault)',
    'default/search/terminationGracePeriodSeconds = 10 (manifest)',
    'default/search/app/readyAfter = 40 (scenario)',
    'default/search/app/answersIn = 1 (productDefault)',
    'default/search/app/readiness/initialDelaySeconds = 0 (kubernetesDefault)',
    'default/search/app/readiness/periodSeconds = 5 (manifest)',
    'default/search/app/readiness/timeoutSeconds = 1 (kubernetesDefault)',
    'default/search/app/readiness/successThreshold = 1 (kubernetesDefault)',
    'default/search/app/readiness/failureThreshold = 3 (kubernetesDefault)',
    'default/search/app/liveness/initialDelaySeconds = 0 (kubernetesDefault)',
    'default/search/app/liveness/periodSeconds = 10 (manifest)',
    'default/search/app/liveness/timeoutSeconds = 1 (kubernetesDefault)',
    'default/search/app/liveness/failureThreshold = 3 (manifest)',
    'default/search/app/liveness/terminationGracePeriodSeconds = null (kubernetesDefault)',
    'clients/search/interval = 0.5 (productDefault)',
    'kubeProxy/minSyncPeriod = 1 (kubernetesDefault)',
    'controllerManager/endpointslice-updates-batch-period = 0 (kubernetesDefault)',
    'controllerManager/endpoint-updates-batch-period = 0 (kubernetesDefault)',
    'latencies/controllerWatch = 3.7 (productDefault)',
    'latencies/controllerRequest = 3.3 (productDefault)',
    'latencies/proxyWatch = 4.5 (productDefault)',
    'latencies/iptablesRestore = 30 (productDefault)',
  ]);
});

it.each(
  EXAMPLES.flatMap(({ text }) =>
    sliderFields(readScenario(text).model).map((field) => [field.path, field, text] as const),
  ),
)('%s: its whole slider is within the limits of the API, and both ends simulate', (path, { scale, limits }, text) => {
  expect(scale.min).toBeGreaterThanOrEqual(limits.min);
  expect(scale.max).toBeLessThanOrEqual(limits.max);
  for (const value of [scale.min, scale.max]) {
    const { scenario, issues } = readScenario(text, [{ path, value }]);
    const errors = issues.filter(({ severity }) => severity === 'error');
    // Some limit each other, such as a preStop sleep and the grace period; the slider that was moved says so.
    const allowed = errors.every(
      ({ setting, message }) =>
        setting === path && /^(preStop\.sleep\.seconds|maxSurge and maxUnavailable)/.test(message),
    );
    expect(allowed).toBe(true);
    if (errors.length === 0) expect(scenario).not.toBeNull();
  }
});

it('has the probes of a sidecar, nothing of an init container, and the seconds of a hook', () => {
  const text = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  initContainers:
    - {name: init, image: i}
    - {name: proxy, image: i, restartPolicy: Always, startupProbe: {tcpSocket: {port: 1}}}
  containers:
    - {name: app, image: i, lifecycle: {preStop: {sleep: {seconds: 7}}, postStart: {sleep: {seconds: 2}}}}
    - {name: other, image: i, lifecycle: {preStop: {exec: {command: [sh, -c, sleep 9]}}}}
`;
  const fields = sliderFields(readScenario(text).model);
  const shown = fields.map(({ path, value, from, line }) => `${path} = ${value} (${from} ${line})`);
  expect(shown).toContain('default/web/app/preStop.sleep.seconds = 7 (manifest 9)');
  expect(shown).toContain('default/web/app/postStart.sleep.seconds = 2 (manifest 9)');
  expect(shown).toContain('default/web/other/preStop.answersIn = 9 (manifest 10)');
  expect(shown).toContain('default/web/proxy/startup/periodSeconds = 10 (kubernetesDefault null)');
  expect(shown.filter((line) => line.includes('/init/'))).toEqual([]);
  for (const field of fields.filter(({ label }) => /^(preStop|postStart)/.test(label)))
    expect(field).toMatchObject({ unit: 's', scale: { min: 0, max: 120, ticks: [0, 30, 60, 120] } });
});

it('startup has room for many failures', () => {
  const fields = sliderFields(readScenario(example('startup-then-readiness')).model);
  expect(fields.find(({ path }) => path.endsWith('startup/failureThreshold'))?.scale).toMatchObject({
    max: 120,
    log: true,
  });
});

describe('the rollout of a Deployment', () => {
  const text = (strategy: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 6
  progressDeadlineSeconds: 30
  strategy: ${strategy}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - {name: app, image: i}
---
apiVersion: podtopool/v1
kind: Scenario
actions:
  - {at: 30s, do: rollOut, workload: web}
`;
  const shown = (strategy: string): unknown[] =>
    sliderFields(readScenario(text(strategy)).model)
      .filter(({ label }) => label === 'maxSurge' || label === 'maxUnavailable')
      .map(({ label, value, default: usual, from, line }) => ({ label, value, usual, from, line }));
  const deployment = (strategy: string, overrides: { path: string; value: number }[]) => {
    const { scenario } = readScenario(text(strategy), overrides);
    const created = [
      ...(scenario?.cluster?.existing ?? []),
      ...(scenario?.cluster?.writes ?? []).flatMap((write) => (write.do === 'create' ? [write.stored] : [])),
    ];
    return created.find(({ resource }) => resource === 'deployments')?.object;
  };

  it.each([
    ['what stands nowhere, as the share of the replicas that the API server takes', '{}', [2, 1], null],
    ['a share, as the Pods that it comes to', '{rollingUpdate: {maxSurge: 50%, maxUnavailable: 34%}}', [3, 2], 7],
    ['a number', '{rollingUpdate: {maxSurge: 3, maxUnavailable: 0}}', [3, 0], 7],
  ])('shows %s', (_, strategy, [surge, unavailable], line) => {
    const from = line === null ? 'kubernetesDefault' : 'manifest';
    expect(shown(strategy)).toEqual([
      { label: 'maxSurge', value: surge, usual: 2, from, line },
      { label: 'maxUnavailable', value: unavailable, usual: 1, from, line },
    ]);
  });

  it('has none of both with Recreate', () => expect(shown('{type: Recreate}')).toEqual([]));

  it('keeps a share until its slider moves', () => {
    const strategy = '{rollingUpdate: {maxSurge: 50%}}';
    expect(deployment(strategy, [])).toMatchObject({ spec: { maxSurge: '50%', maxUnavailable: '25%' } });
    expect(deployment(strategy, [{ path: 'default/web/maxSurge', value: 1 }])).toMatchObject({
      spec: { maxSurge: 1, maxUnavailable: '25%' },
    });
  });

  it.each([
    ['both limits at 0', '{rollingUpdate: {maxUnavailable: 0}}', 'maxSurge', 0, /must not both be 0/],
    ['a wait as long as the deadline', '{}', 'minReadySeconds', 30, /less than progressDeadlineSeconds \(30\)/],
  ])('refuses %s', (_, strategy, name, value, message) => {
    const path = `default/web/${name}`;
    const { issues, scenario } = readScenario(text(strategy), [{ path, value }]);
    expect(scenario).toBeNull();
    expect(issues).toContainEqual(
      expect.objectContaining({ severity: 'error', setting: path, message: expect.stringMatching(message) }),
    );
  });
});

it('names the clients of their intervals where there are several', () => {
  const text = `apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: v1
kind: Pod
metadata: {name: web-0, labels: {app: web}}
spec: {containers: [{name: app, image: i}]}
---
apiVersion: podtopool/v1
kind: Scenario
clients: [{name: fast, to: {service: web}, interval: 100ms}, {name: slow, to: {service: web}}]
`;
  const { model } = readScenario(text);
  expect(
    sliderFields(model)
      .filter(({ section }) => section === 'clients')
      .map(({ label, path, value }) => [label, path, value]),
  ).toEqual([
    ['fast interval', 'clients/fast/interval', 0.1],
    ['slow interval', 'clients/slow/interval', 0.5],
  ]);
});
