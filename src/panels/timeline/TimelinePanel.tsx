import { useEffect, useMemo, useState } from 'react';
import { formatDuration } from '../../base/format.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { markPainted } from '../../state/paintTiming.ts';
import type { Hit } from '../../timeline/draw/hit.ts';
import { buildGroups } from '../../timeline/model/buildGroups.ts';
import type { Density } from '../../timeline/model/layout.ts';
import type { LaneGroup } from '../../timeline/model/marks.ts';
import type { TimelineSource } from '../../timeline/view/source.ts';
import { Timeline } from '../../timeline/view/Timeline.tsx';
import { boundsOf, type Stores, select, setWindow, useScenario, useStores, useView } from '../shared/index.ts';
import { litChain, NOTHING_LIT } from './chain.ts';
import { HoverCard } from './HoverCard.tsx';
import { Progress } from './Progress.tsx';
import { useTimelineWords } from './useTimelineWords.ts';

export interface Hovered {
  readonly hit: Hit;
  readonly x: number;
  readonly y: number;
}

/** The lanes of the last run. */
export function TimelinePanel({ run, theme }: { readonly run: FinishedRun; readonly theme: string }) {
  const stores = useStores();
  const groups = useMemo(() => buildGroups(run), [run]);
  const folded = useFolded(groups);
  const bounds = useBounds(run);
  const density = useDensity();
  const words = useTimelineWords(run);
  const [hovered, setHovered] = useState<Hovered | null>(null);
  const source = useMemo(() => sourceOf(stores, setHovered), [stores]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a card of another run speaks of other events
  useEffect(() => setHovered(null), [run]);
  return (
    <>
      <Timeline
        groups={groups}
        folded={folded}
        density={density}
        bounds={bounds}
        source={source}
        words={words}
        theme={theme}
        progress={PROGRESS}
      />
      {hovered !== null && <HoverCard run={run} hovered={hovered} />}
    </>
  );
}

const PROGRESS = <Progress />;

function sourceOf(stores: Stores, setHovered: (hovered: Hovered | null) => void): TimelineSource {
  const { scenario, view, playback } = stores;
  let chain = NOTHING_LIT;
  let chainFor: readonly unknown[] = [];
  const litNow = () => {
    const { run } = scenario.getState();
    const { selected } = view.getState();
    if (chainFor[0] !== run || chainFor[1] !== selected) {
      chain = run === null ? NOTHING_LIT : litChain(run, selected);
      chainFor = [run, selected];
    }
    return chain;
  };
  return {
    subscribe: (changed) => {
      const stops = [view.subscribe(changed), playback.subscribe(changed)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    state: () => ({
      window: view.getState().window ?? { from: 0, to: scenario.getState().run?.reader.data.horizon ?? 1 },
      playhead: playback.getState().playhead,
      ...litNow(),
    }),
    setWindow: (window) => setWindow(stores, window),
    setPlayhead: (at) => {
      const end = scenario.getState().run?.reader.data.horizon ?? 0;
      playback.setState({ playhead: Math.min(end, Math.max(0, at)), playing: false });
    },
    select: (ref) => (ref === null ? view.setState({ selected: null }) : select(stores, ref)),
    toggleGroup: (groupId) => {
      const { folds } = view.getState();
      view.setState({
        folds: new Map(folds).set(groupId, !(folds.get(groupId) ?? foldedAtFirst(groupId, scenario.getState().run))),
      });
    },
    hover: (hit, x, y) => setHovered(hit === null ? null : { hit, x, y }),
    painted: markPainted,
  };
}

/** With several Pods only the first comes unfolded; with many none does. */
const FEW_PODS = 4;
function foldedAtFirst(groupId: string, run: FinishedRun | null): boolean {
  const pods = run?.scenario.pods ?? [];
  if (pods.length < 2 || !groupId.startsWith('pod|')) return false;
  return pods.length > FEW_PODS || groupId !== `pod|${pods[0]?.identity}`;
}

function useFolded(groups: readonly LaneGroup[]): ReadonlySet<string> {
  const folds = useView((view) => view.folds);
  const run = useScenario((state) => state.run);
  return useMemo(
    () => new Set(groups.map(({ id }) => id).filter((id) => folds.get(id) ?? foldedAtFirst(id, run))),
    [groups, folds, run],
  );
}

/** The same object while the horizon is the same, so that a drag of a slider sets up nothing anew. */
function useBounds(run: FinishedRun) {
  const { from, to } = boundsOf(run);
  return useMemo(() => ({ from, to }), [from, to]);
}

function densityNow(): Density {
  if (window.innerWidth < 720) return 'phone';
  return window.innerWidth < 1440 || window.innerHeight < 800 ? 'compact' : 'comfortable';
}
function useDensity(): Density {
  const [density, setDensity] = useState(densityNow);
  useEffect(() => {
    const update = (): void => setDensity(densityNow());
    window.addEventListener('resize', update);
    return () => window.removeEventListener('resize', update);
  }, []);
  return density;
}

/** `43 ms before the playhead`. */
export const distanceText = (
  length: number,
  words: { readonly before: (t: string) => string; readonly after: (t: string) => string; readonly atPlayhead: string },
): string => {
  if (length === 0) return words.atPlayhead;
  return length < 0 ? words.before(formatDuration(-length)) : words.after(formatDuration(length));
};
