import { expect, it } from 'vitest';
import { readScenario } from '../readScenario.ts';
import { EXAMPLES } from './examples.ts';

it.each(EXAMPLES.map((example) => [example.id, example] as const))(
  '%s reads without errors and warnings, as a Deployment with a Service',
  (_id, { text, title }) => {
    const result = readScenario(text);
    expect(result.issues.filter(({ severity }) => severity !== 'note')).toEqual([]);
    expect(result.used.map(({ kind }) => kind)).toEqual(['Deployment', 'Service']);
    expect(result.title).toBe(title);
  },
);

it('ids are unique: links carry them', () => {
  expect(new Set(EXAMPLES.map(({ id }) => id)).size).toBe(EXAMPLES.length);
});
