/** Edits of `actions` in the text of a scenario. Only what changes is touched: comments and layout stay as they are. */
import {
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  parseAllDocuments,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { parseText } from '../manifest/parse.ts';
import type { ActionEntry } from '../schema/action.ts';

/** An action as it is written into the text; lengths are durations such as `10s`. */
export type WrittenAction =
  | { readonly do: 'deletePod'; readonly pod: string }
  | { readonly do: 'restartKubelet'; readonly node?: string; readonly down: string }
  | { readonly do: 'cutApi'; readonly node?: string; readonly lasts: string }
  | {
      readonly do: 'patchCondition';
      readonly pod: string;
      readonly condition: string;
      readonly status: 'True' | 'False';
    };

/** `hasErrors`: the text is not valid as it stands. `unclear`: its actions are written in a way that this does not edit. */
export type Edit =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: 'hasErrors' | 'unclear' };

const REFUSED: Edit = { ok: false, problem: 'unclear' };

/** Adds an action at `at` (µs) to the Scenario document; where the text has none, a new document at its end. */
export function addAction(text: string, at: number, action: WrittenAction): Edit {
  return edited(text, 1, (document) => {
    const entry = flow({ at: durationOf(at), ...action });
    if (document === null) return `${text.trimEnd()}\n---\n${NEW_DOCUMENT}actions:\n  - ${entry}\n`;
    return isMap(document.contents) ? withEntry(text, document.contents, entry) : null;
  });
}

/** Gives entry `index` of `actions` the instant `at` (µs). */
export function moveAction(text: string, index: number, at: number): Edit {
  return edited(text, 0, (document) => {
    const list = isMap(document?.contents) ? document.contents.get('actions', true) : null;
    const entry = isSeq(list) ? list.items[index] : null;
    const value = isMap(entry) ? entry.get('at', true) : null;
    return isScalar(value) ? spliced(text, value, durationOf(at)) : null;
  });
}

/** Index in `actions` of the entry that does `what` at `at` (µs); -1 when the text has none. */
export const actionIndex = (text: string, at: number, what: string): number =>
  (parseText(text).scenario?.actions ?? []).findIndex(
    (entry: ActionEntry) => entry.do === what && Math.round(entry.at * 1e6) === at,
  );

const NEW_DOCUMENT = 'apiVersion: podtopool/v1\nkind: Scenario\n';
const durationOf = (at: number): string => `${at / 1e6}s`;
const flow = (value: object): string =>
  stringify(value, { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 }).trim();

/** Refuses a text with errors, one with its Scenario in a List, and a change that does not come to `more` actions. */
function edited(text: string, more: number, change: (scenario: Document | null) => string | null): Edit {
  const before = parseText(text);
  if (hasErrors(before)) return { ok: false, problem: 'hasErrors' };
  const documents = parseAllDocuments(text, { logLevel: 'error' });
  if (!Array.isArray(documents)) return REFUSED;
  const scenario = documents.find(isScenario) ?? null;
  if (scenario === null && before.scenario !== null) return REFUSED;
  const next = change(scenario);
  if (next === null) return REFUSED;
  const after = parseText(next);
  const isAsMeant = !hasErrors(after) && countOf(after) === countOf(before) + more;
  return isAsMeant ? { ok: true, text: next } : REFUSED;
}

const countOf = ({ scenario }: ReturnType<typeof parseText>): number => scenario?.actions?.length ?? 0;

const isScenario = ({ contents }: Document): boolean => isMap(contents) && contents.get('kind') === 'Scenario';
const hasErrors = ({ issues }: ReturnType<typeof parseText>): boolean =>
  issues.some(({ severity }) => severity === 'error');

function withEntry(text: string, scenario: YAMLMap, entry: string): string | null {
  const pair = scenario.items.find(({ key }) => isScalar(key) && key.value === 'actions');
  if (pair === undefined) return withList(text, scenario, entry);
  const { value } = pair;
  if (isScalar(value) && value.value === null) return spliced(text, value, ` [${entry}]`);
  if (!isSeq(value)) return null;
  if (value.flow) return intoFlow(text, value, entry);
  const [begin = 0] = value.range ?? [];
  return afterLine(text, value, `${' '.repeat(begin - lineStart(text, begin))}- ${entry}`);
}

function withList(text: string, scenario: YAMLMap, entry: string): string | null {
  if (scenario.flow) return intoFlow(text, scenario, `actions: [${entry}]`);
  const [begin = 0] = scenario.range ?? [];
  const indent = ' '.repeat(begin - lineStart(text, begin));
  return afterLine(text, scenario, `${indent}actions:\n${indent}  - ${entry}`);
}

/** After the last item of a flow collection; comments behind that stay behind. */
function intoFlow(text: string, collection: YAMLMap | YAMLSeq, item: string): string | null {
  const last = collection.items.at(-1);
  const node = isPair(last) ? (last.value ?? last.key) : last;
  if (last === undefined) {
    const at = (collection.range?.[0] ?? 0) + 1;
    return text.slice(0, at) + item + text.slice(at);
  }
  if (!isNode(node) || !node.range) return null;
  const [, at] = node.range;
  return `${text.slice(0, at)}, ${item}${text.slice(at)}`;
}

/** On a new line after the last line of a block. */
function afterLine(text: string, block: Node, line: string): string {
  const last = text.slice(0, block.range?.[1] ?? 0).trimEnd().length;
  const end = text.indexOf('\n', last);
  return end < 0 ? `${text}\n${line}\n` : `${text.slice(0, end)}\n${line}${text.slice(end)}`;
}

function spliced(text: string, node: Node, by: string): string | null {
  if (!isNode(node) || !node.range) return null;
  const [from, to] = node.range;
  return text.slice(0, from) + by + text.slice(to);
}

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;
