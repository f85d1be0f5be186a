import type { TriedEdit, Wait } from '../../explain/shorten.ts';
import type { Why } from '../../explain/why.ts';
import type { PathWords } from '../../explain/words/pathWords.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { useScenario, useStores, useStrings } from '../shared/index.ts';
import { useTrials } from './useTrials.ts';

interface ShortenProps {
  readonly run: FinishedRun;
  readonly why: Why;
  readonly words: PathWords;
}

/** What would shorten the wait: single changes that were really run, with what each brings and costs. */
export function Shorten({ run, why, words }: ShortenProps) {
  const strings = useStrings();
  const trials = useTrials(run, why);
  if (trials === null || trials.all === 0) return null;
  const { wait, done, all, ranked } = trials;
  return (
    <section className="why-part">
      <h3>{words.shorten(wait)}</h3>
      {done < all && <p className="quiet">{strings.why.trying(done, all)}</p>}
      <ul className="why-edits">
        {ranked.map((tried) => (
          <Tried key={tried.edit.setting} tried={tried} wait={wait} words={words} />
        ))}
      </ul>
    </section>
  );
}

interface TriedProps {
  readonly tried: TriedEdit;
  readonly wait: Wait;
  readonly words: PathWords;
}

function Tried({ tried, wait, words }: TriedProps) {
  const strings = useStrings();
  const { scenario } = useStores();
  const { setting, to } = tried.edit;
  // A probe that is new has no slider: it has to be written into the text.
  const canSet = useScenario((state) => state.read.model.settings.has(setting));
  const set = (): void => {
    scenario.getState().setOverride(setting, to);
    scenario.getState().settle();
  };
  return (
    <li>
      <span className="why-edit">
        {words.edit(tried.edit)}
        <span className={tried.gain > 0 ? 'why-gain helps' : 'why-gain'}>{words.gain(tried, wait)}</span>
        <small>{words.cost(tried.edit)}</small>
      </span>
      {canSet && (
        <button type="button" className="button" aria-label={strings.why.tryEdit(words.edit(tried.edit))} onClick={set}>
          {strings.why.try}
        </button>
      )}
    </li>
  );
}
