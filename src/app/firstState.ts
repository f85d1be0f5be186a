/** Where the page starts: from a link, else from what the browser remembers. */

import type { LinkProblem, LinkState } from '../io/link/link.ts';
import type { Draft } from '../state/scenarioStore.ts';
import { type Preferences, storedPreferences } from './preferences.ts';

export interface FirstState {
  /** Undefined: the first example. */
  readonly draft: Draft | undefined;
  readonly view: Preferences;
  /** Playhead and window of the link; null without one. */
  readonly linked: Pick<LinkState, 'playhead' | 'window'> | null;
  readonly problem: LinkProblem | null;
}

/** `hash` as in the address: empty, `#v1.…`, or anything else that somebody typed. */
export async function firstState(hash: string): Promise<FirstState> {
  const view = storedPreferences();
  if (!/^#v\d/.test(hash)) return { draft: undefined, view, linked: null, problem: null };
  const { decodeLink } = await import('../io/link/link.ts');
  const result = decodeLink(hash);
  if (!result.ok) return { draft: undefined, view, linked: null, problem: result.problem };
  const { text, overrides, playhead, window, language } = result.value;
  return {
    draft: { text, overrides },
    view: { ...view, language: language ?? view.language },
    linked: { playhead, window },
    problem: null,
  };
}
