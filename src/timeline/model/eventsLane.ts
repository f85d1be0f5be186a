/** Events of a Pod, as `kubectl describe` lists them. */
import { emptyLane, type LaneOwner } from './lane.ts';
import type { GlyphRun, Lane } from './marks.ts';
import { instant } from './podLanes.ts';
import { isKind, type Row } from './rows.ts';

/** Each with its reason; a warning is a box with `!`. */
export function eventsLane(owner: LaneOwner, rows: readonly Row[]): Lane {
  const glyphs = rows.flatMap((row): GlyphRun[] => {
    if (!isKind(row, 'kubeEvent')) return [];
    const { eventType, reason } = row.event.payload;
    return [
      eventType === 'Warning' ? instant(row, 'error', 'fail', reason) : instant(row, 'letter', 'mech', 'N', reason),
    ];
  });
  return { ...emptyLane(owner, 'events', ''), glyphs };
}
