import { PanelRight, Rows3, SlidersHorizontal } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { capitalised } from '../base/format.ts';
import { Empty } from '../panels/empty/Empty.tsx';
import { Headline } from '../panels/headline/Headline.tsx';
import { useScenario, useStores, useStrings, useView } from '../panels/shared/index.ts';
import { TimelinePanel } from '../panels/timeline/TimelinePanel.tsx';
import { TopBar } from '../panels/topBar/TopBar.tsx';
import { Transport } from '../panels/transport/Transport.tsx';
import type { Tab } from '../state/viewStore.ts';
import { Notice } from '../ui/Notice.tsx';
import { PHONE, useMedia } from '../ui/useMedia.ts';
import type { FirstState } from './firstState.ts';
import { useFolds } from './useFolds.ts';
import { useKeys } from './useKeys.ts';
import { type Links, useLinks } from './useLinks.ts';
import { type Paste, usePaste } from './usePaste.ts';
import { useRuns } from './useRuns.ts';

/** The lanes come first. */
const ScenarioPanel = lazy(async () => ({
  default: (await import('../panels/scenario/ScenarioPanel.tsx')).ScenarioPanel,
}));
const Chooser = lazy(async () => ({ default: (await import('../panels/chooser/Chooser.tsx')).Chooser }));
const EventList = lazy(async () => ({ default: (await import('../panels/eventList/EventList.tsx')).EventList }));
const Inspector = lazy(async () => ({ default: (await import('../panels/inspector/Inspector.tsx')).Inspector }));
const PathBudget = lazy(async () => ({ default: (await import('../panels/path/PathBudget.tsx')).PathBudget }));
const WhyCard = lazy(async () => ({ default: (await import('../panels/why/WhyCard.tsx')).WhyCard }));
/** Most runs have nothing to say above their lanes. */
const RunNotice = lazy(async () => ({ default: (await import('../panels/headline/RunNotice.tsx')).RunNotice }));
const RunningNotice = lazy(async () => ({
  default: (await import('../panels/headline/RunningNotice.tsx')).RunningNotice,
}));
const HelpDialog = lazy(async () => ({ default: (await import('../panels/help/HelpDialog.tsx')).HelpDialog }));
const ShareDialog = lazy(async () => ({ default: (await import('../panels/share/ShareDialog.tsx')).ShareDialog }));

export interface AppProps {
  readonly first: Pick<FirstState, 'linked' | 'problem'>;
}

/** The page: bar on top; scenario, lanes, inspector side by side; on a phone one of them at a time. */
export function App({ first }: AppProps) {
  const links = useLinks(first);
  const paste = usePaste();
  useKeys();
  useRuns(links.linked);
  useFolds();
  const isPhone = useMedia(PHONE);
  const run = useScenario((state) => state.run);
  const helpOpen = useView((view) => view.helpOpen);
  const [sharing, setSharing] = useState(false);
  const tab = useView((view) => view.tab);
  const scenarioOpen = useView((view) => view.scenarioOpen);
  const inspectorOpen = useView((view) => view.inspectorOpen);
  const editorOpen = useView((view) => view.editorOpen);
  const whyOpen = useView((view) => view.whyOpen) && run !== null;
  return (
    <div
      className="app"
      data-tab={tab}
      data-scenario={scenarioOpen ? (editorOpen ? 'editor' : 'sliders') : 'closed'}
      data-inspector={inspectorOpen ? (whyOpen ? 'why' : 'open') : 'closed'}
    >
      <TopBar onShare={() => setSharing(true)} />
      <Rail />
      <main className="regions">
        <div className="side scenario-side">
          {scenarioOpen && (
            <Suspense fallback={null}>
              <ScenarioPanel />
            </Suspense>
          )}
        </div>
        <div className="centre">
          <InputNotices links={links} paste={paste} />
          <Headline />
          <Suspense fallback={null}>
            <RunNotice />
            <RunningNotice />
          </Suspense>
          <Centre />
          {!isPhone && run !== null && (
            <Suspense fallback={null}>
              <PathBudget run={run} />
            </Suspense>
          )}
          <Transport />
          {isPhone && run !== null && (
            <Suspense fallback={null}>
              <EventList run={run} />
            </Suspense>
          )}
          {isPhone && whyOpen && (
            <Suspense fallback={null}>
              <div className="sheet">
                <WhyCard run={run} />
                <PathBudget run={run} />
              </div>
            </Suspense>
          )}
        </div>
        <div className="side inspector-side">
          {inspectorOpen && (
            <Suspense fallback={null}>{whyOpen && !isPhone ? <WhyCard run={run} /> : <Inspector />}</Suspense>
          )}
        </div>
      </main>
      <TabBar />
      <Suspense fallback={null}>
        <Chooser />
      </Suspense>
      {helpOpen && (
        <Suspense fallback={null}>
          <HelpDialog />
        </Suspense>
      )}
      {sharing && (
        <Suspense fallback={null}>
          <ShareDialog onClose={() => setSharing(false)} />
        </Suspense>
      )}
    </div>
  );
}

