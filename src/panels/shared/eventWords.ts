import type { EventWords } from '../../explain/words/words.ts';
import { lazyWords, useLazyWords } from './lazyWords.ts';

const words = lazyWords<EventWords>({
  en: () => import('../../explain/words/eventEn.ts').then(({ eventEn }) => eventEn),
  zh: () => import('../../explain/words/eventZh.ts').then(({ eventZh }) => eventZh),
});

/** What events are called. */
export const useEventWords = (): EventWords => useLazyWords(words);
