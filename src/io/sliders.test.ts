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
  ]);
});

it.each(
  EXAMPLES.flatMap(({ text }) =>
    sliderFields(readScenario(text).model).map((field) => [field.path, field, text] as const),
  ),
)('%s: its whole slider is within the limits of the API, and both ends simulate', (path, { scale, limits }, text) => {
  expect(scale.min).toBeGreaterThanOrEqual(limits.min);
  expect(scale.max).toBeLessThanOrEqual(limits.max);
  for (const value of [scale.min, scale.max]) expect(readScenario(text, [{ path, value }]).scenario).not.toBeNull();
});

it('startup has room for many failures', () => {
  const fields = sliderFields(readScenario(example('startup-then-readiness')).model);
  expect(fields.find(({ path }) => path.endsWith('startup/failureThreshold'))?.scale).toMatchObject({
    max: 120,
    log: true,
  });
});
