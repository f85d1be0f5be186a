/** Words that come with the first part of the page that asks for them, one language at a time. */
import { use } from 'react';
import { memoized } from '../../base/memoized.ts';
import type { Language } from '../../explain/words/words.ts';
import { useView } from './index.ts';

/** Loads each language once. */
export const lazyWords = <T>(
  load: Readonly<Record<Language, () => Promise<T>>>,
): ((language: Language) => Promise<T>) => memoized((language: Language) => load[language]());

/** The words of the language in use; suspends until they are there. */
export const useLazyWords = <T>(words: (language: Language) => Promise<T>): T =>
  use(words(useView((view) => view.language)));
