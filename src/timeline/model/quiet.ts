/** Stretches of a run in which nothing has an effect: waiting, and doing the same again with the same outcome. */
import type { GlyphRun, Lane, LaneKind } from './marks.ts';
import type { TimeWindow } from './window.ts';

/** µs: what is quiet for no longer stays. */
const LEAST = 2_000_000;
/** µs that stay on both sides, so that what happens there can be seen. */
const ROOM = 500_000;
/** Attempts that may come to the same again and again. */
const OUTCOMES: readonly GlyphRun['shape'][] = [
  'success',
  'failure',
  'error',
  'served',
  'refused',
  'errorAnswer',
  'silent',
];
/** What goes on without an effect, and what only tells of others. */
const ROUTINE: readonly GlyphRun['shape'][] = ['tick', 'ring', 'pause'];
const ECHOES: readonly LaneKind[] = ['events', 'lease'];

/** In order, within [0, horizon]; `also`: other instants at which something happens, µs. */
export function quietStretches(
  lanes: readonly Pick<Lane, 'kind' | 'bands' | 'glyphs'>[],
  also: readonly number[],
  horizon: number,
): readonly TimeWindow[] {
  const effects = lanes.filter(({ kind }) => !ECHOES.includes(kind)).flatMap((lane) => [...effectsOn(lane)]);
  const instants = [0, ...effects, ...also, horizon].filter((at) => at >= 0 && at <= horizon).sort((a, b) => a - b);
  return instants.flatMap((from, i) => {
    const to = instants[i + 1] ?? from;
    return to - from > LEAST ? [{ from: from + ROOM, to: to - ROOM }] : [];
  });
}

function* effectsOn({ bands, glyphs }: Pick<Lane, 'bands' | 'glyphs'>): Iterable<number> {
  for (const { from } of bands) yield from;
  let outcome: GlyphRun['shape'] | null = null;
  for (const { at, shape } of glyphs) {
    if (ROUTINE.includes(shape) || shape === outcome) continue;
    if (OUTCOMES.includes(shape)) outcome = shape;
    yield at;
  }
}
