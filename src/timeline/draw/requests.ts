/**
 * Attempts of a client → what stands on the screen, by density. Pure. Up is served, down is lost: the side says it
 * without colour.
 *
 *     apart        ●     ●              a stem each
 *               ───┴─────┴──┬──┬───
 *                           ×  ×
 *     nearer    ▂▅▅▅▅▂▂▅▅▅▅▅▅▅          columns of 3 px, mirrored, as high as the attempts in them are many
 *               ────▔▔───────────
 */
import { bisector } from 'd3-array';
import type { CssPx } from '../../base/units.ts';
import type { EventRef } from '../../sim/trace/kinds.ts';
import type { GlyphRun } from '../model/marks.ts';
import type { TimeWindow } from '../model/window.ts';
import { isWithin, type TimeScale } from '../scale/timeScale.ts';

/** Stems nearer than this would touch. */
const APART: CssPx = 10;
export const COLUMN: CssPx = 3;
/** A stem whose foot is so far outside still reaches into the view. */
const MARGIN: CssPx = 12;

export interface Stem {
  readonly kind: 'stem';
  readonly x: CssPx;
  readonly run: GlyphRun;
  readonly ref: EventRef;
}
export interface Column {
  readonly x: CssPx;
  readonly served: number;
  readonly lost: number;
  /** The first lost one, else the first. */
  readonly ref: EventRef;
  /** µs of that one. */
  readonly at: number;
}
export interface Columns {
  readonly kind: 'columns';
  readonly left: CssPx;
  readonly right: CssPx;
  readonly columns: readonly Column[];
}
export interface Requests {
  readonly marks: readonly (Stem | Columns)[];
  /** Attempts in the fullest column, at least 1: all columns in view have one scale. */
  readonly most: number;
  /** Of the attempts in view whose outcome is known. */
  readonly known: number;
  readonly lost: number;
}

const byStart = bisector((run: GlyphRun) => run.at);

/** What is in view of a client's attempts (sorted by their begin), left to right. Those in folds count, and are not shown. */
export function requestsInView(
  runs: readonly GlyphRun[],
  x: TimeScale,
  width: CssPx,
  folds: readonly TimeWindow[] = [],
): Requests {
  const first = byStart.left(runs, x.invert(-MARGIN));
  const end = byStart.right(runs, x.invert(width + MARGIN));
  const marks: (Stem | Columns)[] = [];
  const tally = { most: 1, known: 0, lost: 0 };
  let chain: Stem[] = [];
  const endChain = (): void => {
    const [only] = chain;
    if (only !== undefined) marks.push(chain.length === 1 ? only : columnsOf(chain, tally));
    chain = [];
  };
  for (let i = first; i < end; i++) {
    const run = runs[i];
    if (run === undefined) break;
    const px = x(run.at);
    if (isKnown(run)) tally.known++;
    if (isLost(run)) tally.lost++;
    if (isWithin({ from: run.at, to: run.at }, folds)) continue;
    if (px - (chain.at(-1)?.x ?? px) >= APART) endChain();
    chain.push({ kind: 'stem', x: px, run, ref: { row: run.row, ordinal: 0 } });
  }
  endChain();
  return { marks, ...tally };
}

const isLost = ({ tone }: GlyphRun): boolean => tone === 'fail';
/** One that is under way when the run ends has no outcome. */
const isKnown = ({ tone }: GlyphRun): boolean => tone !== 'idle';

function columnsOf(chain: readonly Stem[], tally: { most: number }): Columns {
  const columns: { x: CssPx; served: number; lost: number; ref: EventRef; at: number }[] = [];
  for (const { x: px, run, ref } of chain) {
    const left = Math.floor(px / COLUMN) * COLUMN;
    let column = columns.at(-1);
    if (column?.x !== left) {
      column = { x: left, served: 0, lost: 0, ref, at: run.at };
      columns.push(column);
    }
    if (isLost(run)) {
      if (column.lost === 0) Object.assign(column, { ref, at: run.at });
      column.lost++;
    } else if (isKnown(run)) column.served++;
    tally.most = Math.max(tally.most, column.served, column.lost);
  }
  return { kind: 'columns', left: columns[0]?.x ?? 0, right: (columns.at(-1)?.x ?? 0) + COLUMN, columns };
}
