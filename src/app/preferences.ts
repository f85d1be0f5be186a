/** What belongs to the browser and not to a scenario: theme and language. */
import type { Language } from '../explain/words/words.ts';
import type { Theme, ViewStore } from '../state/viewStore.ts';

export interface Preferences {
  readonly theme: Theme;
  readonly language: Language;
}
const KEY = 'podtopool/preferences';

/** What was kept, and what the browser prefers where nothing was. */
export function storedPreferences(): Preferences {
  const kept = readKept();
  const theme = (['light', 'dark'] as const).find((name) => name === kept.theme) ?? 'system';
  const language = (['en', 'zh'] as const).find((name) => name === kept.language);
  return { theme, language: language ?? (navigator.language.startsWith('zh') ? 'zh' : 'en') };
}

function readKept(): { readonly theme?: unknown; readonly language?: unknown } {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? kept : {};
  } catch {
    return {}; // storage is off, or holds something else
  }
}

/** Keeps them from now on, and puts theme and language on the page. */
export function rememberPreferences(view: ViewStore): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const show = (): void => {
    const { theme, language } = view.getState();
    document.documentElement.dataset.theme = theme === 'system' ? (system.matches ? 'dark' : 'light') : theme;
    document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
  };
  show();
  system.addEventListener('change', () => {
    show();
    view.setState({});
  });
  view.subscribe(({ theme, language }, before) => {
    if (theme === before.theme && language === before.language) return;
    show();
    try {
      localStorage.setItem(KEY, JSON.stringify({ theme, language }));
    } catch {
      // storage is off: the choice lasts as long as the page
    }
  });
}
