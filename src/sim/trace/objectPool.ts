import { GrowingColumn } from '../../base/growing.ts';
import { pooledText, TextPool } from '../../base/textPool.ts';
import type { Micros } from '../../base/units.ts';
import { editsBetween, type ObjectText } from './textEdits.ts';
import type { ObjectColumns } from './trace.ts';

/** Every so many versions of an object are stored whole, so that a look-up applies few edits. */
const FULL_TEXT_EVERY = 64;

/** Texts that are remembered so that the same change of another object is stored once. */
const RECENT = 256;

/** Edits [first, first + count) of the pool make the text that they are remembered by from `from`. */
interface StoredEdits {
  readonly from: ObjectText;
  readonly first: number;
  readonly count: number;
}

/**
 * Writer of object versions. A version is stored as the edits that make it from the one before it:
 *
 *     before  {"phase":"Pending","ip":""}
 *     after   {"phase":"Running","ip":""}     → at 10, 7 characters give way to "Running"
 */
export class ObjectPool {
  private readonly pool = new TextPool();
  private readonly editAt = new GrowingColumn(Uint32Array);
  private readonly editRemoved = new GrowingColumn(Uint32Array);
  private readonly editOffset = new GrowingColumn(Uint32Array);
  private readonly editSize = new GrowingColumn(Uint32Array);
  private readonly firstEdit = new GrowingColumn(Uint32Array);
  private readonly edits = new GrowingColumn(Uint32Array);
  private readonly base = new GrowingColumn(Int32Array);
  private readonly key = new GrowingColumn(Uint32Array);
  private readonly since = new GrowingColumn(Float64Array);
  private readonly row = new GrowingColumn(Uint32Array);
  private readonly recent = new Map<ObjectText, StoredEdits>();
  private readonly latest = new Map<number, { index: number; text: ObjectText; sinceFull: number }>();

  /** Stores `text` as the version of object `key` (a string-table index) that holds from `since` on. Returns its index. */
  add(key: number, text: ObjectText, since: Micros, row: number): number {
    const index = this.base.length;
    const before = this.latest.get(key);
    const patch = before !== undefined && before.sinceFull < FULL_TEXT_EVERY;
    const { first, count } = this.stored(patch ? before.text : '', text);
    this.firstEdit.push(first);
    this.edits.push(count);
    this.base.push(patch ? before.index : -1);
    this.key.push(key);
    this.since.push(since);
    this.row.push(row);
    this.latest.set(key, { index, text, sinceFull: patch ? before.sinceFull + 1 : 0 });
    return index;
  }

  /** Nodes that have the same rules change from one text to another alike: the pool has that change once. */
  private stored(from: ObjectText, text: ObjectText): StoredEdits {
    const known = this.recent.get(text);
    if (known?.from === from) return known;
    const edits = editsBetween(from, text);
    const stored = { from, first: this.editAt.length, count: edits.length };
    for (const { at, removed, text } of edits) {
      this.editAt.push(at);
      this.editRemoved.push(removed);
      this.editOffset.push(this.pool.length);
      this.editSize.push(this.pool.append(text));
    }
    if (this.recent.size === RECENT) this.recent.clear();
    this.recent.set(text, stored);
    return stored;
  }

  toColumns(): ObjectColumns {
    return {
      pool: this.pool.toArray(),
      editAt: this.editAt.toArray(),
      editRemoved: this.editRemoved.toArray(),
      editOffset: this.editOffset.toArray(),
      editSize: this.editSize.toArray(),
      firstEdit: this.firstEdit.toArray(),
      edits: this.edits.toArray(),
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
  for (const i of chain.reverse()) text = edited(objects, i, text ?? '');
  return text as string;
}

/** The text of a version, made from the one before it. */
function edited(objects: ObjectColumns, index: number, before: string): string {
  const first = objects.firstEdit[index] as number;
  const end = first + (objects.edits[index] as number);
  let text = '';
  let kept = 0;
  for (let edit = first; edit < end; edit++) {
    const at = objects.editAt[edit] as number;
    text += before.slice(kept, at) + pooled(objects, edit);
    kept = at + (objects.editRemoved[edit] as number);
  }
  return text + before.slice(kept);
}

const pooled = ({ pool, editOffset, editSize }: ObjectColumns, edit: number): string =>
  pooledText(pool, editOffset[edit] as number, editSize[edit] as number);
