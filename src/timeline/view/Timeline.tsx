import { lazy, memo, type ReactNode, Suspense, useMemo } from 'react';
import type { ActionFlag } from '../model/actionFlags.ts';
import { type Density, layOut } from '../model/layout.ts';
import type { LaneGroup } from '../model/marks.ts';
import type { TimeWindow } from '../model/window.ts';
import { Lanes } from './Lanes.tsx';
import { Ruler } from './Ruler.tsx';
import type { TimelineSource, TimelineWords } from './source.ts';

/** Brings the brush along; the lanes come first. */
const Overview = lazy(async () => ({ default: (await import('./Overview.tsx')).Overview }));

export interface TimelineProps {
  readonly groups: readonly LaneGroup[];
  /** What people and other programs do. */
  readonly flags: readonly ActionFlag[];
  readonly folded: ReadonlySet<string>;
  readonly density: Density;
  /** The whole run. */
  readonly bounds: TimeWindow;
  /** End of the run, µs. */
  readonly horizon: number;
  readonly source: TimelineSource;
  readonly words: TimelineWords;
  /** Changes when colours do. */
  readonly theme: string;
  /** The lane that the keys act on; null for none. */
  readonly lane: string | null;
  /** Between ruler and lanes: the bar that shows progress. */
  readonly progress: ReactNode;
}

/** Overview, ruler and lanes over one window of time. Scrubbing and zooming paint; they do not render. */
export const Timeline = memo(function Timeline(props: TimelineProps) {
  const { groups, flags, folded, density, bounds, horizon, source, words, theme, lane, progress } = props;
  const layout = useMemo(() => layOut(groups, folded, density), [groups, folded, density]);
  const lanes = useMemo(() => layout.rows.flatMap((row) => (row.kind === 'lane' ? [row.lane] : [])), [layout]);
  const shared = { source, bounds, words };
  return (
    <div className={`timeline${flags.length > 0 ? ' has-actions' : ''}`}>
      <div className="timeline-head overview-label">
        {words.overview}
        <span className="quiet">{words.overviewSpan(horizon)}</span>
      </div>
      <Suspense fallback={<div className="overview" />}>
        <Overview groups={groups} theme={theme} {...shared} />
      </Suspense>
      <div className="timeline-head ruler-label">{words.lanes(lanes.length, layout.laneCount)}</div>
      <Ruler lanes={lanes} flags={flags} horizon={horizon} {...shared} />
      <div className="timeline-progress">{progress}</div>
      <Lanes layout={layout} theme={theme} lane={lane} {...shared} />
    </div>
  );
});
