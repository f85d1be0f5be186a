import { useEffect } from 'react';
import type { Budget } from '../../explain/hops.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { useStores } from '../shared/index.ts';
import { drawnPath } from './drawnPath.ts';

/** The path of a budget stands over the lanes while the panel is there: thin as `path`, lit as `litPath`. */
export function useDrawnPath(as: 'path' | 'litPath', run: FinishedRun, budget: Budget | null): void {
  const { view } = useStores();
  useEffect(() => {
    view.setState({ [as]: drawnPath(run, budget) });
    return () => view.setState({ [as]: null });
  }, [view, as, run, budget]);
}
