import { useSyncExternalStore } from 'react';

/** Regions stand one at a time; the style sheet has the same limit. */
export const PHONE = '(max-width: 719px)';

/** Whether a media query holds; renders again when that changes. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = matchMedia(query);
      media.addEventListener('change', changed);
      return () => media.removeEventListener('change', changed);
    },
    () => matchMedia(query).matches,
  );
}
