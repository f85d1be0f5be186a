import { EXAMPLES } from '../../io/examples/examples.ts';
import { useScenario, useStores, useStrings } from './index.ts';

export interface ExampleButtonsProps {
  /** Of each button. */
  readonly className: string;
  readonly onOpen?: () => void;
}

/** A button for each example that opens it. The texts of the examples come with it: to be loaded when the page stands. */
export function ExampleButtons({ className, onOpen }: ExampleButtonsProps) {
  const strings = useStrings();
  const { scenario } = useStores();
  const text = useScenario((state) => state.history.present.text);
  return EXAMPLES.map((example) => (
    <button
      key={example.id}
      type="button"
      className={className}
      aria-current={example.text === text ? 'true' : undefined}
      onClick={() => {
        void scenario.getState().open({ text: example.text, overrides: [] });
        onOpen?.();
      }}
    >
      <b>{strings.exampleTitle[example.id]}</b>
      <span>{strings.exampleText[example.id]}</span>
    </button>
  ));
}
