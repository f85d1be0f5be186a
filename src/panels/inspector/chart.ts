/** The probe worker's machine as boxes and arrows. States and transitions are read from the machine that runs. */
import type { WorkerState } from '../../explain/stateAt.ts';
import { probeWorkerMachine } from '../../sim/kubelet/prober/probeWorkerMachine.ts';

export interface ChartState {
  /** As in the trace, such as `waiting.settled`. */
  readonly id: string;
  readonly label: string;
  /** `K-120: …` */
  readonly description: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** A state with states inside. */
  readonly isGroup: boolean;
}
export interface ChartArrow {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** Events and guards that go this way, one a line. */
  readonly labels: readonly string[];
}
export interface Chart {
  readonly states: readonly ChartState[];
  readonly arrows: readonly ChartArrow[];
  readonly width: number;
  readonly height: number;
}

type Node = typeof probeWorkerMachine.root;

/** The group that a state is in, or itself: `waiting.settled` → `waiting`. */
export const groupOf = (id: string): string => id.split('.')[0] ?? id;

/**
 * Ids of the arrows that the last turn went along. A turn passes through `deciding` without staying; one that found the
 * worker on hold went nowhere.
 */
export function lastArrows({ node, before, turn }: Pick<WorkerState, 'node' | 'before' | 'turn'>): ReadonlySet<string> {
  if (node === null || before === null || turn === null) return new Set();
  const begin = arrowId(groupOf(before.state), 'deciding');
  if (node.state === 'probing') return new Set([begin, arrowId('deciding', 'probing')]);
  if (turn.payload.outcome === 'attempt') return new Set([arrowId('probing', node.state)]);
  if (node.state === 'onHold') return new Set();
  if (before.state === 'onHold' && turn.payload.outcome === 'podTerminated')
    return new Set([arrowId('onHold', 'stopped')]);
  return new Set([begin, arrowId('deciding', node.state)]);
}

const arrowId = (from: string, to: string): string => `${from} → ${to}`;

const BOX = { width: 116, height: 26, gap: 7 } as const;
const GROUP = { padding: 9, title: 20 } as const;
const COLUMN_GAP = 62;
/** Room right of the boxes for arrows that go around others. */
const ROUND = 30;

/** The machine's states in two columns: what waits left, what acts right. */
export function workerChart(): Chart {
  const top = Object.values(probeWorkerMachine.root.states) as readonly Node[];
  const group = top.find((node) => Object.keys(node.states).length > 0);
  const inner = Object.values(group?.states ?? {}) as readonly Node[];
  const groupHeight = GROUP.title + inner.length * (BOX.height + BOX.gap) - BOX.gap + 2 * GROUP.padding;
  const groupWidth = BOX.width + 2 * GROUP.padding;
  const groupTop = BOX.height + 30;
  const outer = top.filter((node) => node !== group);
  const [first, ...others] = outer;
  const right = groupWidth + COLUMN_GAP;
  const pitch = (groupHeight + groupTop - BOX.height) / Math.max(1, others.length - 1);
  const box = (node: Node, x: number, y: number): ChartState => ({
    ...named(node),
    x,
    y,
    width: BOX.width,
    height: BOX.height,
    isGroup: false,
  });
  return {
    states: [
      ...(group === undefined
        ? []
        : [{ ...named(group), x: 0, y: groupTop, width: groupWidth, height: groupHeight, isGroup: true }]),
      ...inner.map((node, i) =>
        box(node, GROUP.padding, groupTop + GROUP.padding + GROUP.title + i * (BOX.height + BOX.gap)),
      ),
      ...(first === undefined ? [] : [box(first, GROUP.padding, 0)]),
      ...others.map((node, i) => box(node, right, i * pitch)),
    ],
    arrows: arrowsOf(top),
    width: right + BOX.width + ROUND,
    height: groupTop + groupHeight,
  };
}

const nameOf = (node: Node): string => node.path.join('.');
const named = (node: Node) => ({ id: nameOf(node), label: node.key, description: node.description ?? '' });

/** One arrow for each pair of states, whatever leads from one to the other. */
function arrowsOf(nodes: readonly Node[]): readonly ChartArrow[] {
  const arrows = new Map<string, ChartArrow>();
  for (const node of nodes) {
    for (const transition of [...node.transitions.values(), node.always ?? []].flat()) {
      for (const target of transition.target ?? []) {
        const from = nameOf(node);
        const to = nameOf(target as Node);
        if (from === to) continue;
        const id = arrowId(from, to);
        const labels = new Set([...(arrows.get(id)?.labels ?? []), labelOf(transition)]);
        arrows.set(id, { id, from, to, labels: [...labels] });
      }
    }
  }
  return [...arrows.values()];
}

function labelOf({ eventType, guard }: { readonly eventType: string; readonly guard?: unknown }): string {
  const condition = typeof guard === 'string' ? guard : '';
  return [eventType, condition === '' ? '' : `[${condition}]`].filter((part) => part !== '').join(' ');
}
