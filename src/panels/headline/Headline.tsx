import { AlertTriangle } from 'lucide-react';
import { useMemo } from 'react';
import { formatInstant } from '../../base/format.ts';
import type { Micros } from '../../base/units.ts';
import { answerAt } from '../../explain/answer.ts';
import { stateAt } from '../../explain/stateAt.ts';
import { usePlayback, usePod, useScenario, useStores, useStrings, useView, useWords } from '../shared/index.ts';

/** The answer first: one sentence for the Pod at the playhead, and why. */
export function Headline() {
  const strings = useStrings();
  const words = useWords();
  const pod = usePod();
  const run = useScenario((state) => state.run);
  const playhead = usePlayback((state) => state.playhead);
  const answer = useMemo(
    () => (run === null || pod === null ? null : answerAt(run, stateAt(run, pod, playhead as Micros))),
    [run, pod, playhead],
  );
  if (answer === null || pod === null) return <div className="headline" />;
  return (
    <div className="headline">
      <span className={`verdict ${answer.verdict}`}>
        <VerdictIcon verdict={answer.verdict} />
        {strings.verdict[answer.verdict]}
      </span>
      <div className="answer" role="status" aria-live="polite">
        <p className="answer-title">{strings.atTime(formatInstant(playhead), words.verdict(answer, pod.name))}</p>
        <p className="answer-why">{words.because(answer)}</p>
      </div>
      <PodChoice />
    </div>
  );
}

/** Full circle, half circle, dashed ring. */
function VerdictIcon({ verdict }: { readonly verdict: 'absent' | 'notReady' | 'ready' }) {
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
      {verdict === 'ready' && <circle cx="7" cy="7" r="3.6" fill="currentColor" />}
    </svg>
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
        <option key={identity} value={identity}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Above the lanes when they do not show the newest text: errors, a failed engine. */
export function RunNotice() {
  const strings = useStrings();
  const { scenario, view } = useStores();
  const broken = useScenario((state) => state.read.scenario === null && state.run !== null);
  const failure = useScenario((state) => state.failure);
  const copy = (): void => void navigator.clipboard.writeText(scenario.getState().history.present.text);
  if (failure !== null) {
    return (
      <div className="notice fail" role="alert">
        <AlertTriangle size={14} aria-hidden="true" />
        <span>
          <b>{strings.engineFailed}</b> {failure}. {strings.engineFailedWhat}
        </span>
        <button type="button" className="button" onClick={copy}>
          {strings.copyScenario}
        </button>
      </div>
    );
  }
  if (!broken) return null;
  return (
    <div className="notice wait" role="status">
      <AlertTriangle size={14} aria-hidden="true" />
      <span>
        <b>{strings.lastGoodRun}</b> {strings.lastGoodRunWhy}
      </span>
      <button
        type="button"
        className="button"
        onClick={() => view.setState({ editorOpen: true, scenarioOpen: true, tab: 'scenario' })}
      >
        {strings.yaml}
      </button>
    </div>
  );
}
