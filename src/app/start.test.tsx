import { beforeEach, describe, expect, it, vi } from 'vitest';
import { encodeLink } from '../io/link/link.ts';
import { createViewStore } from '../state/viewStore.ts';
import { firstState } from './firstState.ts';
import { rememberPreferences, storedPreferences } from './preferences.ts';

const prefersDark = (matches: boolean): void => {
  vi.stubGlobal('matchMedia', () => ({ matches, addEventListener: () => {} }));
};

beforeEach(() => {
  localStorage.clear();
  prefersDark(false);
});

describe('preferences', () => {
  it('follow the system and the browser where nothing was kept', () => {
    expect(storedPreferences()).toEqual({ theme: 'system', language: 'en' });
  });

  it('are kept for the next visit', () => {
    const view = createViewStore(storedPreferences());
    rememberPreferences(view);
    view.setState({ theme: 'dark', language: 'zh' });
    expect(storedPreferences()).toEqual({ theme: 'dark', language: 'zh' });
    expect(document.documentElement.dataset.theme).toBe('dark');
    expect(document.documentElement.lang).toBe('zh-CN');
  });

  it('show the system theme on the page', () => {
    prefersDark(true);
    rememberPreferences(createViewStore(storedPreferences()));
    expect(document.documentElement.dataset.theme).toBe('dark');
  });

  it.each([['no JSON'], ['[]'], ['null'], ['{"theme":"pink","language":7}']])(
    'survive a store that holds %s',
    (kept) => {
      localStorage.setItem('podtopool/preferences', kept);
      expect(storedPreferences()).toEqual({ theme: 'system', language: 'en' });
    },
  );
});

describe('firstState', () => {
  it('is the first example without a link', async () => {
    expect(await firstState('')).toMatchObject({ draft: undefined, linked: null, problem: null });
  });

  it('leaves a fragment alone that is no link', async () => {
    expect(await firstState('#lanes')).toMatchObject({ draft: undefined, problem: null });
  });

  it('takes scenario, playhead and language from a link', async () => {
    const text = 'kind: Pod\napiVersion: v1\nmetadata: {name: web}\nspec: {containers: [{name: app, image: x}]}\n';
    const link = encodeLink({ text, overrides: [], playhead: null, window: null, language: 'zh' }, { fullText: true });
    const first = await firstState(link.ok ? link.value : '');
    expect(first.draft?.text).toBe(text);
    expect(first.view.language).toBe('zh');
    expect(first.linked).toEqual({ playhead: null, window: null });
  });

  it('says what is wrong with a damaged link, and starts with the first example', async () => {
    const first = await firstState('#v1.d.AAAA');
    expect(first.problem?.kind).toBe('damaged');
    expect(first.draft).toBeUndefined();
  });
});
