import { lazy, Suspense, useEffect, useMemo, useRef } from 'react';
import type { Micros } from '../../base/units.ts';
import { stateAt } from '../../explain/stateAt.ts';
import { usePlayback, usePod, useScenario, useStrings, useView } from '../shared/index.ts';
import { ObjectView } from './ObjectView.tsx';
import { StatusTables } from './StatusTables.tsx';
import { WhoSees } from './WhoSees.tsx';

/** Brings the texts of the rules along. */
const SelectedEvent = lazy(async () => ({ default: (await import('./SelectedEvent.tsx')).SelectedEvent }));
const LostRequests = lazy(async () => ({ default: (await import('./LostRequests.tsx')).LostRequests }));
const ServiceView = lazy(async () => ({ default: (await import('./ServiceView.tsx')).ServiceView }));
const WorkerChart = lazy(async () => ({ default: (await import('./WorkerChart.tsx')).WorkerChart }));

/** Right: everything that holds at the playhead. */
export function Inspector() {
  const strings = useStrings();
  const pod = usePod();
  const run = useScenario((state) => state.run);
  const playhead = usePlayback((state) => state.playhead);
  const selected = useView((view) => view.selected);
  const state = useMemo(
    () => (run === null || pod === null ? null : stateAt(run, pod, playhead as Micros)),
    [run, pod, playhead],
  );
  const box = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (selected !== null && box.current !== null) box.current.scrollTop = 0; // what was just selected stands on top
  }, [selected]);
  if (run === null) return <section className="inspector" aria-label={strings.openInspector} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={box} className="inspector" aria-label={strings.openInspector} tabIndex={0}>
      <Suspense fallback={null}>{selected !== null && <SelectedEvent run={run} selected={selected} />}</Suspense>
      {state !== null && <WhoSees run={run} state={state} />}
      <Suspense fallback={null}>
        <LostRequests run={run} at={playhead as Micros} />
      </Suspense>
      {state !== null && <ObjectView run={run} state={state} />}
      <Suspense fallback={null}>
        {run.scenario.cluster !== null && <ServiceView run={run} at={playhead as Micros} />}
        {state !== null && <WorkerChart state={state} />}
      </Suspense>
      {state !== null && <StatusTables run={run} state={state} />}
    </section>
  );
}
