import { Suspense } from 'react';
import { ExampleButtons, useScenario, useStores, useStrings } from '../shared/index.ts';

/** Shown while nothing could be simulated yet: examples, or one's own manifest. */
export function Empty() {
  const strings = useStrings();
  const { view } = useStores();
  const running = useScenario((state) => state.running);
  if (running) return <div className="empty" aria-busy="true" />;
  return (
    <section className="empty">
      <h2>{strings.emptyTitle}</h2>
      <p className="quiet">{strings.emptyText}</p>
      <div className="example-cards">
        <Suspense fallback={null}>
          <ExampleButtons className="example-card" />
        </Suspense>
      </div>
      <div className="empty-paste">
        <span>{strings.emptyPasteText}</span>
        <button
          type="button"
          className="button"
          onClick={() => view.setState({ editorOpen: true, scenarioOpen: true, tab: 'scenario' })}
        >
          {strings.emptyPaste}
        </button>
      </div>
    </section>
  );
}
