import { useMemo } from 'react';
import { capitalised, formatDuration, formatInstant } from '../../base/format.ts';
import type { Micros } from '../../base/units.ts';
import { type Budget, type Hop, hopNumberOf } from '../../explain/hops.ts';
import { type LostRequest, lostRequests } from '../../explain/lostRequests.ts';
import { podsOf } from '../../explain/podsOf.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { select, showSpan, usePathWords, usePlayback, usePod, useStores, useStrings } from '../shared/index.ts';
import { lastRequestSent, partsOf } from './parts.ts';
import { shownBudget } from './shownBudget.ts';
import { useDrawnPath } from './useDrawnPath.ts';

/** Under the lanes: where the time of the chosen Pod's path goes, hop by hop, at true scale. */
export function PathBudget({ run }: { readonly run: FinishedRun }) {
  const pod = usePod();
  // The same object for all instants of one way: a scrub renders the playhead's mark alone.
  const budget = usePlayback(({ playhead }) => (pod === null ? null : shownBudget(run, pod, playhead as Micros)));
  useDrawnPath('path', run, budget);
  return budget === null ? null : <BudgetView run={run} budget={budget} />;
}

function BudgetView({ run, budget }: { readonly run: FinishedRun; readonly budget: Budget }) {
  const { path: strings } = useStrings();
  const { end } = budget;
  const lost = useMemo(() => lostOn(run, budget, end), [run, budget, end]);
  const shown = budget.hops.filter(({ from, to }) => (to ?? end) > from);
  return (
    <section className="budget" aria-label={strings.title}>
      <header className="budget-head">
        <b>{useTitle(run, budget)}</b>
        <b className="budget-total">{formatDuration(end - budget.from)}</b>
        <span className="quiet">{useRemark(budget, lost.length)}</span>
      </header>
      <div className="budget-bar" aria-hidden="true">
        {shown.map((hop) => (
          <span
            key={hop.hop}
            className={classOf(hop, budget)}
            style={{ left: `${share(budget, end, hop.from)}%`, width: `${(hop.share * 100).toFixed(3)}%` }}
          />
        ))}
        {budget.direction === 'leaving' &&
          lost.map(({ ref, at }) => (
            <i key={ref.row} className="budget-lost" style={{ left: `${share(budget, end, at)}%` }}>
              ×
            </i>
          ))}
        <Playhead budget={budget} end={end} />
      </div>
      <Hops budget={budget} hops={shown} />
    </section>
  );
}

const share = ({ from }: Budget, end: number, at: number): number =>
  end > from ? Math.min(100, Math.max(0, (100 * (at - from)) / (end - from))) : 0;

const classOf = ({ hop, to }: Hop, { longest }: Budget): string =>
  `budget-hop${hop === longest ? ' longest' : ''}${to === null ? ' open' : ''}`;

/** Of the Pod itself on its way out; on its way in those that it could have served. */
function lostOn(run: FinishedRun, { path, from, direction }: Budget, end: number): readonly LostRequest[] {
  const isAbout = (pod: string): boolean => pod === path.pod || (direction === 'joining' && pod === '');
  return lostRequests(run).filter(({ at, pod }) => at >= from && at <= end && isAbout(pod));
}

/** `App ready 3.500 s → first request served 11.900 s`. */
function useTitle({ scenario }: FinishedRun, { direction, path, node, from, to }: Budget): string {
  const { path: strings } = useStrings();
  const pod = podsOf(scenario).get(path.pod)?.name ?? '';
  const start = formatInstant(from);
  const end = to === null ? null : formatInstant(to);
  const { isAsked = true } = path.joining.nodes.find((own) => own.node === node) ?? {};
  if (direction === 'joining')
    return isAsked ? strings.joining(start, end) : strings.joiningUnasked(start, end, path.hasRules ? node : '');
  return strings.leaving(strings.cause[path.leaving?.cause ?? 'delete'](pod), start, node, end);
}

