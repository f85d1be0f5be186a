import type { PathWords } from '../../explain/words/pathWords.ts';
import { lazyWords, useLazyWords } from './lazyWords.ts';

const words = lazyWords<PathWords>({
  en: () => import('../../explain/words/pathEn.ts').then(({ pathEn }) => pathEn),
  zh: () => import('../../explain/words/pathZh.ts').then(({ pathZh }) => pathZh),
});

/** What paths and the why card say. */
export const usePathWords = (): PathWords => useLazyWords(words);
