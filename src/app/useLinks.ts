import { type RefObject, useEffect, useRef, useState } from 'react';
import type { LinkProblem } from '../io/link/link.ts';
import { loadLanguage, useStores } from '../panels/shared/index.ts';
import { type FirstState, firstState } from './firstState.ts';

export interface Links {
  /** Playhead and window of a link whose run has not come yet; whoever shows that run takes them. */
  readonly linked: RefObject<FirstState['linked']>;
  /** Why the last link could not be opened. */
  readonly problem: LinkProblem | null;
  readonly dismiss: () => void;
}

/** Opens links that come while the page is open: typed into the address, or by back and forward. Undo brings the old scenario back. */
export function useLinks(first: Pick<FirstState, 'linked' | 'problem'>): Links {
  const { scenario, view } = useStores();
  const linked = useRef(first.linked);
  const [problem, setProblem] = useState(first.problem);
  useEffect(() => {
    const follow = async (): Promise<void> => {
      const { hash } = globalThis.location;
      const next = await firstState(hash);
      const language = await loadLanguage(next.view.language);
      if (hash !== globalThis.location.hash) return; // another one came meanwhile
      setProblem(next.problem);
      if (next.draft === undefined) return;
      linked.current = next.linked;
      view.setState({ language });
      void scenario.getState().open(next.draft);
    };
    const onHashChange = (): void => void follow();
    globalThis.addEventListener('hashchange', onHashChange);
    return () => globalThis.removeEventListener('hashchange', onHashChange);
  }, [scenario, view]);
  return { linked, problem, dismiss: () => setProblem(null) };
}
