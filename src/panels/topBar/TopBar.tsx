import { ChevronDown, CircleHelp, Languages, List, Monitor, Moon, Rows3, Share2, Sun } from 'lucide-react';
import { Suspense, useRef } from 'react';
import { en } from '../../app/strings/en.ts';
import type { Theme, ViewStore } from '../../state/viewStore.ts';
import { Logo } from '../../ui/icons.tsx';
import {
  ExampleButtons,
  KubernetesSelect,
  loadLanguage,
  useScenario,
  useStores,
  useStrings,
  useView,
} from '../shared/index.ts';

const NEXT_THEME: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const THEME_ICON = { system: Monitor, light: Sun, dark: Moon } as const;

async function switchLanguage(view: ViewStore): Promise<void> {
  view.setState({ language: await loadLanguage(view.getState().language === 'en' ? 'zh' : 'en') });
}

/** Name, example, version and seed; then what concerns the whole page. */
export function TopBar({ onShare }: { readonly onShare: () => void }) {
  const strings = useStrings();
  const { view } = useStores();
  const theme = useView((state) => state.theme);
  const language = useView((state) => state.language);
  const listOpen = useView((state) => state.listOpen);
  const seed = useScenario((state) => state.run?.scenario.seed ?? null);
  const ThemeIcon = THEME_ICON[theme];
  const listTitle = listOpen ? strings.closeList : strings.openList;
  return (
    <header className="top-bar">
      <h1 className="brand">
        <Logo />
        {strings.product}
      </h1>
      <span className="separator" />
      <ExampleMenu />
      <KubernetesSelect className="wide-only" />
      {seed !== null && <span className="chip out wide-only">{strings.seed(seed)}</span>}
      <span className="spacer" />
      <button
        type="button"
        className="button icon ghost wide-only"
        aria-pressed={listOpen}
        aria-label={listTitle}
        title={`${listTitle} (L)`}
        onClick={() => view.setState({ listOpen: !listOpen })}
      >
        {listOpen ? <Rows3 size={15} aria-hidden="true" /> : <List size={15} aria-hidden="true" />}
      </button>
      <button
        type="button"
        className="button icon ghost theme"
        aria-label={strings.theme[theme]}
        title={`${strings.theme[theme]} (T)`}
        onClick={() => view.setState({ theme: NEXT_THEME[theme] })}
      >
        <ThemeIcon size={15} aria-hidden="true" />
      </button>
      <button
        type="button"
        className="button ghost language"
        lang={language === 'en' ? 'zh' : 'en'}
        aria-label={strings.switchLanguage}
        title={strings.switchLanguage}
        onClick={() => void switchLanguage(view)}
      >
        <Languages size={15} aria-hidden="true" />
        {language === 'en' ? '中文' : 'EN'}
      </button>
      <button
        type="button"
        className="button icon ghost wide-only"
        aria-label={strings.help.title}
        title={`${strings.help.title} (?)`}
        onClick={() => view.setState({ helpOpen: true })}
      >
        <CircleHelp size={15} aria-hidden="true" />
      </button>
      <button type="button" className="button primary" aria-label={strings.share} onClick={onShare}>
        <Share2 size={14} aria-hidden="true" />
        <span className="text">{strings.share}</span>
      </button>
    </header>
  );
}

function ExampleMenu() {
  const strings = useStrings();
  const title = useScenario((state) => state.read.title);
  const [example = ''] = Object.entries(en.exampleTitle).find(([, name]) => name === title) ?? [];
  const shown = strings.exampleTitle[example] ?? title ?? strings.ownScenario;
  const menu = useRef<HTMLDivElement | null>(null);
  return (
    <>
      <button type="button" className="button ghost example-trigger" title={strings.examples} popoverTarget="examples">
        <span>{shown}</span>
        <ChevronDown size={13} aria-hidden="true" />
      </button>
      <div ref={menu} id="examples" popover="auto" className="menu">
        <Suspense fallback={null}>
          <ExampleButtons className="menu-item" onOpen={() => menu.current?.hidePopover()} />
        </Suspense>
      </div>
    </>
  );
}
