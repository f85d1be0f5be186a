import { useMemo, useState } from 'react';
import { formatInstant } from '../../base/format.ts';
import type { PodState, WorkerState } from '../../explain/stateAt.ts';
import { useStrings } from '../shared/index.ts';
import { type Chart, type ChartState, groupOf, lastArrows, workerChart } from './chart.ts';

/** The chosen worker's machine, with its live state filled and the last transition in blue. */
export function WorkerChart({ state }: { readonly state: PodState }) {
  const { chart: words, who } = useStrings();
  const [chosen, setChosen] = useState<string | null>(null);
  const chart = useMemo(workerChart, []);
  const keyOf = ({ container, probe }: WorkerState): string => `${container}/${probe}`;
  const readiness = state.workers.find(({ probe }) => probe === 'readiness');
  const worker = state.workers.find((candidate) => keyOf(candidate) === chosen) ?? readiness ?? state.workers[0];
  if (worker === undefined) return <p className="inspector-part quiet">{words.none}</p>;
  return (
    <section className="inspector-part">
      <header className="part-head">
        <select
          aria-label={words.choose}
          className="worker-choice"
          value={keyOf(worker)}
          onChange={(event) => setChosen(event.target.value)}
        >
          {state.workers.map((candidate) => (
            <option key={keyOf(candidate)} value={keyOf(candidate)}>
              {who.worker[candidate.probe]} · {candidate.container}
            </option>
          ))}
        </select>
        <span className="quiet">
          {worker.nextTurn === null ? words.noNext : words.next(formatInstant(worker.nextTurn))}
        </span>
      </header>
      {worker.node === null ? (
        <p className="quiet">{words.notYet}</p>
      ) : (
        <>
          <ChartView chart={chart} live={worker.node.state} last={lastArrows(worker)} />
          <Counters worker={worker} />
        </>
      )}
    </section>
  );
}

function Counters({ worker: { node, spec, result } }: { readonly worker: WorkerState }) {
  const { chart: words, result: results } = useStrings();
  if (node === null) return null;
  const count = (of: 'success' | 'failure', threshold: number): string =>
    `${node.lastResult === of ? Math.min(node.resultRun, threshold) : 0}/${threshold}`;
  return (
    <p className="counters">
      <span className="chip ok">ok {count('success', spec.successThreshold)}</span>
      <span className="chip fail">fail {count('failure', spec.failureThreshold)}</span>
      {result !== null && <span className="chip out">{words.lastResult(results[result.value] ?? result.value)}</span>}
    </p>
  );
}

interface ChartViewProps {
  readonly chart: Chart;
  readonly live: string;
  /** Arrows that the last turn went along. */
  readonly last: ReadonlySet<string>;
}

function ChartView({ chart, live, last }: ChartViewProps) {
  const { chart: words } = useStrings();
  const byId = new Map(chart.states.map((state) => [state.id, state]));
  return (
    <svg
      className="chart"
      role="img"
      aria-label={words.label(live)}
      viewBox={`-2 -2 ${chart.width + 4} ${chart.height + 4}`}
    >
      <defs>
        <Head id="head" className="arrow-head" />
        <Head id="head-live" className="arrow-head live" />
      </defs>
      {chart.states.map((state) => (
        <StateBox
          key={state.id}
          state={state}
          isLive={state.id === live}
          holdsLive={state.isGroup && groupOf(live) === state.id}
        />
      ))}
      {chart.arrows.map(({ id, from, to, labels }) => {
        const [start, end] = [byId.get(from), byId.get(to)];
        if (start === undefined || end === undefined) return null;
        const isLast = last.has(id);
        return (
          <path
            key={id}
            className={isLast ? 'arrow live' : 'arrow'}
            d={pathOf(start, end, chart.states)}
            markerEnd={`url(#${isLast ? 'head-live' : 'head'})`}
          >
            <title>{`${id}\n${labels.join('\n')}`}</title>
          </path>
        );
      })}
    </svg>
  );
}

function Head({ id, className }: { readonly id: string; readonly className: string }) {
  return (
    <marker
      id={id}
      viewBox="0 0 8 8"
      refX="7"
      refY="4"
      markerWidth="7"
      markerHeight="7"
      orient="auto-start-reverse"
      className={className}
    >
      <path d="M0 0.8L7.5 4L0 7.2z" />
    </marker>
  );
}

function StateBox({
  state,
  isLive,
  holdsLive,
}: {
  readonly state: ChartState;
  readonly isLive: boolean;
  readonly holdsLive: boolean;
}) {
  const { x, y, width, height, isGroup, label, description } = state;
  const look = `chart-state${isGroup ? ' group' : ''}${isLive ? ' live' : ''}${holdsLive ? ' holds-live' : ''}`;
  return (
    <g className={look}>
      <title>{description}</title>
      <rect x={x} y={y} width={width} height={height} rx="5" />
      <text
        x={isGroup ? x + 10 : x + width / 2}
        y={isGroup ? y + 17 : y + height / 2 + 4}
        textAnchor={isGroup ? 'start' : 'middle'}
      >
        {label}
      </text>
    </g>
  );
}

/** Right angles between two boxes, side by side or one above the other. */
function pathOf(from: ChartState, to: ChartState, all: readonly ChartState[]): string {
  const middle = (box: ChartState): number => box.y + box.height / 2;
  if (from.x + from.width <= to.x)
    return sideways(from.x + from.width, middle(from), to.x, clampY(middle(from), to, 4));
  if (to.x + to.width <= from.x) return sideways(from.x, middle(from), to.x + to.width, clampY(middle(from), to, -4));
  const down = to.y >= from.y + from.height;
  const [upper, lower] = down ? [from, to] : [to, from];
  const between = all.filter((box) => box.x === from.x && box.y > upper.y && box.y < lower.y);
  if (between.length > 0) return around(from.x + from.width, middle(from) + 5, middle(to) - 5, 8 + 7 * between.length);
  const x = (Math.max(from.x, to.x) + Math.min(from.x + from.width, to.x + to.width)) / 2 + (down ? -8 : 8);
  return `M${x} ${down ? from.y + from.height : from.y}V${down ? to.y : to.y + to.height}`;
}
const clampY = (y: number, { y: top, height }: ChartState, shift: number): number =>
  Math.min(top + height - 8, Math.max(top + 8, y + shift));
const sideways = (x1: number, y1: number, x2: number, y2: number): string =>
  y1 === y2 ? `M${x1} ${y1}H${x2}` : `M${x1} ${y1}H${(x1 + x2) / 2 + (y1 > y2 ? 8 : -8)}V${y2}H${x2}`;
/** Out to the right, past what stands between, and back. */
const around = (x: number, y1: number, y2: number, out: number): string => `M${x} ${y1}H${x + out}V${y2}H${x}`;
