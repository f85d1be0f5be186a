import { Redo2, Undo2 } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { KubernetesSelect, useScenario, useStores, useStrings, useView } from '../shared/index.ts';
import { IssueCount } from './IssueCount.tsx';
import { Sliders } from './Sliders.tsx';

const YamlEditor = lazy(async () => ({ default: (await import('./YamlEditor.tsx')).YamlEditor }));

/** Left: the scenario as sliders, or as the YAML text that they belong to. */
export function ScenarioPanel() {
  const strings = useStrings();
  const { scenario, view } = useStores();
  const editorOpen = useView((state) => state.editorOpen);
  const changes = useScenario((state) => state.history.present.overrides.length);
  const canUndo = useScenario((state) => state.history.past.length > 0);
  const canRedo = useScenario((state) => state.history.future.length > 0);
  return (
    <section className="scenario-panel" aria-label={strings.scenario}>
      <header className="panel-head">
        <h2>{strings.scenario}</h2>
        <span className="quiet">{strings.changes(changes)}</span>
        <span className="spacer" />
        <button
          type="button"
          className="button icon ghost"
          aria-label={strings.undo}
          title={`${strings.undo} (Ctrl Z)`}
          disabled={!canUndo}
          onClick={scenario.getState().undo}
        >
          <Undo2 size={14} aria-hidden="true" />
        </button>
        <button
          type="button"
          className="button icon ghost"
          aria-label={strings.redo}
          title={`${strings.redo} (Ctrl Shift Z)`}
          disabled={!canRedo}
          onClick={scenario.getState().redo}
        >
          <Redo2 size={14} aria-hidden="true" />
        </button>
        <button
          type="button"
          className="button"
          aria-pressed={editorOpen}
          onClick={() => view.setState({ editorOpen: !editorOpen })}
        >
          {editorOpen ? strings.sliders : strings.yaml}
        </button>
        <KubernetesSelect className="phone-only" />
        <span className="issue-counts">
          <IssueCount severity="error" />
          <IssueCount severity="warning" />
        </span>
      </header>
      {editorOpen ? (
        <Suspense fallback={<p className="quiet padded">{strings.editorLoading}</p>}>
          <YamlEditor />
        </Suspense>
      ) : (
        <Sliders />
      )}
    </section>
  );
}
