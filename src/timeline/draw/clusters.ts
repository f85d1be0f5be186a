/**
 * Glyphs of a lane → what stands on the screen, by density. Pure.
 *
 *     apart            ○      ○      ○
 *     nearer than 16   ○×3         ○×2      the newest of the worst outcomes shows; marks never touch
 *     under 4 px each  ▂▅▅▂▂▅               columns of 3 px; hatched where there is more than one a pixel
 */
import type { CssPx } from '../../base/units.ts';
import type { EventRef } from '../../sim/trace/kinds.ts';
import { type GlyphRun, glyphAt, lastGlyphAt, type Tone } from '../model/marks.ts';
import type { TimeWindow } from '../model/window.ts';
import { isWithin, partsOf, type TimeScale } from '../scale/timeScale.ts';
import { extentOf } from './glyphSizes.ts';

const CLUSTER_GAP: CssPx = 16;
const DENSE_PITCH: CssPx = 4;
export const COLUMN: CssPx = 3;
const DENSE_LEAST = 8;
/** A glyph whose centre is so far outside still reaches into the view. */
const MARGIN: CssPx = 20;

export interface GlyphMark {
  readonly kind: 'glyph';
  readonly x: CssPx;
  /** µs of the glyph that is shown. */
  readonly at: number;
  readonly run: GlyphRun;
  readonly ref: EventRef;
  /** How many glyphs it stands for. */
  readonly count: number;
  /** What is in the box of a `letter`: each letter once, in order of time; '' for other shapes. */
  readonly letters: string;
}
export interface Histogram {
  readonly kind: 'histogram';
  readonly left: CssPx;
  readonly right: CssPx;
  readonly columns: readonly { readonly x: CssPx; readonly count: number; readonly tone: Tone }[];
  /** More than one event a pixel: hatching says "many". */
  readonly many: boolean;
  /** An event in it, for whoever clicks. */
  readonly ref: EventRef;
}
/** Glyphs that share one mark. */
interface Cluster {
  readonly kind: 'cluster';
  readonly members: readonly Placed[];
  readonly mark: GlyphMark;
}
interface Placed {
  readonly x: CssPx;
  readonly run: GlyphRun;
  readonly ordinal: number;
}

/** What is in view of a lane's glyphs, left to right; nothing of what is folded. */
export function clusterGlyphs(
  runs: readonly GlyphRun[],
  x: TimeScale,
  width: CssPx,
  folds: readonly TimeWindow[] = [],
): readonly (GlyphMark | Histogram)[] {
  const parts: (Cluster | Histogram)[] = [];
  let chain: Placed[] = [];
  const endChain = (): void => {
    if (isDense(chain)) parts.push(histogramOf(chain));
    else for (const members of clustersOf(chain)) pushApart(parts, members);
    chain = [];
  };
  const stretches = evenStretches(x, width, folds);
  for (const run of runs) {
    for (const stretch of stretches) {
      const [first, last] = ordinalsWithin(run, stretch);
      if (first > last) continue;
      const pitch = run.period * stretch.pitch;
      if (run.count > 1 && pitch < DENSE_PITCH && last - first >= DENSE_LEAST) {
        endChain();
        parts.push(packedHistogram(run, first, last, x, pitch));
        continue;
      }
      for (let ordinal = first; ordinal <= last; ordinal++) {
        const at = x(glyphAt(run, ordinal));
        if (at - (chain.at(-1)?.x ?? at) >= CLUSTER_GAP) endChain();
        chain.push({ x: at, run, ordinal });
      }
    }
  }
  endChain();
  return parts.map((part) => (part.kind === 'cluster' ? part.mark : part));
}

/** Neighbours all nearer than CLUSTER_GAP, so many that each has less than DENSE_PITCH on average. */
const isDense = (chain: readonly Placed[]): boolean => {
  const [first] = chain;
  const last = chain.at(-1);
  if (first === undefined || last === undefined || chain.length < DENSE_LEAST) return false;
  return last.x - first.x >= CLUSTER_GAP && (last.x - first.x) / chain.length < DENSE_PITCH;
};

/** [from, to) µs with one pitch, px for each µs. */
interface EvenStretch extends TimeWindow {
  readonly pitch: CssPx;
}

/** The parts of the scale, as far as glyphs may show there. */
function evenStretches(x: TimeScale, width: CssPx, folds: readonly TimeWindow[]): readonly EvenStretch[] {
  const all = partsOf(x);
  return all.flatMap(({ from, to, left, right }, i) => {
    if (isWithin({ from, to }, folds)) return [];
    return {
      from: i === 0 ? x.invert(-MARGIN) : from,
      to: i === all.length - 1 ? x.invert(width + MARGIN) : to,
      pitch: (right - left) / (to - from),
    };
  });
}

