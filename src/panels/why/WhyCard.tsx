import { Pin, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatInstant } from '../../base/format.ts';
import type { Budget } from '../../explain/hops.ts';
import type { Why } from '../../explain/why.ts';
import type { PathWords } from '../../explain/words/pathWords.ts';
import type { PodInput } from '../../sim/scenario.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { shownBudget, useDrawnPath } from '../path/index.ts';
import { CopyButton, closeWhy, magnifiedLength, usePathWords, usePod, useStores, useStrings } from '../shared/index.ts';
import { burstOf } from './burst.ts';
import { Chain } from './Chain.tsx';
import { type ChainRow, chainRows } from './chainRows.ts';
import { RuleLine } from './RuleLine.tsx';
import { Shorten } from './Shorten.tsx';
import { type Question, useQuestion } from './useQuestion.ts';

/** In the inspector's place: why the chosen Pod is a backend at the playhead, or is none. */
export function WhyCard({ run }: { readonly run: FinishedRun }) {
  const pod = usePod();
  return pod === null ? null : <Card key={pod.identity} run={run} pod={pod} />;
}

function Card({ run, pod }: { readonly run: FinishedRun; readonly pod: PodInput }) {
  const strings = useStrings();
  const words = usePathWords();
  const question = useQuestion(run, pod);
  const { why } = question;
  const budget = shownBudget(run, pod, why.at);
  useDrawnPath('litPath', run, budget);
  useMagnifiedBurst(useAtRest(budget));
  const wait = budget?.direction === 'joining' ? (budget.hops.find(({ hop }) => hop === 1) ?? null) : null;
  const rows = chainRows(why, wait, words);
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={box} className="why-card" aria-label={strings.why.title} tabIndex={0}>
      <Head question={question} words={words} text={() => textOf(why, rows, words)} />
      <p className="why-answer">{words.answer(why)}</p>
      <Choices question={question} />
      <Chain rows={rows} />
      <Shorten run={run} why={why} words={words} />
      <section className="why-part">
        <h3>{strings.why.prove}</h3>
        <div className="proof">
          <code>{why.proof}</code>
          <CopyButton label={strings.copyCommand} text={() => why.proof} />
        </div>
        <RuleLine run={run} why={why} budget={budget} report={() => textOf(why, rows, words)} />
      </section>
    </section>
  );
}

interface HeadProps {
  readonly question: Question;
  readonly words: PathWords;
  readonly text: () => string;
}

function Head({ question: { why, pinned, setPinned }, words, text }: HeadProps) {
  const strings = useStrings();
  const stores = useStores();
  return (
    <header className="part-head">
      <h2 className="quiet">{words.question(why)}</h2>
      <span className="why-buttons">
        <button
          type="button"
          className="button icon ghost"
          aria-pressed={pinned}
          aria-label={strings.why.pin}
          title={strings.why.pin}
          onClick={() => setPinned(!pinned)}
        >
          <Pin size={13} aria-hidden="true" />
        </button>
        <CopyButton label={strings.why.copy} text={text} />
        <button
          type="button"
          className="button icon ghost"
          aria-label={strings.close}
          title={strings.close}
          onClick={() => closeWhy(stores)}
        >
          <X size={14} aria-hidden="true" />
        </button>
      </span>
    </header>
  );
}

/** Only where there is something to choose. */
function Choices({ question: { why, services, setService, nodes, setNode } }: { readonly question: Question }) {
  const strings = useStrings();
  if (services.length < 2 && nodes.length < 2) return null;
  return (
    <div className="why-choices">
      {services.length > 1 && (
        <select
          aria-label={strings.why.service}
          value={why.service}
          onChange={(event) => setService(event.target.value)}
        >
          {services.map((service) => (
            <option key={service}>{service}</option>
          ))}
        </select>
      )}
      {nodes.length > 1 && (
        <select
          aria-label={strings.why.node}
          value={why.node ?? ''}
          onChange={(event) => setNode(event.target.value === '' ? null : event.target.value)}
        >
          <option value="">{strings.why.allNodes}</option>
          {nodes.map((node) => (
            <option key={node}>{node}</option>
          ))}
        </select>
      )}
    </div>
  );
}

/** While the card is open the burst of its path is magnified, until somebody does something else about it. */
function useMagnifiedBurst(budget: Budget | null): void {
  const stores = useStores();
  const isLeft = useRef(false);
  useEffect(() => {
    const { view } = stores;
    const { window, magnified: before } = view.getState();
    if (budget === null || window === null || isLeft.current) return;
    const burst = burstOf(budget, window, magnifiedLength(stores));
    if (burst === null) return;
    view.setState({ magnified: burst });
    return () => {
      if (view.getState().magnified === burst) view.setState({ magnified: before });
      else isLeft.current = true;
    };
  }, [stores, budget]);
}

/** The value, but while a pointer is down the one from before: nothing may leap under a drag. */
function useAtRest<T>(value: T): T {
  const [isDown, setDown] = useState(false);
  const rested = useRef(value);
  useEffect(() => {
    const down = (): void => setDown(true);
    const up = (): void => setDown(false);
    const capture = { capture: true };
    globalThis.addEventListener('pointerdown', down, capture);
    globalThis.addEventListener('pointerup', up, capture);
    globalThis.addEventListener('pointercancel', up, capture);
    return () => {
      globalThis.removeEventListener('pointerdown', down, capture);
      globalThis.removeEventListener('pointerup', up, capture);
      globalThis.removeEventListener('pointercancel', up, capture);
    };
  }, []);
  if (!isDown) rested.current = value;
  return rested.current;
}

/** All that the card says, to be pasted somewhere else. */
function textOf(why: Why, rows: readonly ChainRow[], words: PathWords): string {
  const mark = { done: '+', missing: '>', later: ' ', gone: '-', holding: '>' } as const;
  const lines = rows.map(({ state, hop, title, value, at }) => {
    const parts = [`${mark[state]} ${hop ?? ' '} ${title}`, value, at === null ? '' : formatInstant(at)];
    return parts.filter((part) => part !== '').join(', ');
  });
  return [words.question(why), words.answer(why), '', ...lines, '', why.proof, ''].join('\n');
}
