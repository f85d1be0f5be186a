/** Where most of a path happens at once: what a card about it magnifies. */
import type { Budget } from '../../explain/hops.ts';
import type { TimeWindow } from '../../timeline/model/window.ts';

/** Fewer ends of hops are no burst. */
const LEAST_ENDS = 3;
/** Room on both sides, a share of the burst. */
const ROOM = 0.1;
/** A burst that fills so much of the window is large enough as it is. */
const LARGE = 1 / 4;

/** The stretch of the window of at most about `length` µs with the most ends of hops; null where the window shows it well, or there is none. */
export function burstOf({ from, hops }: Budget, window: TimeWindow, length: number): TimeWindow | null {
  const inView = (at: number): boolean => at >= window.from && at <= window.to;
  const ends = [from, ...hops.flatMap(({ to }) => to ?? [])].filter((at, i, all) => at !== all[i - 1] && inView(at));
  const within = ends.map((first) => ends.filter((at) => at >= first && at <= first + length));
  const burst = within.reduce((most, some) => (some.length > most.length ? some : most), []);
  const [first, last] = [burst[0], burst.at(-1)];
  if (first === undefined || last === undefined || burst.length < LEAST_ENDS) return null;
  if (last - first > LARGE * (window.to - window.from)) return null;
  const half = Math.max(length / 2, (0.5 + ROOM) * (last - first));
  return { from: (first + last) / 2 - half, to: (first + last) / 2 + half };
}