/** First and last ordinal of a run that may show there; first > last when none does. */
function ordinalsWithin(run: GlyphRun, { from, to }: TimeWindow): readonly [number, number] {
  if (run.at >= to || lastGlyphAt(run) < from) return [1, 0];
  if (run.count === 1) return run.at < from ? [1, 0] : [0, 0];
  const first = Math.max(0, Math.ceil((from - run.at) / run.period));
  return [first, Math.min(run.count - 1, Math.ceil((to - run.at) / run.period) - 1)];
}

/** Members of one cluster are all within CLUSTER_GAP of its first. */
function clustersOf(chain: readonly Placed[]): readonly (readonly Placed[])[] {
  const clusters: Placed[][] = [];
  for (const placed of chain) {
    const last = clusters.at(-1);
    if (last === undefined || placed.x - (last[0]?.x ?? 0) >= CLUSTER_GAP) clusters.push([placed]);
    else last.push(placed);
  }
  return clusters;
}

/** Adds a cluster; those left of it that its mark would touch become part of it. */
function pushApart(parts: (Cluster | Histogram)[], added: readonly Placed[]): void {
  let members = added;
  let mark = markOf(members);
  for (let last = parts.at(-1); last?.kind === 'cluster' && touches(last.mark, mark); last = parts.at(-1)) {
    parts.pop();
    members = [...last.members, ...members];
    mark = markOf(members);
  }
  parts.push({ kind: 'cluster', members, mark });
}

/** The glyph for several, at its own place: the newest of the worst outcomes; a pill begins with its first letter. */
function markOf(members: readonly Placed[]): GlyphMark {
  const { run, ordinal, x } = members.reduce((worst, next) => (isWorse(next, worst) ? next : worst));
  const lettered = members.filter((member) => member.run.shape === 'letter').map((member) => member.run.text);
  return {
    kind: 'glyph',
    x,
    at: glyphAt(run, ordinal),
    run,
    ref: { row: run.row, ordinal },
    count: members.length,
    letters: run.shape === 'letter' ? [...new Set(lettered)].join('') : '',
  };
}

function isWorse(next: Placed, worst: Placed): boolean {
  const by = rank(next.run) - rank(worst.run);
  return by > 0 || (by === 0 && next.run.shape !== 'letter');
}

const touches = (left: GlyphMark, right: GlyphMark): boolean =>
  left.x + extentOf(left).right > right.x - extentOf(right).left;

const SHAPE_RANK: Readonly<Record<GlyphRun['shape'], number>> = {
  tick: 0,
  ring: 1,
  pause: 1,
  letter: 2,
  page: 3,
  arrow: 3,
  success: 4,
  failure: 5,
  error: 6,
  served: 4,
  refused: 5,
  errorAnswer: 5,
  silent: 5,
};
const rank = (run: GlyphRun): number => SHAPE_RANK[run.shape];

function histogramOf(chain: readonly Placed[]): Histogram {
  const columns = new Map<number, { count: number; run: GlyphRun }>();
  for (const { x, run } of chain) {
    const column = Math.floor(x / COLUMN);
    const before = columns.get(column);
    const worst = before === undefined || rank(run) > rank(before.run) ? run : before.run;
    columns.set(column, { count: (before?.count ?? 0) + 1, run: worst });
  }
  const [first] = chain;
  return {
    kind: 'histogram',
    left: first?.x ?? 0,
    right: chain.at(-1)?.x ?? 0,
    columns: [...columns].map(([column, { count, run }]) => ({ x: column * COLUMN, count, tone: run.tone })),
    many: [...columns.values()].some(({ count }) => count > COLUMN),
    ref: { row: first?.run.row ?? 0, ordinal: first?.ordinal ?? 0 },
  };
}

/** By arithmetic, so that a row of a million costs no more than its columns. */
function packedHistogram(run: GlyphRun, first: number, last: number, x: TimeScale, pitch: CssPx): Histogram {
  const left = x(glyphAt(run, first));
  const right = x(glyphAt(run, last));
  const begin = Math.floor(left / COLUMN);
  const upTo = (px: CssPx): number => Math.min(last + 1, Math.max(first, first + Math.ceil((px - left) / pitch)));
  const columns = Array.from({ length: Math.floor(right / COLUMN) - begin + 1 }, (_, i) => {
    const at = (begin + i) * COLUMN;
    return { x: at, count: upTo(at + COLUMN) - upTo(at), tone: run.tone };
  });
  return {
    kind: 'histogram',
    left,
    right,
    columns: columns.filter(({ count }) => count > 0),
    many: pitch < 1,
    ref: { row: run.row, ordinal: first },
  };
}
