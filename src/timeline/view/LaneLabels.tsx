import { memo } from 'react';
import type { CssPx } from '../../base/units.ts';
import { type Layout, type LayoutRow, rowsWithin } from '../model/layout.ts';
import type { TimelineWords } from './source.ts';

interface LaneLabelsProps {
  readonly layout: Layout;
  readonly words: TimelineWords;
  /** Only rows in [from, to) px are in the page. */
  readonly from: CssPx;
  readonly to: CssPx;
  readonly toggleGroup: (groupId: string) => void;
}

/** Names of groups and lanes, left of their marks. */
export const LaneLabels = memo(function LaneLabels({ layout, words, from, to, toggleGroup }: LaneLabelsProps) {
  return (
    <div className="lane-labels" style={{ height: layout.height }}>
      {rowsWithin(layout, from, to).map((row) => (
        <div key={keyOf(row)} className={`lane-label ${row.kind}`} style={{ top: row.top, height: row.height }}>
          {row.kind === 'group' ? (
            <button
              type="button"
              className="lane-group"
              aria-expanded={!row.folded}
              onClick={() => toggleGroup(row.group.id)}
            >
              <span className="chevron" aria-hidden="true" />
              <span>{words.groupKind(row.group)}</span>
              <span className="lane-group-title" title={row.group.title}>
                {row.group.title}
              </span>
            </button>
          ) : (
            <>
              <span className="lane-title">{words.laneTitle(row.lane)}</span>
              <span className="lane-note">{words.laneNote(row.lane)}</span>
            </>
          )}
        </div>
      ))}
    </div>
  );
});

const keyOf = (row: LayoutRow): string => (row.kind === 'group' ? row.group.id : row.lane.id);
