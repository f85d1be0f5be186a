import { GrowingColumn } from '../../base/growing.ts';
import type { Micros } from '../../base/units.ts';
import type { ObjectColumns } from './trace.ts';

/** Every so many versions of an object are stored whole, so that a look-up applies few patches. */
const FULL_TEXT_EVERY = 16;

/** Texts that are remembered so that the same change of another object is stored once. */
const RECENT = 256;

/** A text in the pool, as what differs from the one before it; `from` is '' for a whole text. */
interface StoredText {
  readonly from: string;
  readonly offset: number;
  readonly size: number;
  readonly prefix: number;
  readonly suffix: number;
}

/**
 * Writer of object versions. A version is stored as what differs from the one before it:
 *
 *     before  {"phase":"Pending","ip":""}
 *     after   {"phase":"Running","ip":""}     → prefix 10 characters, middle "Running", suffix 9 characters
 */
export class ObjectPool {
  private readonly pool = new GrowingColumn(Uint16Array, 4096);
  private readonly offset = new GrowingColumn(Uint32Array);
  private readonly size = new GrowingColumn(Uint32Array);
  private readonly prefix = new GrowingColumn(Uint32Array);
  private readonly suffix = new GrowingColumn(Uint32Array);
  private readonly base = new GrowingColumn(Int32Array);
  private readonly key = new GrowingColumn(Uint32Array);
  private readonly since = new GrowingColumn(Float64Array);
  private readonly row = new GrowingColumn(Uint32Array);
  private readonly recent = new Map<string, StoredText>();
  private readonly latest = new Map<number, { index: number; text: string; sinceFull: number }>();

  /** Stores `text` as the version of object `key` (a string-table index) that holds from `since` on. Returns its index. */
  add(key: number, text: string, since: Micros, row: number): number {
    const index = this.offset.length;
    const before = this.latest.get(key);
    const patch = before !== undefined && before.sinceFull < FULL_TEXT_EVERY;
    const { offset, size, prefix, suffix } = this.stored(patch ? before.text : '', text);
    this.offset.push(offset);
    this.size.push(size);
    this.prefix.push(prefix);
    this.suffix.push(suffix);
    this.base.push(patch ? before.index : -1);
    this.key.push(key);
    this.since.push(since);
    this.row.push(row);
    this.latest.set(key, { index, text, sinceFull: patch ? before.sinceFull + 1 : 0 });
    return index;
  }

  /** Nodes that have the same rules change from one text to another alike: the pool has that change once. */
  private stored(from: string, text: string): StoredText {
    const known = this.recent.get(text);
    if (known?.from === from) return known;
    const { prefix, suffix } = commonEnds(from, text);
    const stored = { from, offset: this.pool.length, size: text.length - prefix - suffix, prefix, suffix };
    this.pool.appendText(text, prefix, text.length - suffix);
    if (this.recent.size === RECENT) this.recent.clear();
    this.recent.set(text, stored);
    return stored;
  }

  toColumns(): ObjectColumns {
    return {
      pool: this.pool.toArray(),
      offset: this.offset.toArray(),
      size: this.size.toArray(),
      prefix: this.prefix.toArray(),
      suffix: this.suffix.toArray(),
      base: this.base.toArray(),
      key: this.key.toArray(),
      since: this.since.toArray(),
      row: this.row.toArray(),
    };
  }
}

/** Reads one version's text back. `known` may supply versions that are decoded already. */
export function decodeVersion(
  objects: ObjectColumns,
  index: number,
  known: (index: number) => string | undefined,
): string {
  const chain: number[] = [];
  let text: string | undefined;
  for (let i = index; i >= 0; i = objects.base[i] as number) {
    text = known(i);
    if (text !== undefined) break;
    chain.push(i);
  }
  for (const i of chain.reverse()) text = applyPatch(objects, i, text ?? '');
  return text as string;
}

function applyPatch(objects: ObjectColumns, index: number, before: string): string {
  const offset = objects.offset[index] as number;
  const size = objects.size[index] as number;
  const prefix = objects.prefix[index] as number;
  const suffix = objects.suffix[index] as number;
  let middle = '';
  for (let i = offset; i < offset + size; i++) middle += String.fromCharCode(objects.pool[i] as number);
  return before.slice(0, prefix) + middle + before.slice(before.length - suffix);
}

/** Texts are first compared by so many characters at once: that is a comparison of memory. */
const BLOCK = 128;

function commonEnds(a: string, b: string): { prefix: number; suffix: number } {
  const shorter = Math.min(a.length, b.length);
  let prefix = 0;
  while (prefix + BLOCK <= shorter && a.slice(prefix, prefix + BLOCK) === b.slice(prefix, prefix + BLOCK))
    prefix += BLOCK;
  while (prefix < shorter && a.charCodeAt(prefix) === b.charCodeAt(prefix)) prefix++;
  let suffix = 0;
  const left = shorter - prefix;
  while (suffix + BLOCK <= left && blockBefore(a, suffix) === blockBefore(b, suffix)) suffix += BLOCK;
  while (suffix < left && a.charCodeAt(a.length - 1 - suffix) === b.charCodeAt(b.length - 1 - suffix)) suffix++;
  return { prefix, suffix };
}

/** The block that ends `end` characters before the end of a text. */
const blockBefore = (text: string, end: number): string => text.slice(text.length - end - BLOCK, text.length - end);
