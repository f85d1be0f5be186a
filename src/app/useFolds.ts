import { useEffect } from 'react';
import { boundsOf, stretchesOf, useStores } from '../panels/shared/index.ts';
import { besideFold } from '../timeline/scale/timeWindow.ts';

/** The window is never the middle of a fold, whatever has put it there: a link, the run, or folding itself. */
export function useFolds(): void {
  const stores = useStores();
  useEffect(() => {
    const { scenario, view } = stores;
    const look = (): void => {
      const { window } = view.getState();
      const { run } = scenario.getState();
      if (window === null || run === null) return;
      const beside = besideFold(window, { bounds: boundsOf(run), stretches: stretchesOf(stores) });
      if (beside !== window) view.setState({ window: beside });
    };
    look();
    return view.subscribe(look);
  }, [stores]);
}
