/**
 * Writes public/scenario.schema.json and the table of docs/scenario.md from the zod schema of the Scenario document.
 * Run: npx tsx scripts/generate-schema.ts
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { scenarioDocument } from '../src/io/schema/scenarioDocument.ts';
import { generatedDocument, markdownTable } from './lib/generatedPart.ts';

/** The part of JSON Schema that the Scenario document uses. */
interface Schema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

export const SCHEMA_FILE = fileURLToPath(new URL('../public/scenario.schema.json', import.meta.url));

const documentSchema = (): Schema => z.toJSONSchema(scenarioDocument, { io: 'input' }) as Schema;

/** Text of the JSON Schema. Only documents of kind Scenario are checked: manifests of the same file pass. */
export function schemaText(): string {
  const { $schema, ...scenario } = documentSchema() as Schema & { readonly $schema: string };
  const schema = {
    $schema,
    title: 'Pod to Pool: the kind Scenario document',
    if: { properties: { kind: { const: 'Scenario' } }, required: ['kind'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: scenario,
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function typeText(schema: Schema): string {
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.anyOf?.some(({ pattern }) => pattern?.includes('µs'))) return 'duration';
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeText))].join(' or ');
  if (schema.type === 'array')
    return schema.items?.properties ? 'list' : `list of ${schema.items ? typeText(schema.items) : 'values'}`;
  if (schema.type === 'object') return 'map';
  return [schema.type ?? 'any']
    .flat()
    .map((type) => (type === 'string' ? 'text' : type))
    .join(' or ');
}

/** Rows for a map's fields and all that is in them. The fields of `runs` are those of the app and are not repeated. */
function rows(schema: Schema, prefix: string): (readonly string[])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const row = [`\`${path}\``, typeText(field), field.description ?? ''];
    const inner = field.type === 'array' ? (field.items ?? {}) : field;
    return [row, ...(name === 'runs' ? [] : rows(inner, field.type === 'array' ? `${path}[].` : `${path}.`))];
  });
}

export const SCENARIO_DOCUMENT = generatedDocument(
  'docs/scenario.md',
  '<!-- generated from the schema: npx tsx scripts/generate-schema.ts -->',
  () => markdownTable(['field', 'value', 'meaning'], rows(documentSchema(), '')),
);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(SCHEMA_FILE, schemaText());
  SCENARIO_DOCUMENT.write();
}