function Centre() {
  const run = useScenario((state) => state.run);
  const isPhone = useMedia(PHONE);
  const listOpen = useView((view) => view.listOpen) && !isPhone;
  const theme = useResolvedTheme();
  if (run === null) return <Empty />;
  if (!listOpen) return <TimelinePanel run={run} theme={theme} />;
  return (
    <Suspense fallback={null}>
      <EventList run={run} />
    </Suspense>
  );
}

/** `light` or `dark`, as it stands on the page. */
function useResolvedTheme(): string {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme ?? 'light');
  useEffect(() => {
    const observer = new MutationObserver(() => setTheme(document.documentElement.dataset.theme ?? 'light'));
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => observer.disconnect();
  }, []);
  return theme;
}

/** What came from outside and could not be opened. What was there before stays. */
function InputNotices({ links: { problem, dismiss }, paste }: { readonly links: Links; readonly paste: Paste }) {
  const strings = useStrings();
  const { view } = useStores();
  const refusedEdit = useView((state) => state.refusedEdit);
  return (
    <>
      {refusedEdit !== null && (
        <Notice
          tone="fail"
          role="alert"
          dismiss={{ label: strings.close, act: () => view.setState({ refusedEdit: null }) }}
        >
          {strings.refusedEdit[refusedEdit]}
        </Notice>
      )}
      {problem !== null && (
        <Notice tone="fail" role="alert" dismiss={{ label: strings.close, act: dismiss }}>
          <b>{strings.badLink}</b> {capitalised(problem.message)}. {problem.remedy}
        </Notice>
      )}
      {paste.refused && (
        <Notice tone="fail" role="alert" dismiss={{ label: strings.close, act: paste.dismiss }}>
          <b>{strings.badPaste}</b> {strings.badPasteWhat}
        </Notice>
      )}
    </>
  );
}

/** Between phone and desktop: opens the two side panels over the lanes. */
function Rail() {
  const strings = useStrings();
  const { view } = useStores();
  const scenarioOpen = useView((state) => state.scenarioOpen);
  const inspectorOpen = useView((state) => state.inspectorOpen);
  return (
    <nav className="rail" aria-label={strings.views}>
      <button
        type="button"
        className="button icon ghost"
        aria-pressed={scenarioOpen}
        aria-label={strings.openScenario}
        title={`${strings.openScenario} (B)`}
        onClick={() => view.setState({ scenarioOpen: !scenarioOpen })}
      >
        <SlidersHorizontal size={16} aria-hidden="true" />
      </button>
      <button
        type="button"
        className="button icon ghost"
        aria-pressed={inspectorOpen}
        aria-label={strings.openInspector}
        title={`${strings.openInspector} (Q)`}
        onClick={() => view.setState({ inspectorOpen: !inspectorOpen })}
      >
        <PanelRight size={16} aria-hidden="true" />
      </button>
    </nav>
  );
}

const TABS: readonly (readonly [Tab, typeof Rows3])[] = [
  ['timeline', Rows3],
  ['state', PanelRight],
  ['scenario', SlidersHorizontal],
];

function TabBar() {
  const strings = useStrings();
  const { view } = useStores();
  const tab = useView((state) => state.tab);
  return (
    <nav className="tab-bar" aria-label={strings.views}>
      {TABS.map(([name, Icon]) => (
        <button
          key={name}
          type="button"
          aria-current={tab === name ? 'page' : undefined}
          onClick={() => view.setState({ tab: name, scenarioOpen: true, inspectorOpen: true })}
        >
          <Icon size={18} aria-hidden="true" />
          {strings.tab[name]}
        </button>
      ))}
    </nav>
  );
}