function useRemark({ direction, path, waitingFor, leftBefore }: Budget, lost: number): string {
  const { path: strings } = useStrings();
  const words = usePathWords();
  if (waitingFor !== null) return words[leftBefore ? 'leftBefore' : 'unfinished'](waitingFor);
  if (lost > 0) return direction === 'joining' ? strings.couldHaveServed(lost) : strings.lost(lost);
  return direction === 'leaving' && path.leaving?.cause === 'delete' ? strings.noProbe : '';
}

function Playhead({ budget, end }: { readonly budget: Budget; readonly end: number }) {
  const at = usePlayback((state) => state.playhead);
  if (at < budget.from || at > end) return null;
  return <span className="budget-playhead" style={{ left: `${share(budget, end, at)}%` }} />;
}

interface HopsProps {
  readonly budget: Budget;
  readonly hops: readonly Hop[];
}

/** The longest by its name and share, the others as equal cells: they are too short to be read on the bar. */
function Hops({ budget, hops }: HopsProps) {
  const longest = hops.find(({ hop }) => hop === budget.longest);
  const before = hops.filter(({ from }) => longest !== undefined && from < longest.from);
  const after = hops.filter(({ from }) => longest !== undefined && from > longest.from);
  const cells = (some: readonly Hop[]) =>
    some.length > 0 && (
      <div className="budget-cells" style={{ flexGrow: some.length }}>
        {some.map((hop) => (
          <HopCell key={hop.hop} hop={hop} isLongest={false} end={budget.end} />
        ))}
      </div>
    );
  return (
    <div className="budget-hops">
      {cells(before)}
      {longest !== undefined && <HopCell hop={longest} isLongest end={budget.end} />}
      {cells(after)}
      {longest !== undefined && <Parts budget={budget} hop={longest} />}
      <LastSent budget={budget} />
    </div>
  );
}

/** What fills a hop that is nearly the whole path. */
function Parts({ budget, hop }: { readonly budget: Budget; readonly hop: Hop }) {
  const { path: strings } = useStrings();
  const parts = partsOf(budget, hop);
  if (parts.length === 0) return null;
  return (
    <div className="budget-cells parts">
      {parts.map(({ kind, from, to }) => (
        <p key={kind} className="budget-cell">
          <span>{strings.part[kind]}</span>
          <b>{formatDuration(to - from)}</b>
        </p>
      ))}
    </div>
  );
}

function LastSent({ budget }: { readonly budget: Budget }) {
  const stores = useStores();
  const { path: strings } = useStrings();
  const last = lastRequestSent(budget);
  if (last === null) return null;
  return (
    <button type="button" className="budget-cell last-sent" onClick={() => select(stores, last.ref)}>
      <span>{strings.lastSent}</span>
      <b>{formatInstant(last.at)}</b>
    </button>
  );
}

/** Room on both sides of a hop that fills the window, a share of it. */
const ROOM = 0.2;

/** Leads to its hop: the window shows it, and its end is selected. */
function HopCell({
  hop,
  isLongest,
  end,
}: {
  readonly hop: Hop;
  readonly isLongest: boolean;
  /** Of the budget. */
  readonly end: number;
}) {
  const stores = useStores();
  const { path: strings } = useStrings();
  const words = usePathWords();
  const to = hop.to ?? end;
  const show = (): void => {
    select(stores, hop.end ?? hop.start);
    showSpan(stores, hop.from, to, ROOM);
  };
  return (
    <button type="button" className={`budget-cell${isLongest ? ' longest' : ''}`} title={strings.zoomTo} onClick={show}>
      <span>
        {hopNumberOf(hop.hop) !== null && <i>{hop.hop} </i>}
        {capitalised(words.hop(hop.hop))}
      </span>
      <span>
        <b>{formatDuration(to - hop.from)}</b>
        {isLongest && ` ${strings.share(Math.round(hop.share * 100))}`}
      </span>
    </button>
  );
}
