/**
 * A text, whole or in pieces. What two versions of an object have in common stands in pieces of their own, if possible the
 * same strings: then they are compared piece by piece and not letter by letter.
 */
export type ObjectText = string | readonly string[];

/** `removed` code units from `at` on (of the text before) give way to `text`. */
export interface TextEdit {
  readonly at: number;
  readonly removed: number;
  readonly text: string;
}

/** So many pieces beside a difference are looked through for where the texts go on alike; else all the rest is one edit. */
const WINDOW = 16;

/** What makes one text of another, in order. */
export function editsBetween(before: ObjectText, after: ObjectText): readonly TextEdit[] {
  const [old, now] = [piecesOf(before), piecesOf(after)];
  const edits: TextEdit[] = [];
  let at = 0;
  for (let i = 0, j = 0; i < old.length || j < now.length; ) {
    // Within both lists, so that strings meet strings: others are compared in a slower way.
    while (i < old.length && j < now.length && old[i] === now[j]) {
      at += (old[i] as string).length;
      i++;
      j++;
    }
    if (i === old.length && j === now.length) break;
    const [gone, come] = untilAlike(old, i, now, j);
    const removed = stretch(old, i, gone);
    const text = stretch(now, j, come);
    if (removed !== text) edits.push(trimmed(at, removed, text));
    at += removed.length;
    i += gone;
    j += come;
  }
  return edits;
}

export const joined = (text: ObjectText): string => (typeof text === 'string' ? text : text.join(''));

const piecesOf = (text: ObjectText): readonly string[] => (typeof text === 'string' ? [text] : text);

/** How many pieces of either list, together as few as possible, to leave out until the next ones are equal. */
function untilAlike(old: readonly string[], i: number, now: readonly string[], j: number): readonly [number, number] {
  for (let both = 1; both <= WINDOW; both++) {
    for (let gone = 0; gone <= both; gone++) {
      const piece = old[i + gone];
      if (piece !== undefined && piece === now[j + both - gone]) return [gone, both - gone];
    }
  }
  return [old.length - i, now.length - j];
}

/** `count` pieces from `from` on, as one text: often just one. */
const stretch = (pieces: readonly string[], from: number, count: number): string =>
  count === 1 ? (pieces[from] as string) : pieces.slice(from, from + count).join('');

/** The edit that makes `text` of `removed`, another one, without what they have in common at their ends. */
function trimmed(at: number, removed: string, text: string): TextEdit {
  const { prefix, suffix } = commonEnds(removed, text);
  return {
    at: at + prefix,
    removed: removed.length - prefix - suffix,
    text: text.slice(prefix, text.length - suffix),
  };
}

/** Texts are first compared by so many characters at once: that is a comparison of memory. */
const BLOCK = 128;

function commonEnds(a: string, b: string): { readonly prefix: number; readonly suffix: number } {
  const shorter = Math.min(a.length, b.length);
  let prefix = 0;
  while (prefix + BLOCK <= shorter && a.slice(prefix, prefix + BLOCK) === b.slice(prefix, prefix + BLOCK))
    prefix += BLOCK;
  while (prefix < shorter && a.charCodeAt(prefix) === b.charCodeAt(prefix)) prefix++;
  let suffix = 0;
  const left = shorter - prefix;
  while (suffix + BLOCK <= left && blockBefore(a, suffix) === blockBefore(b, suffix)) suffix += BLOCK;
  while (suffix < left && a.charCodeAt(a.length - 1 - suffix) === b.charCodeAt(b.length - 1 - suffix)) suffix++;
  // No edit begins or ends within a surrogate pair.
  if (prefix > 0 && isHighSurrogate(a.charCodeAt(prefix - 1))) prefix--;
  if (suffix > 0 && isLowSurrogate(a.charCodeAt(a.length - suffix))) suffix--;
  return { prefix, suffix };
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** The block that ends `end` characters before the end of a text. */
const blockBefore = (text: string, end: number): string => text.slice(text.length - end - BLOCK, text.length - end);
