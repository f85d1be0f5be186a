import { formatInstant } from '../../base/format.ts';
import { StateIcon } from '../../ui/icons.tsx';
import { useStrings } from '../shared/index.ts';
import { type ChainRow, CONDITIONS } from './chainRows.ts';

/** Done steps ticked, the first missing one tinted, later ones by their hop, each with its time. */
export function Chain({ rows }: { readonly rows: readonly ChainRow[] }) {
  const { why } = useStrings();
  return (
    <ol className="why-chain" aria-label={why.chain}>
      {rows.map((row) => (
        <li
          key={row.key}
          className={classOf(row)}
          aria-current={row.state === 'missing' || row.state === 'holding' ? 'step' : undefined}
        >
          <Mark row={row} />
          <span className="why-step">
            {row.title}
            {row.value !== '' && <small>{row.value}</small>}
          </span>
          <span className="why-time">{timeOf(row, why)}</span>
        </li>
      ))}
    </ol>
  );
}

const classOf = ({ key, state }: ChainRow): string => (key === CONDITIONS ? `${state} conditions` : state);

function Mark({ row: { state, hop } }: { readonly row: ChainRow }) {
  const { who } = useStrings();
  if (state === 'done' || state === 'holding') return <StateIcon kind="yes" label={who.yes} />;
  if (state === 'gone') return <StateIcon kind="no" label={who.no} />;
  if (hop === null) return <StateIcon kind={state === 'missing' ? 'no' : 'unknown'} label={who.no} />;
  return <span className="why-hop">{hop}</span>;
}

function timeOf({ state, at }: ChainRow, why: ReturnType<typeof useStrings>['why']): string {
  const isPast = state !== 'missing' && state !== 'later';
  if (at === null) return isPast ? '' : why.never;
  return isPast ? why.since(formatInstant(at)) : formatInstant(at);
}
