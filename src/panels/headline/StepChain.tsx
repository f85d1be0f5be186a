import { groups } from 'd3-array';
import type { PodState } from '../../explain/stateAt.ts';
import { firstMissing, lastToLetGo, type Party, whoSees } from '../../explain/whoSees.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { StateIcon, type StateIconKind } from '../../ui/icons.tsx';
import { useStrings } from '../shared/index.ts';

/** The parties side by side, from the app outwards: what phones have in place of the inspector. */
export function StepChain({ run, state }: { readonly run: FinishedRun; readonly state: PodState }) {
  const { who } = useStrings();
  const parties = whoSees(run, state).filter(({ matters }) => matters);
  const holding = lastToLetGo(parties, state);
  const missing = holding ?? firstMissing(parties);
  const look = holding === null ? 'missing' : 'holding';
  const steps = groups(parties, stepOf);
  return (
    <ol className="step-chain" aria-label={who.chain}>
      {steps.map(([step, members]) => (
        <li key={step} className={missing !== null && members.includes(missing) ? look : verdictOf(members)}>
          <StateIcon kind={verdictOf(members)} label={who[verdictOf(members)]} />
          <span>{who.short[step] ?? step}</span>
        </li>
      ))}
    </ol>
  );
}

/** Containers share a step. */
const stepOf = ({ kind, probe }: Party): string => probe ?? kind;

/** Yes when all say yes, no when any says no. */
function verdictOf(members: readonly Party[]): StateIconKind {
  if (members.some(({ says }) => says === 'no')) return 'no';
  return members.every(({ says }) => says === 'yes') ? 'yes' : 'unknown';
}
