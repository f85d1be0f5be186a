import { useState } from 'react';
import type { Budget } from '../../explain/hops.ts';
import { RULES } from '../../explain/rules.ts';
import { rulesOf } from '../../explain/rulesOf.ts';
import type { Why } from '../../explain/why.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { useStores, useStrings } from '../shared/index.ts';

interface RuleLineProps {
  readonly run: FinishedRun;
  readonly why: Why;
  readonly budget: Budget | null;
  readonly report: () => string;
}

/** Where Kubernetes says so, and what to do when it says otherwise. */
export function RuleLine({ run, why, budget, report }: RuleLineProps) {
  const strings = useStrings();
  const { scenario } = useStores();
  const [copied, setCopied] = useState(false);
  const version = `Kubernetes ${run.scenario.kubernetes}`;
  const copy = async (): Promise<void> => {
    const { text } = scenario.getState().history.present;
    await navigator.clipboard.writeText(`${version}\n${report()}\n---\n${text}`);
    setCopied(true);
  };
  return (
    <>
      <p className="why-foot">
        <span>{sourceOf(run, why, budget)}</span>
        <button type="button" className="link" onClick={() => void copy()}>
          {strings.why.report}
        </button>
      </p>
      <p className="quiet" role="status">
        {copied && strings.why.reported}
      </p>
    </>
  );
}

/** The rule of what ends the hop of the missing link; of a backend, that of the hop that made it one. */
function sourceOf({ reader }: FinishedRun, { missing }: Why, budget: Budget | null): string {
  const wanted = missing === null ? 6 : missing.hop;
  const end = budget?.hops.find(({ hop }) => hop === wanted)?.end ?? null;
  const [number] = end === null ? [] : rulesOf(reader.event(end));
  return number === undefined ? '' : `${number} ${RULES[number].source}`;
}
