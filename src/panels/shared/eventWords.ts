/** What events are called: comes with the first part of the page that asks for it, one language at a time. */
import { use } from 'react';
import { memoized } from '../../base/memoized.ts';
import type { EventWords, Language } from '../../explain/words/words.ts';
import { useView } from './index.ts';

const load = memoized(
  (language: Language): Promise<EventWords> =>
    language === 'en'
      ? import('../../explain/words/eventEn.ts').then(({ eventEn }) => eventEn)
      : import('../../explain/words/eventZh.ts').then(({ eventZh }) => eventZh),
);

/** Suspends until they are there. */
export const useEventWords = (): EventWords => use(load(useView((view) => view.language)));
