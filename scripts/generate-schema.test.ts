import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SCENARIO_DOCUMENT, SCHEMA_FILE, schemaText } from './generate-schema.ts';

const remedy = 'run: npx tsx scripts/generate-schema.ts';

it('public/scenario.schema.json is what the zod schema gives', () => {
  expect(readFileSync(SCHEMA_FILE, 'utf8'), remedy).toBe(schemaText());
});

it('the table of docs/scenario.md is what the zod schema gives', () => {
  expect(SCENARIO_DOCUMENT.read(), remedy).toBe(SCENARIO_DOCUMENT.make());
});

it('every field of the Scenario document has a description', () => {
  const undescribed: string[] = [];
  const look = (schema: Record<string, unknown>, path: string): void => {
    for (const [name, field] of Object.entries((schema.properties ?? {}) as Record<string, Record<string, unknown>>)) {
      if (!field.description) undescribed.push(`${path}.${name}`);
      look(field, `${path}.${name}`);
      look((field.items ?? {}) as Record<string, unknown>, `${path}.${name}`);
    }
  };
  const { then } = JSON.parse(schemaText()) as { then: Record<string, unknown> };
  look(then, '');
  expect(undescribed).toEqual([]);
});
