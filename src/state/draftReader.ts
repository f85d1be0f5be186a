/** From a draft to what it reads as: at once, or for a large text in a thread of its own. */
import { type ParsedText, parseText } from '../io/manifest/parse.ts';
import { applyOverrides, type ReadResult } from '../io/readScenario.ts';
import type { Overrides } from '../io/settings.ts';

/** What a link carries and what undo brings back. */
export interface Draft {
  readonly text: string;
  readonly overrides: Overrides;
}

/** Characters: YAML takes about a microsecond for each, and a frame must not wait for more than a tenth of a second. */
const LARGE = 100_000;
export const isLarge = ({ text }: Draft): boolean => text.length > LARGE;

/** What the reader's thread offers. */
export interface ReaderWorker {
  read(draft: Draft): ReadResult;
}

/** Reads drafts; a text is parsed once however often its sliders move. */
export function readerOfDrafts(): (draft: Draft) => ReadResult {
  let last: { readonly text: string; readonly parsed: ParsedText } | null = null;
  return ({ text, overrides }) => {
    if (last?.text !== text) last = { text, parsed: parseText(text) };
    return applyOverrides(last.parsed, overrides);
  };
}
