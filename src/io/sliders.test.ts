import { expect, it } from 'vitest';
import { EXAMPLES } from './examples/examples.ts';
import { readScenario } from './readScenario.ts';
import { sliderFields } from './sliders.ts';

const example = (id: string): string => EXAMPLES.find((candidate) => candidate.id === id)?.text ?? '';

it('lists Pod fields, app fields and the fields of each probe, in the order of the text', () => {
  const { model } = readScenario(example('crash-loop'));
  expect(sliderFields(model).map(({ path, value, from }) => `${path} = ${value} (${from})`)).toEqual([
    'default/search/replicas = 1 (manifest)',
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
    'clients/search/timeout = 1 (productDefault)',
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
    // A preStop sleep and the grace period limit each other; the slider that was moved says so.
    const allowed = errors.every(
      ({ setting, message }) => setting === path && message.startsWith('preStop.sleep.seconds'),
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
