import { type CSSProperties, Fragment, memo, type ReactNode } from 'react';
import type { CssPx } from '../../base/units.ts';
import { type Layout, type LayoutRow, rowsWithin } from '../model/layout.ts';
import type { LaneKind } from '../model/marks.ts';
import type { TimelineWords } from './source.ts';

interface LaneLabelsProps {
  readonly layout: Layout;
  readonly words: TimelineWords;
  /** Only rows in [from, to) px are in the page. */
  readonly from: CssPx;
  readonly to: CssPx;
  /** The lane that the keys act on; null for none. */
  readonly lane: string | null;
  readonly toggle: (id: string) => void;
  readonly focusLane: (laneId: string) => void;
}

/** Names of groups and lanes, left of their marks. */
export const LaneLabels = memo(function LaneLabels(props: LaneLabelsProps) {
  const { layout, words, from, to, lane, toggle, focusLane } = props;
  return (
    <div className="lane-labels" style={{ height: layout.height }}>
      {rowsWithin(layout, from, to).map((row) => {
        const style = { top: row.top, height: row.height };
        return row.kind === 'group' ? (
          <GroupLabel key={row.group.id} row={row} words={words} style={style} toggle={toggle} />
        ) : (
          <LaneLabel
            key={row.lane.id}
            row={row}
            words={words}
            style={style}
            isFocused={row.lane.id === lane}
            focus={focusLane}
            toggle={toggle}
          />
        );
      })}
    </div>
  );
});

interface GroupLabelProps {
  readonly row: LayoutRow & { readonly kind: 'group' };
  readonly words: TimelineWords;
  readonly style: CSSProperties;
  readonly toggle: (id: string) => void;
}

/** Unfolded, a long title may run over the canvas: nothing is drawn in a group's row then. */
function GroupLabel({ row: { group, folded, details }, words, style, toggle }: GroupLabelProps) {
  return (
    <div className={`lane-label group${folded ? '' : ' open'}`} style={style}>
      <button type="button" className="lane-group" aria-expanded={!folded} onClick={() => toggle(group.id)}>
        <span className="chevron" aria-hidden="true" />
        {words.groupKind(group) !== '' && <span>{words.groupKind(group)}</span>}
        <span className="lane-group-title" title={group.title}>
          {group.title}
        </span>
      </button>
      {details !== null && (
        <button
          type="button"
          className="lane-details"
          aria-expanded={!details.folded}
          onClick={() => toggle(details.id)}
        >
          {details.folded ? words.moreLanes(details.count) : words.fewerLanes(details.count)}
        </button>
      )}
    </div>
  );
}

/** Lanes that unfold below another. */
const PARTS: readonly LaneKind[] = ['channel', 'endpoint'];

interface LaneLabelProps {
  readonly row: LayoutRow & { readonly kind: 'lane' };
  readonly words: TimelineWords;
  readonly style: CSSProperties;
  readonly isFocused: boolean;
  readonly focus: (laneId: string) => void;
  readonly toggle: (id: string) => void;
}

function LaneLabel({ row: { lane, folded }, words, style, isFocused, focus, toggle }: LaneLabelProps) {
  const [title, note] = [words.laneTitle(lane), words.laneNote(lane)];
  return (
    <div
      className={`lane-label lane${PARTS.includes(lane.kind) ? ' part' : ''}${isFocused ? ' focused' : ''}`}
      style={style}
    >
      {folded !== null && (
        <button
          type="button"
          className="lane-unfold"
          aria-expanded={!folded}
          aria-label={words.laneParts(lane)}
          title={words.laneParts(lane)}
          onClick={() => toggle(lane.id)}
        >
          <span className="chevron" aria-hidden="true" />
        </button>
      )}
      {/* Up and Down reach it too, so that it is no stop of the Tab key. */}
      <button
        type="button"
        className="lane-name"
        tabIndex={-1}
        aria-pressed={isFocused}
        title={note === '' ? title : `${title}: ${note}`}
        onClick={() => focus(lane.id)}
      >
        <span className="lane-title">{breakable(title)}</span>
        {note !== '' && <span className={`lane-note${words.needsNote(lane) ? ' needed' : ''}`}>{note}</span>}
      </button>
      {isFocused && (
        <span className="visually-hidden" role="status">
          {title} {note}
        </span>
      )}
    </div>
  );
}

/** `PodReadyToStartContainers` may break before a capital: a name is never cut. */
function breakable(title: string): ReactNode {
  const humps = title.split(/(?<=[a-z])(?=[A-Z])/);
  return humps.map((hump, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {hump}
    </Fragment>
  ));
}
