/** Edits of the Scenario document as text. Only what changes is touched: comments and layout stay as they are. */
import { type Document, isMap, isNode, isPair, type Node, parseAllDocuments, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Complaint } from '../issue.ts';
import { parseText } from '../manifest/parse.ts';
import type { ActionEntry } from '../schema/action.ts';

/**
 * `hasErrors`: the text is not valid as it stands. `unclear`: its actions are written in a way that this does not edit.
 * `invalid`: the change itself is none that the text may have, and why.
 */
export type Edit =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: 'hasErrors' | 'unclear' }
  | { readonly ok: false; readonly problem: 'invalid'; readonly complaint: Complaint };

const UNCLEAR: Edit = { ok: false, problem: 'unclear' };

/**
 * Applies a change to the text; `scenario` is its Scenario document, null for none. Refuses a text with errors, one with
 * its Scenario in a List, and a change that does not come to what was meant.
 */
export function edited(
  text: string,
  change: (scenario: Document | null) => string | null,
  isAsMeant: (before: readonly ActionEntry[], after: readonly ActionEntry[]) => boolean,
): Edit {
  const before = parseText(text);
  if (errorOf(before) !== undefined) return { ok: false, problem: 'hasErrors' };
  const documents = parseAllDocuments(text, { logLevel: 'error' });
  if (!Array.isArray(documents)) return UNCLEAR;
  const scenario = documents.find(isScenario) ?? null;
  if (scenario === null && before.scenario !== null) return UNCLEAR;
  const next = change(scenario);
  if (next === null) return UNCLEAR;
  const after = parseText(next);
  const error = errorOf(after);
  if (error !== undefined) return { ok: false, problem: 'invalid', complaint: error };
  return isAsMeant(before.scenario?.actions ?? [], after.scenario?.actions ?? []) ? { ok: true, text: next } : UNCLEAR;
}

const isScenario = ({ contents }: Document): boolean => isMap(contents) && contents.get('kind') === 'Scenario';
const errorOf = ({ issues }: ReturnType<typeof parseText>) => issues.find(({ severity }) => severity === 'error');

/** After the last item of a flow collection; comments behind that stay behind. */
export function intoFlow(text: string, collection: YAMLMap | YAMLSeq, item: string): string | null {
  const node = nodeOf(collection.items.at(-1));
  if (collection.items.length === 0) {
    const at = (collection.range?.[0] ?? 0) + 1;
    return text.slice(0, at) + item + text.slice(at);
  }
  if (!node?.range) return null;
  const [, at] = node.range;
  return `${text.slice(0, at)}, ${item}${text.slice(at)}`;
}

/** On a new line after the last line of a block. */
export function afterLine(text: string, block: Node, line: string): string {
  const last = text.slice(0, block.range?.[1] ?? 0).trimEnd().length;
  const end = text.indexOf('\n', last);
  return end < 0 ? `${text}\n${line}\n` : `${text.slice(0, end)}\n${line}${text.slice(end)}`;
}

/** The text with other words in place of a node; the line break after a block stays. */
export function spliced(text: string, node: unknown, by: string): string | null {
  if (!isNode(node) || !node.range) return null;
  const [from, to] = node.range;
  return text.slice(0, from) + by + text.slice(from + text.slice(from, to).trimEnd().length);
}

/** The text without item `index` of a list or field `index` of a map, and without the comment on its last line. */
export function withoutItem(text: string, collection: YAMLMap | YAMLSeq, index: number): string | null {
  const item = collection.items[index];
  const [from] = (isPair(item) ? rangeOf(item.key) : rangeOf(item)) ?? [];
  const [, to] = nodeOf(item)?.range ?? [];
  if (from === undefined || to === undefined) return null;
  if (collection.flow) return withoutFlowItem(text, collection, index, from, to);
  const begin = lineStart(text, isPair(item) ? from : Math.max(0, text.lastIndexOf('-', from)));
  const end = text.indexOf('\n', begin + text.slice(begin, to).trimEnd().length);
  return text.slice(0, begin) + (end < 0 ? '' : text.slice(end + 1));
}

/** With the comma behind it, or for the last one with the comma before it. */
function withoutFlowItem(
  text: string,
  { items }: YAMLMap | YAMLSeq,
  index: number,
  from: number,
  to: number,
): string | null {
  if (index + 1 < items.length) {
    const comma = text.indexOf(',', to);
    const [behind = ''] = /^[ \t]*/.exec(text.slice(comma + 1)) ?? [];
    return text.slice(0, from) + text.slice(comma + 1 + behind.length);
  }
  const [, before] = nodeOf(items[index - 1])?.range ?? [];
  if (before === undefined) return text.slice(0, from) + text.slice(to);
  const comma = text.indexOf(',', before);
  const between = text.slice(comma + 1, from);
  return text.slice(0, comma) + (between.trim() === '' ? '' : between) + text.slice(to);
}

/** What ends an item: of a field its value, or its key where it has none. */
function nodeOf(item: unknown): Node | null {
  const node = isPair(item) ? (item.value ?? item.key) : item;
  return isNode(node) ? node : null;
}
const rangeOf = (node: unknown) => (isNode(node) ? node.range : null);

/** Spaces before the first character of a block. */
export const indentOf = (text: string, block: Node): string => {
  const [begin = 0] = block.range ?? [];
  return ' '.repeat(begin - lineStart(text, begin));
};

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;
