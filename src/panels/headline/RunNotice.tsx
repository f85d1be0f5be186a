import { Notice } from '../../ui/Notice.tsx';
import { useScenario, useStores, useStrings, useView } from '../shared/index.ts';

/** Above the lanes when they do not show what the newest text means: errors, a failed engine, parts that are not modelled. */
export function RunNotice() {
  const strings = useStrings();
  const { scenario } = useStores();
  const broken = useScenario((state) => state.read.scenario === null && state.run !== null);
  const cancelled = useScenario((state) => state.cancelled);
  const failure = useScenario((state) => state.failure);
  const copy = (): void => void navigator.clipboard.writeText(scenario.getState().history.present.text);
  if (failure !== null) {
    const action = (
      <button type="button" className="button" onClick={copy}>
        {strings.copyScenario}
      </button>
    );
    return (
      <Notice tone="fail" role="alert" action={action}>
        <b>{strings.engineFailed}</b> {failure}. {strings.engineFailedWhat}
      </Notice>
    );
  }
  if (cancelled) {
    const action = (
      <button type="button" className="button" onClick={scenario.getState().again}>
        {strings.runAgain}
      </button>
    );
    return (
      <Notice tone="wait" role="status" action={action}>
        <b>{strings.cancelled}</b> {strings.oldRunShown}
      </Notice>
    );
  }
  if (!broken) return <WarningNotice />;
  return (
    <Notice tone="wait" role="status" action={<EditorButton />}>
      <b>{strings.lastGoodRun}</b> {strings.lastGoodRunWhy}
    </Notice>
  );
}

/** The first warning that no slider shows: it changes what the lanes mean. */
function WarningNotice() {
  const strings = useStrings();
  const issues = useScenario((state) => state.read.issues);
  const [first, ...others] = issues.filter(({ severity, setting }) => severity === 'warning' && setting === null);
  if (first === undefined) return null;
  return (
    <Notice tone="wait" role="status" action={<EditorButton />}>
      <b>{strings.issue.warning}:</b> {first.message} ({strings.at(first.line, first.column)}).
      {others.length > 0 && ` ${strings.moreWarnings(others.length)}`}
    </Notice>
  );
}

function EditorButton() {
  const strings = useStrings();
  const { view } = useStores();
  const isOpen = useView((state) => state.editorOpen && state.scenarioOpen);
  if (isOpen) return null;
  return (
    <button
      type="button"
      className="button"
      onClick={() => view.setState({ editorOpen: true, scenarioOpen: true, tab: 'scenario' })}
    >
      {strings.yaml}
    </button>
  );
}
