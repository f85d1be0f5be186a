/** Moves, changes and removes actions in the text of a scenario. */
import { type Document, isMap, isScalar, isSeq, type YAMLMap, type YAMLSeq } from 'yaml';
import { parseText } from '../manifest/parse.ts';
import type { ActionEntry } from '../schema/action.ts';
import { yamlText } from '../yaml/write.ts';
import { durationOf } from './addAction.ts';
import { afterLine, type Edit, edited, indentOf, intoFlow, spliced, withoutItem } from './scenarioText.ts';

/** Index in `actions` of the entry that does `what` at `at` (µs); -1 when the text has none. */
export const actionIndex = (text: string, at: number, what: string): number =>
  actionsOf(text).findIndex((entry) => entry.do === what && Math.round(entry.at * 1e6) === at);

/** The entries of `actions`, in the order of the text. */
export const actionsOf = (text: string): readonly ActionEntry[] => parseText(text).scenario?.actions ?? [];

/** Gives entry `index` of `actions` the instant `at` (µs). */
export const moveAction = (text: string, index: number, at: number): Edit =>
  setActionField(text, index, 'at', durationOf(at));

/**
 * Gives a field of entry `index` the value that somebody wrote: seconds or a duration, a word; '' removes the field.
 * What the schema refuses comes back as `invalid`.
 */
export function setActionField(text: string, index: number, field: string, value: string): Edit {
  return edited(
    text,
    (document) => {
      const entry = listOf(document)?.items[index];
      return isMap(entry) ? withField(text, entry, field, value.trim()) : null;
    },
    (before, after) => after.length === before.length && sameBut(before, after, index),
  );
}

/** Removes entry `index` of `actions`. */
export function removeAction(text: string, index: number): Edit {
  return edited(
    text,
    (document) => {
      const list = listOf(document);
      if (list?.items[index] === undefined) return null;
      return list.items.length === 1 ? spliced(text, list, '[]') : withoutItem(text, list, index);
    },
    (before, after) => JSON.stringify(after) === JSON.stringify(before.toSpliced(index, 1)),
  );
}

function listOf(document: Document | null): YAMLSeq | null {
  const list = isMap(document?.contents) ? document.contents.get('actions', true) : null;
  return isSeq(list) ? list : null;
}

function withField(text: string, entry: YAMLMap, field: string, value: string): string | null {
  const place = entry.items.findIndex(({ key }) => isScalar(key) && key.value === field);
  if (value === '') return place < 0 ? text : withoutItem(text, entry, place);
  const written = yamlText(scalarOf(value)).trim();
  if (place >= 0) return spliced(text, entry.items[place]?.value, written);
  if (entry.flow) return intoFlow(text, entry, `${field}: ${written}`);
  return afterLine(text, entry, `${indentOf(text, entry)}${field}: ${written}`);
}
const NUMERIC = /^-?\d+(\.\d+)?$/;
const scalarOf = (value: string): string | number | boolean =>
  value === 'true' || value === 'false' ? value === 'true' : NUMERIC.test(value) ? Number(value) : value;

const sameBut = (before: readonly ActionEntry[], after: readonly ActionEntry[], index: number): boolean =>
  before.every((entry, i) => i === index || JSON.stringify(entry) === JSON.stringify(after[i]));
