import { expect, it } from 'vitest';
import { readScenario } from '../readScenario.ts';
import { EXAMPLES } from './examples.ts';

it.each(EXAMPLES.map((example) => [example.id, example] as const))(
  '%s reads without errors and warnings, as workloads with Services',
  (_id, { text, title }) => {
    const result = readScenario(text);
    expect(result.issues.filter(({ severity }) => severity !== 'note')).toEqual([]);
    const kinds = new Set(result.used.map(({ kind }) => kind));
    expect(kinds.has('Service')).toBe(true);
    expect(kinds.has('Deployment') || kinds.has('StatefulSet')).toBe(true);
    expect(result.title).toBe(title);
  },
);

it('ids are unique: links carry them', () => {
  expect(new Set(EXAMPLES.map(({ id }) => id)).size).toBe(EXAMPLES.length);
});
