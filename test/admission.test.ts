import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readScenario } from '../src/io/readScenario.ts';

/** A text that somebody may paste, and what kubectl and the API server made of it. */
interface Case {
  readonly name: string;
  readonly input: string;
  readonly result: {
    readonly reader: { readonly problem?: unknown };
    readonly documents: readonly {
      readonly problem?: unknown;
      readonly objects?: readonly { readonly accepted: boolean }[];
    }[];
  };
}

const FOLDER = join(import.meta.dirname, 'texts/admission');
const topics = readdirSync(FOLDER).map((file): { readonly topic: string; readonly cases: readonly Case[] } =>
  JSON.parse(gunzipSync(readFileSync(join(FOLDER, file))).toString()),
);
const all = topics.flatMap(({ topic, cases }) => cases.map((one) => ({ ...one, topic })));

const isRefused = ({ result: { reader, documents } }: Case): boolean =>
  reader.problem !== undefined ||
  documents.some(({ problem, objects = [] }) => problem !== undefined || objects.some(({ accepted }) => !accepted));

const errorsOf = ({ input }: Case): readonly string[] =>
  readScenario(input)
    .issues.filter(({ severity }) => severity === 'error')
    .map(({ message }) => message);

/** Where the page says something else, and why. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'job-defaults': 'a Job has no Pods here',
  'budget-min': 'a budget alone is nothing to simulate',
  'budget-neither': 'a budget alone is nothing to simulate',
  'budget-no-selector': 'a budget alone is nothing to simulate',
  node: 'a Node alone is nothing to simulate',
  'list-typed': 'a ServiceList is not unpacked',
  'crlf-block-scalar': 'a ConfigMap is nothing to simulate',
  'json-two-objects': 'objects of JSON one after the other are no YAML; the remedy says what to put between them',
  'dual-stack-required': 'clusters here have both families',
};

describe('what people paste', () => {
  it.each(all.filter(({ name }) => !(name in DIFFERENT)))(
    '$topic: $name is refused where the API server refuses it',
    (one) => {
      const errors = errorsOf(one);
      expect(errors.length > 0, errors.join('; ')).toBe(isRefused(one));
    },
  );

  it.each(Object.entries(DIFFERENT))('%s differs, as %s', (name) => {
    const one = all.find((other) => other.name === name);
    if (!one) throw new Error(`no text ${name}`);
    expect(errorsOf(one).length > 0).not.toBe(isRefused(one));
  });
});
