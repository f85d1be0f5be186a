import { EXAMPLES } from '../../io/examples/examples.ts';
import { useScenario, useStores, useStrings } from '../shared/index.ts';

/** Shown while nothing could be simulated yet: examples, or one's own manifest. */
export function Empty() {
  const strings = useStrings();
  const { scenario, view } = useStores();
  const running = useScenario((state) => state.running);
  if (running) return <div className="empty" aria-busy="true" />;
  return (
    <section className="empty">
      <h2>{strings.emptyTitle}</h2>
      <p className="quiet">{strings.emptyText}</p>
      <div className="example-cards">
        {EXAMPLES.map(({ id, title, text }) => (
          <button
            key={id}
            type="button"
            className="example-card"
            onClick={() => scenario.getState().open({ text, overrides: [] })}
          >
            <b>{strings.exampleTitle[id] ?? title}</b>
            <span>{strings.exampleText[id]}</span>
          </button>
        ))}
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
