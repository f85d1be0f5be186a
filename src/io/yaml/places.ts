import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type LineCounter,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import type { Path, Range } from '../issue.ts';

/** A step on the way to a value: the value's node, and the key's where it has one. */
interface Place {
  readonly key: Node | null;
  readonly value: Node | null;
}

const keyText = (pair: Pair): string => (isScalar(pair.key) ? String(pair.key.value) : String(pair.key));

/** Of equal keys the last one counts; what a merge key (`<<`) brings counts least. */
function pairOf(map: YAMLMap, key: string, doc: Document): Pair | null {
  const own = map.items.findLast((pair) => keyText(pair) === key);
  if (own) return own;
  for (const pair of map.items.filter((item) => keyText(item) === '<<')) {
    const merged = resolve(pair.value as Node | null, doc);
    for (const source of isSeq(merged) ? merged.items : [merged]) {
      const target = resolve(source as Node | null, doc);
      const found = isMap(target) ? pairOf(target, key, doc) : null;
      if (found) return found;
    }
  }
  return null;
}

const resolve = (node: Node | null, doc: Document): Node | null =>
  isAlias(node) ? ((node.resolve(doc) as Node | undefined) ?? null) : node;

function child(parent: Node | null, step: string | number, doc: Document): Place | null {
  const node = resolve(parent, doc);
  if (isMap(node) && typeof step === 'string') {
    const pair = pairOf(node, step, doc);
    return pair && { key: pair.key as Node, value: (pair.value as Node | null) ?? null };
  }
  if (isSeq(node) && typeof step === 'number' && step < node.items.length) {
    return { key: null, value: (node.items[step] as Node | null) ?? null };
  }
  return null;
}

/** The place of `path`, or of its nearest parent that exists. */
function find(doc: Document, path: Path): Place {
  let place: Place = { key: null, value: doc.contents as Node | null };
  for (const step of path) {
    const next = child(place.value, step, doc);
    if (!next) break;
    place = next;
  }
  return place;
}

/** Makes a Range of two offsets. */
export function rangeAt(lines: LineCounter, from: number, to: number): Range {
  const start = lines.linePos(from);
  const end = lines.linePos(Math.max(from, to));
  return {
    line: Math.max(1, start.line),
    column: Math.max(1, start.col),
    endLine: end.line,
    endColumn: Math.max(1, end.col),
  };
}

/** Where `path` stands: a scalar's own text, else its key. `of: 'key'` always takes the key. */
export function locate(doc: Document, lines: LineCounter, path: Path, of: 'key' | 'value'): Range {
  const { key, value } = find(doc, path);
  const node =
    of === 'value' && isScalar(value) && value.range && value.range[1] > value.range[0] ? value : (key ?? value);
  const [from, to] = node?.range ?? doc.range ?? [0, 0];
  // A collection without a key (an item, the whole document) is shown by its first line's first sign only.
  return node !== null && node !== key && !isScalar(node) ? rangeAt(lines, from, from + 1) : rangeAt(lines, from, to);
}
