import { bisector } from 'd3-array';
import { formatInstant } from '../../base/format.ts';
import type { Micros } from '../../base/units.ts';
import { type LostRequest, lostRequests } from '../../explain/lostRequests.ts';
import { podsOf } from '../../explain/podsOf.ts';
import { requestRows } from '../../explain/requestRows.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { select, usePathWords, useStores, useStrings, useView } from '../shared/index.ts';

/** So many stand in the page, the last before the playhead among them. */
const MOST_SHOWN = 8;
const BEFORE = 3;

/** Requests that nobody served, in the order in which they began; of the selected one, why. */
export function LostRequests({ run, at }: { readonly run: FinishedRun; readonly at: Micros }) {
  const { lost: strings } = useStrings();
  const lost = lostRequests(run);
  if (lost.length === 0) return null;
  const first = Math.max(0, Math.min(startBefore(lost, at) - BEFORE, lost.length - MOST_SHOWN));
  const shown = lost.slice(first, first + MOST_SHOWN);
  const many = new Set(lost.map(({ node, client }) => `${node} ${client}`)).size > 1;
  return (
    <section className="inspector-part" aria-label={strings.title}>
      <header className="part-head">
        <h2>{strings.title}</h2>
        <span className="quiet">{strings.share(lost.length, requestRows(run.reader).length)}</span>
      </header>
      <ul className="lost">
        {first > 0 && <li className="quiet">{strings.earlier(first)}</li>}
        {shown.map((request) => (
          <Lost key={request.ref.row} run={run} request={request} from={many ? request.node || request.client : ''} />
        ))}
        {first + shown.length < lost.length && (
          <li className="quiet">{strings.later(lost.length - first - shown.length)}</li>
        )}
      </ul>
    </section>
  );
}

const startBefore = (lost: readonly LostRequest[], at: Micros): number =>
  bisector((request: LostRequest) => request.at).right(lost, at);

interface LostProps {
  readonly run: FinishedRun;
  readonly request: LostRequest;
  /** Whence it came; '' where all came from there. */
  readonly from: string;
}

function Lost({ run, request, from }: LostProps) {
  const stores = useStores();
  const strings = useStrings();
  const words = usePathWords();
  const isSelected = useView(({ selected }) => selected?.row === request.ref.row);
  const { ref, at, pod } = request;
  const name = podsOf(run.scenario).get(pod)?.name ?? '';
  const attempt = run.reader.event(ref);
  const outcome = attempt.kind === 'clientAttempt' ? attempt.payload.outcome : '';
  const show = (): void => {
    select(stores, ref);
    if (pod !== '') stores.view.setState({ pod });
  };
  return (
    <li>
      <button type="button" className="lost-request" aria-pressed={isSelected} onClick={show}>
        <span>{formatInstant(at)}</span>
        <span className="lost-way">
          {from} {name !== '' && <b>{name}</b>}
        </span>
        <b className="lost-outcome">{strings.who.outcome[outcome] ?? outcome}</b>
        {isSelected && <span className="lost-why">{words.lost(request, name)}</span>}
      </button>
    </li>
  );
}
