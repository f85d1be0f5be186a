/** The chain of the card: links that hold, the first that is missing, then the later ones with the time of each. */
import { capitalised } from '../../base/format.ts';
import type { Micros } from '../../base/units.ts';
import type { Hop, HopNumber } from '../../explain/hops.ts';
import { type Link, PRECONDITIONS, type Why } from '../../explain/why.ts';
import type { PathWords } from '../../explain/words/pathWords.ts';

export interface ChainRow {
  readonly key: string;
  readonly hop: HopNumber | null;
  /** Of a backend, `gone`: what does not hold any more; `holding`: the last that still does, while something has gone. */
  readonly state: 'done' | 'missing' | 'later' | 'gone' | 'holding';
  readonly title: string;
  /** What it says in its own terms; '' for nothing. */
  readonly value: string;
  /** Done and gone: since when, else when it comes; null: not known, not in this run. */
  readonly at: Micros | null;
}

/** Key of the row of all preconditions that hold. */
export const CONDITIONS = 'conditions';

/**
 * What must hold before the first hop stands in one row as far as it holds. `wait`: hop 1 of the way in, which no link
 * stands for; null where nothing was waited for.
 */
export function chainRows(why: Why, wait: Hop | null, words: PathWords): readonly ChainRow[] {
  const links = why.links.filter(({ matters }) => matters);
  const isCondition = ({ kind, says }: Link): boolean => PRECONDITIONS.includes(kind) && says === 'yes';
  const conditions = links.filter(isCondition);
  const rows = withHolder(links.filter((link) => !isCondition(link)).flatMap((link) => rowsOf(link, why, wait, words)));
  if (conditions.length === 0) return rows;
  const title = capitalised(conditions.map(words.link).join(' · '));
  return [{ key: CONDITIONS, hop: null, state: 'done', title, value: '', at: null }, ...rows];
}

function withHolder(rows: readonly ChainRow[]): readonly ChainRow[] {
  if (rows.every(({ state }) => state !== 'gone')) return rows;
  const holder = rows.findLast(({ state, hop }) => state === 'done' && hop !== 7);
  return rows.map((row) => (row === holder ? { ...row, state: 'holding' } : row));
}

function rowsOf(link: Link, why: Why, wait: Hop | null, words: PathWords): readonly ChainRow[] {
  const isMissing = link === why.missing;
  const other = why.isBackend ? 'gone' : 'later';
  const own = rowOf(link, isMissing ? 'missing' : link.says === 'yes' ? 'done' : other, words);
  if (link.hop !== 2 || wait === null || wait.from > why.at || link.says === 'yes') return [own];
  const isOver = wait.to !== null && wait.to <= why.at;
  const state = isOver ? 'done' : isMissing ? 'missing' : 'later';
  const first: ChainRow = {
    key: 'wait',
    hop: 1,
    state,
    title: capitalised(words.hop(1)),
    value: state === 'missing' ? own.value : '',
    at: isOver ? wait.from : wait.to,
  };
  return [first, state === 'missing' ? { ...own, state: 'later', value: '' } : own];
}

function rowOf(link: Link, state: ChainRow['state'], words: PathWords): ChainRow {
  const { kind, container, probe, hop, since, comesAt } = link;
  return {
    key: `${kind}/${container}/${probe}/${kind === 'gate' ? link.value : ''}`,
    hop,
    state,
    title: capitalised(words.link(link)),
    value: state === 'missing' || state === 'gone' ? words.value(link) : '',
    at: state === 'done' || state === 'gone' ? since : comesAt,
  };
}
