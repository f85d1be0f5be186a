/** A rule of Kubernetes in words. */
import type { Language } from './words/words.ts';

export interface Rule {
  /** Path in kubernetes/kubernetes. */
  readonly source: string;
  /** Function or type in it. */
  readonly symbol: string;
  readonly text: Readonly<Record<Language, string>>;
}

export const rule = (source: string, symbol: string, en: string, zh: string): Rule => ({
  source,
  symbol,
  text: { en, zh },
});
