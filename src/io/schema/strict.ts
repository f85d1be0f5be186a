// zod/mini: the page loads the schemas, and only this form of zod leaves out what they do not use.
import * as z from 'zod/mini';
import type { Complaint, Path } from '../issue.ts';
import { didYouMean } from '../suggest.ts';

/** A complaint about a piece of a document: `at` says whether to point at the key or at the value. */
export interface Found extends Complaint {
  readonly path: Path;
  readonly at: 'key' | 'value';
}

/** Packs message and remedy into the one text that zod carries; `complaints` unpacks it. */
export const say = (message: string, remedy: string): string => `${message}\n${remedy}`;

/** A map that knows all its keys. An unknown key is an error that suggests the nearest known one. */
export const strict = <T extends z.core.$ZodShape>(shape: T): z.ZodMiniObject<T, z.core.$strict> =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? Object.keys(shape).join(' ') : undefined),
  });

/** A field that may be left out; `text` says in the documents what it means. */
export const optional = <T extends z.core.$ZodType>(schema: T, text: string): z.ZodMiniOptional<T> =>
  z.optional(schema).check(z.describe(text));

/** Keys that exist and are accepted, but not looked into. */
export const opaque = <const K extends string>(...keys: readonly K[]): Record<K, z.ZodMiniOptional<z.ZodMiniUnknown>> =>
  Object.fromEntries(keys.map((key) => [key, z.optional(z.unknown())])) as Record<
    K,
    z.ZodMiniOptional<z.ZodMiniUnknown>
  >;

/** Either what the schema makes of `data`, or everything that is wrong with it. */
export function check<T extends z.ZodMiniType>(
  schema: T,
  data: unknown,
): { value: z.output<T> | null; found: Found[] } {
  const result = schema.safeParse(data, { reportInput: true });
  if (result.success) return { value: result.data, found: [] };
  return { value: null, found: result.error.issues.flatMap(complaints) };
}

function complaints(issue: z.core.$ZodIssue): Found[] {
  const path = issue.path as Path;
  if (issue.code === 'unrecognized_keys') {
    const known = issue.message.split(' ');
    return issue.keys.map((key) => ({
      path: [...path, key],
      at: 'key',
      message: `unknown field ${key}`,
      remedy: didYouMean(key, known),
    }));
  }
  const [message = '', remedy = null] = issue.message.includes('\n') ? issue.message.split('\n') : builtIn(issue);
  return [{ path, at: 'value', message, remedy }];
}

function builtIn(issue: z.core.$ZodIssue): [string, string | null] {
  const name = String(issue.path.findLast((step) => typeof step === 'string') ?? 'this');
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? [`${name} is required`, `Add ${name}.`]
        : wrongType(name, issue.expected, issue.input);
    case 'invalid_value':
      return issue.input === undefined
        ? [`${name} is required`, `Add ${name}: ${issue.values.join(' or ')}.`]
        : [
            `${name} must be ${issue.values.join(' or ')}, not ${show(issue.input)}`,
            didYouMean(String(issue.input), issue.values.map(String)),
          ];
    case 'too_small':
      return issue.origin === 'array'
        ? [`${name} needs at least ${issue.minimum} item`, `Add one, or remove ${name}.`]
        : [
            `${name} must be ${issue.minimum} or more, not ${show(issue.input)}`,
            `Write a number from ${issue.minimum} on.`,
          ];
    case 'too_big':
      return [
        `${name} must be ${issue.maximum} or less, not ${show(issue.input)}`,
        `Write a number up to ${issue.maximum}.`,
      ];
    default:
      return [`${name} has a value that does not fit`, `Correct the value of ${name}.`];
  }
}

const KINDS_OF_VALUE: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of fields',
  record: 'a map of fields',
};

function wrongType(name: string, expected: string, input: unknown): [string, string] {
  const wanted = KINDS_OF_VALUE[expected] ?? expected;
  const message = `${name} must be ${wanted}, not ${show(input)}`;
  if (
    typeof input === 'string' &&
    (expected === 'int' || expected === 'number') &&
    input.trim() !== '' &&
    Number.isFinite(Number(input))
  ) {
    return [message, `Write ${input} without quotes.`];
  }
  if (expected === 'string' && typeof input !== 'object') return [message, `Put it in quotes: '${String(input)}'.`];
  if (typeof input === 'string' && /^\d+(ms|s|m|h)$/.test(input))
    return [message, 'Write the number of seconds, without a unit.'];
  return [message, `Write ${wanted} here.`];
}

/** A value as the user wrote it, cut to a readable length. */
function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a map of fields';
  const text = typeof value === 'string' ? `the text "${value}"` : String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
