/** What paths and the why card say: comes with the first panel that asks for it, one language at a time. */
import { use } from 'react';
import { memoized } from '../../base/memoized.ts';
import type { PathWords } from '../../explain/words/pathWords.ts';
import type { Language } from '../../explain/words/words.ts';
import { useView } from './index.ts';

const load = memoized(
  (language: Language): Promise<PathWords> =>
    language === 'en'
      ? import('../../explain/words/pathEn.ts').then(({ pathEn }) => pathEn)
      : import('../../explain/words/pathZh.ts').then(({ pathZh }) => pathZh),
);

/** Suspends until they are there. */
export const usePathWords = (): PathWords => use(load(useView((view) => view.language)));
