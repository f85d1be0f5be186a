import { lazy, Suspense, useEffect, useMemo, useRef } from 'react';
import { formatInstant, shortened } from '../../base/format.ts';
import type { Micros } from '../../base/units.ts';
import { type Answer, answerAt, isDoubt } from '../../explain/answer.ts';
import { backendAt, isBackend, type ServiceView } from '../../explain/backendAt.ts';
import { stateAt } from '../../explain/stateAt.ts';
import type { Words } from '../../explain/words/words.ts';
import { PHONE, useMedia } from '../../ui/useMedia.ts';
import {
  toggleWhy,
  usePlayback,
  usePod,
  useScenario,
  useStores,
  useStrings,
  useView,
  useWords,
} from '../shared/index.ts';

/** Only phones have it. */
const StepChain = lazy(async () => ({ default: (await import('./StepChain.tsx')).StepChain }));

/** Characters of a Pod's name: in the sentence, alone or beside a list of Pods, and in that list. */
const MOST_ALONE = 25;
const MOST_BESIDE_LIST = 16;
const MOST_IN_LIST = 13;

/** The answer first: one sentence for the Pod at the playhead, and why. */
export function Headline() {
  const strings = useStrings();
  const words = useWords();
  const pod = usePod();
  const run = useScenario((state) => state.run);
  const running = useScenario((state) => state.running);
  const playhead = usePlayback((state) => state.playhead);
  const state = useMemo(
    () => (run === null || pod === null ? null : stateAt(run, pod, playhead as Micros)),
    [run, pod, playhead],
  );
  const isPhone = useMedia(PHONE);
  if (run === null) return <div className="headline" />;
  if (pod === null || state === null) return <NoPods hasCluster={run.scenario.cluster !== null} />;
  const views = backendAt(run, pod, state.at);
  const answer = answerAt(run, state, views);
  const { look, name } = verdictOf(answer, views);
  return (
    <div className="headline">
      <div className="headline-pod">
        <span className={`verdict ${look}`}>
          <VerdictIcon verdict={look} />
          {strings.verdict[name]}
        </span>
        <PodChoice />
      </div>
      <div className="answer" role="status" aria-live="polite" aria-busy={running}>
        <p className="answer-title" title={pod.name}>
          {strings.atTime(
            formatInstant(playhead),
            words.verdict(answer, shortened(pod.name, run.scenario.pods.length > 1 ? MOST_BESIDE_LIST : MOST_ALONE)),
          )}
        </p>
        <p className="answer-why">{whyOf(answer, words)}</p>
      </div>
      <WhyButton />
      <Suspense fallback={null}>{isPhone && <StepChain run={run} state={state} />}</Suspense>
    </div>
  );
}

/** That the app serves goes without saying where there is more to say. */
function whyOf(answer: Answer, words: Words): string {
  const backend = words.backend(answer);
  if (backend !== '' && answer.because.kind === 'settled') return backend;
  return [words.because(answer), backend].filter((part) => part !== '').join(' ');
}

/** `stale`: connections still go to a Pod that is leaving, or whose app does not serve. */
type Look = Answer['verdict'] | 'stale';

/** Where a Service lists the Pod at some time the question is whether it is a backend; else whether it is Ready. */
function verdictOf({ verdict, because, backend }: Answer, [view]: readonly ServiceView[]) {
  if (verdict === 'absent' || view === undefined) return { look: verdict, name: verdict } as const;
  const isStale = isDoubt(because) || backend?.kind === 'leaving';
  if (isStale && isBackend(view)) return { look: 'stale', name: 'backend' } as const;
  return isBackend(view)
    ? ({ look: 'ready', name: 'backend' } as const)
    : ({ look: 'notReady', name: 'notBackend' } as const);
}

function NoPods({ hasCluster }: { readonly hasCluster: boolean }) {
  const strings = useStrings();
  const running = useScenario((state) => state.running);
  return (
    <div className="headline">
      <span className="verdict absent">
        <VerdictIcon verdict="absent" />
        {strings.verdict.absent}
      </span>
      <div className="answer" role="status" aria-live="polite" aria-busy={running}>
        <p className="answer-title">{hasCluster ? strings.noKubelets : strings.noPods}</p>
      </div>
    </div>
  );
}

/** Full circle, half circle, dashed ring. */
function VerdictIcon({ verdict }: { readonly verdict: Look }) {
  return (
    <svg width="13" height="13" viewBox="0 0 14 14" aria-hidden="true" className="verdict-icon">
      <circle
        cx="7"
        cy="7"
        r="5.6"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeDasharray={verdict === 'absent' ? '2.4 2' : undefined}
      />
      {verdict === 'notReady' && <path d="M7 2.2a4.8 4.8 0 0 1 0 9.6z" fill="currentColor" />}
      {(verdict === 'ready' || verdict === 'stale') && <circle cx="7" cy="7" r="3.6" fill="currentColor" />}
    </svg>
  );
}

/** Where the focus goes back to when the card that it opened is gone. */
function WhyButton() {
  const strings = useStrings();
  const stores = useStores();
  const isOpen = useView((view) => view.whyOpen);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <button
      ref={button}
      type="button"
      className="button why-button"
      aria-expanded={isOpen}
      onClick={() => toggleWhy(stores)}
    >
      {strings.why.ask} <kbd>Y</kbd>
    </button>
  );
}

function PodChoice() {
  const { view } = useStores();
  const strings = useStrings();
  const pods = useScenario((state) => state.run?.scenario.pods);
  const chosen = useView((state) => state.pod);
  if (pods === undefined || pods.length < 2) return null;
  return (
    <select
      className="pod-choice"
      aria-label={strings.choosePod}
      value={chosen ?? pods[0]?.identity}
      onChange={(event) => view.setState({ pod: event.target.value })}
    >
      {pods.map(({ identity, name }) => (
        <option key={identity} value={identity} title={name}>
          {shortened(name, MOST_IN_LIST)}
        </option>
      ))}
    </select>
  );
}
