import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { formatDuration } from '../../base/format.ts';
import { isSameEvent } from '../../explain/causes.ts';
import type { EventRef } from '../../sim/trace/kinds.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { markPainted } from '../../state/paintTiming.ts';
import type { ViewState } from '../../state/viewStore.ts';
import type { Hit } from '../../timeline/draw/hit.ts';
import { actionFlags } from '../../timeline/model/actionFlags.ts';
import type { Density } from '../../timeline/model/layout.ts';
import type { TimelineSource } from '../../timeline/view/source.ts';
import { Timeline } from '../../timeline/view/Timeline.tsx';
import {
  boundsOf,
  endMagnify,
  foldedIds,
  groupsOf,
  isFolded,
  moveActionTo,
  removeActionOf,
  type Stores,
  select,
  setWindow,
  shownLanes,
  stretchesOf,
  useStores,
  useView,
} from '../shared/index.ts';
import type { EditedAction } from './ActionEditor.tsx';
import { hopsOf, litChain, NOTHING_LIT, pathChain, thinPath } from './chain.ts';
import { ghostBands } from './ghost.ts';
import { Progress } from './Progress.tsx';
import { useTimelineWords } from './useTimelineWords.ts';

/** Brings the texts of the rules along. */
const HoverCard = lazy(async () => ({ default: (await import('./HoverCard.tsx')).HoverCard }));

const ActionEditor = lazy(async () => ({ default: (await import('./ActionEditor.tsx')).ActionEditor }));

export interface Hovered {
  readonly hit: Hit;
  readonly x: number;
  readonly y: number;
}

/** The lanes of the last run. */
export function TimelinePanel({ run, theme }: { readonly run: FinishedRun; readonly theme: string }) {
  const stores = useStores();
  const groups = groupsOf(run);
  const flags = useMemo(() => actionFlags(run.reader), [run]);
  const folded = useFolded(run);
  const lane = useView((view) => view.lane);
  const bounds = useBounds(run);
  const density = useDensity();
  const words = useTimelineWords(run);
  const [hovered, setHovered] = useState<Hovered | null>(null);
  const [edited, setEdited] = useState<EditedAction | null>(null);
  const source = useMemo(() => sourceOf(stores, setHovered, setEdited), [stores]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a card of another run speaks of other events
  useEffect(() => setHovered(null), [run]);
  return (
    <>
      <Timeline
        groups={groups}
        flags={flags}
        folded={folded}
        density={density}
        bounds={bounds}
        horizon={run.reader.data.horizon}
        lane={lane}
        source={source}
        words={words}
        theme={theme}
        progress={PROGRESS}
      />
      <Suspense fallback={null}>
        {hovered !== null && <HoverCard run={run} hovered={hovered} />}
        {edited !== null && (
          <ActionEditor
            edited={edited}
            follow={(at) => setEdited({ ...edited, action: { ...edited.action, at } })}
            close={() => setEdited(null)}
          />
        )}
      </Suspense>
    </>
  );
}

const shownIds = (run: FinishedRun, folds: ViewState['folds']): ReadonlySet<string> =>
  new Set(shownLanes(run, folds).map(({ id }) => id));

const PROGRESS = <Progress />;

function sourceOf(
  stores: Stores,
  setHovered: (hovered: Hovered | null) => void,
  setEdited: (edited: EditedAction) => void,
): TimelineSource {
  const { scenario, view, playback } = stores;
  const listeners = new Set<() => void>();
  let hovered: EventRef | null = null;
  let hoveredIn: FinishedRun | null = null;
  let chain = NOTHING_LIT;
  let chainFor: readonly unknown[] = [];
  const litNow = () => {
    const { run } = scenario.getState();
    const { selected, folds, path, litPath } = view.getState();
    const now = [run, selected, folds, path, litPath];
    if (now.some((part, i) => part !== chainFor[i])) {
      if (run === null) chain = NOTHING_LIT;
      else if (selected !== null) chain = litChain(run, selected, shownIds(run, folds));
      else if (litPath?.run === run) chain = pathChain(litPath, shownIds(run, folds));
      else chain = path?.run === run ? thinPath(path, shownIds(run, folds)) : NOTHING_LIT;
      chainFor = now;
    }
    return chain;
  };
  const litWithHover = () => {
    const { run } = scenario.getState();
    const lit = litNow();
    if (run === null || hovered === null || hoveredIn !== run) return lit;
    return { ...lit, links: [...lit.links, ...hopsOf(run, hovered, shownIds(run, view.getState().folds))] };
  };
  const ghostNow = () => {
    const { ghost, run } = scenario.getState();
    return ghost === null || ghost === run ? null : ghostBands(ghost, view.getState().folds);
  };
  return {
    subscribe: (changed) => {
      const onGhost = scenario.subscribe(({ ghost }, before) => {
        if (ghost !== before.ghost) changed();
      });
      const stops = [view.subscribe(changed), playback.subscribe(changed), onGhost];
      listeners.add(changed);
      return () => {
        for (const stop of stops) stop();
        listeners.delete(changed);
      };
    },
    state: () => ({
      window: view.getState().window ?? { from: 0, to: scenario.getState().run?.reader.data.horizon ?? 1 },
      stretches: stretchesOf(stores),
      playhead: playback.getState().playhead,
      ghost: ghostNow(),
      ...litWithHover(),
    }),
    setWindow: (window) => setWindow(stores, window),
    endMagnify: () => endMagnify(stores),
    setPlayhead: (at) => {
      const end = scenario.getState().run?.reader.data.horizon ?? 0;
      playback.setState({ playhead: Math.min(end, Math.max(0, at)), playing: false });
    },
    moveAction: (flag, to) => moveActionTo(stores, flag, to),
    openAction: ({ action, at }, { left, bottom }) => setEdited({ action: { action, at }, left, bottom }),
    removeAction: (flag) => void removeActionOf(stores, flag),
    select: (ref) => (ref === null ? view.setState({ selected: null }) : select(stores, ref)),
    toggle: (id) => {
      const { folds } = view.getState();
      const { run } = scenario.getState();
      if (run !== null) view.setState({ folds: new Map(folds).set(id, !isFolded(run, folds, id)) });
    },
    focusLane: (lane) => view.setState({ lane: view.getState().lane === lane ? null : lane }),
    hover: (hit, x, y) => {
      setHovered(hit === null ? null : { hit, x, y });
      const ref = hit?.ref ?? null;
      if (ref === hovered || (ref !== null && hovered !== null && isSameEvent(ref, hovered))) return;
      hovered = ref;
      hoveredIn = scenario.getState().run;
      for (const listener of listeners) listener();
    },
    painted: markPainted,
  };
}

function useFolded(run: FinishedRun): ReadonlySet<string> {
  const folds = useView((view) => view.folds);
  return useMemo(() => foldedIds(run, folds), [run, folds]);
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
