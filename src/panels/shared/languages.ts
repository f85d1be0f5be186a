import type { Strings } from '../../app/strings/en.ts';
import { en } from '../../app/strings/en.ts';
import { en as enWords } from '../../explain/words/en.ts';
import type { Language, Words } from '../../explain/words/words.ts';

interface Spoken {
  readonly strings: Strings;
  readonly words: Words;
}

const ENGLISH: Spoken = { strings: en, words: enWords };
const loaded = new Map<Language, Spoken>([['en', ENGLISH]]);

/** What the page says in a language; English until that one has been loaded. */
export const spoken = (language: Language): Spoken => loaded.get(language) ?? ENGLISH;

/** Loads the words of a language: to be awaited before the page shows it. Gives the one that can be shown: English where loading fails. */
export async function loadLanguage(language: Language): Promise<Language> {
  if (loaded.has(language)) return language;
  try {
    const [{ zh }, { zh: words }] = await Promise.all([
      import('../../app/strings/zh.ts'),
      import('../../explain/words/zh.ts'),
    ]);
    loaded.set(language, { strings: zh, words });
    return language;
  } catch {
    return 'en'; // the server is gone; the page goes on
  }
}
