/** Where groups and lanes stand, top to bottom, in px. */
import { bisector } from 'd3-array';
import type { CssPx } from '../../base/units.ts';
import { isDetail } from './lane.ts';
import type { Lane, LaneGroup, LaneKind } from './marks.ts';

export type Density = 'compact' | 'comfortable' | 'phone';

interface Heights {
  readonly lane: Readonly<Record<LaneKind, CssPx>>;
  /** A worker that never attempts, a condition other than Ready. */
  readonly quiet: CssPx;
  readonly groupHeader: CssPx;
  /** Below the name of a folded group: room for its band; 0 where that stands beside it. */
  readonly groupBand: CssPx;
  readonly band: CssPx;
  /** The thinner row below a pod worker's passes. */
  readonly step: CssPx;
  /** Room for the lane's name above its marks; 0 when it stands in a column of its own. */
  readonly labelAbove: CssPx;
}

/** Values: design tokens, `lane`. */
export const HEIGHTS: Readonly<Record<Density, Heights>> = {
  compact: {
    lane: {
      app: 30,
      runtime: 28,
      worker: 44,
      results: 30,
      syncLoop: 30,
      channel: 24,
      podWorker: 38,
      status: 30,
      condition: 28,
      phase: 28,
      container: 28,
      events: 28,
      endpointSlices: 30,
      endpoint: 22,
      endpoints: 28,
      endpointsController: 38,
      endpointSliceController: 38,
      mirroringController: 38,
      rules: 28,
      ruleSync: 38,
      client: 44,
      workload: 28,
      replicaSet: 24,
      nodeReady: 28,
      lease: 28,
      taints: 28,
    },
    quiet: 26,
    groupHeader: 20,
    groupBand: 0,
    band: 16,
    step: 12,
    labelAbove: 0,
  },
  comfortable: {
    lane: {
      app: 38,
      runtime: 34,
      worker: 60,
      results: 38,
      syncLoop: 38,
      channel: 34,
      podWorker: 46,
      status: 38,
      condition: 36,
      phase: 36,
      container: 36,
      events: 36,
      endpointSlices: 38,
      endpoint: 26,
      endpoints: 36,
      endpointsController: 46,
      endpointSliceController: 46,
      mirroringController: 46,
      rules: 36,
      ruleSync: 46,
      client: 60,
      workload: 36,
      replicaSet: 34,
      nodeReady: 36,
      lease: 36,
      taints: 36,
    },
    quiet: 34,
    groupHeader: 24,
    groupBand: 0,
    band: 20,
    step: 14,
    labelAbove: 0,
  },
  phone: {
    lane: {
      app: 39,
      runtime: 39,
      worker: 56,
      results: 42,
      syncLoop: 42,
      channel: 39,
      podWorker: 54,
      status: 39,
      condition: 39,
      phase: 39,
      container: 39,
      events: 39,
      endpointSlices: 42,
      endpoint: 36,
      endpoints: 39,
      endpointsController: 54,
      endpointSliceController: 54,
      mirroringController: 54,
      rules: 39,
      ruleSync: 54,
      client: 62,
      workload: 39,
      replicaSet: 39,
      nodeReady: 39,
      lease: 39,
      taints: 39,
    },
    quiet: 39,
    groupHeader: 24,
    groupBand: 14,
    band: 16,
    step: 13,
    labelAbove: 17,
  },
};

/** Lanes of a group that are shown on demand; `id` is what folds them. */
interface Details {
  readonly id: string;
  readonly count: number;
  readonly folded: boolean;
}

export type LayoutRow =
  | {
      readonly kind: 'group';
      readonly group: LaneGroup;
      readonly folded: boolean;
      /** Lanes that are shown on demand; null where there are none, or all others are hidden too. */
      readonly details: Details | null;
      readonly top: CssPx;
      readonly height: CssPx;
    }
  | {
      readonly kind: 'lane';
      readonly lane: Lane;
      /** Null: there is nothing to unfold below it. */
      readonly folded: boolean | null;
      readonly top: CssPx;
      readonly height: CssPx;
    };

export interface Layout {
  readonly rows: readonly LayoutRow[];
  /** Lanes of the unfolded groups, those that come hidden included. */
  readonly laneCount: number;
  readonly height: CssPx;
  readonly density: Density;
}

/** Lanes with the parts of those that are unfolded below them. */
export const unfolded = (lanes: readonly Lane[], isFolded: (id: string) => boolean): readonly Lane[] =>
  lanes.flatMap((lane) => (lane.parts.length === 0 || isFolded(lane.id) ? [lane] : [lane, ...lane.parts]));

/** What stands for the lanes of a group that are shown on demand. */
export const detailsId = ({ id }: LaneGroup): string => `details|${id}`;

/** Lanes of a group that is unfolded, without those that are shown on demand while they are folded. A group of nothing else shows them. */
export function lanesOf(group: LaneGroup, isFolded: (id: string) => boolean): readonly Lane[] {
  const lanes = group.lanes();
  const main = isFolded(detailsId(group)) ? lanes.filter((lane) => !isDetail(lane)) : lanes;
  return main.length > 0 ? main : lanes;
}

/** Stacks the groups; lanes of a folded group take no room and are not even made. `folded` holds ids of groups, their details and lanes. */
export function layOut(groups: readonly LaneGroup[], folded: ReadonlySet<string>, density: Density): Layout {
  const heights = HEIGHTS[density];
  const rows: LayoutRow[] = [];
  const isIn = (id: string): boolean => folded.has(id);
  let [top, laneCount] = [0, 0];
  for (const group of groups) {
    const isFolded = folded.has(group.id);
    const lanes = isFolded ? [] : group.lanes();
    const details = isFolded ? null : detailsOf(group, isIn);
    laneCount += unfolded(lanes, isIn).length;
    const height =
      heights.groupHeader + (heights.groupBand > 0 && isFolded && group.summary().length > 0 ? heights.groupBand : 0);
    rows.push({ kind: 'group', group, folded: isFolded, details, top, height });
    top += height;
    for (const lane of isFolded ? [] : unfolded(lanesOf(group, isIn), isIn)) {
      const height = isQuiet(lane) ? heights.quiet : heights.lane[lane.kind];
      rows.push({ kind: 'lane', lane, folded: lane.parts.length === 0 ? null : folded.has(lane.id), top, height });
      top += height;
    }
  }
  return { rows, laneCount, height: top, density };
}

function detailsOf(group: LaneGroup, isFolded: (id: string) => boolean): Details | null {
  const lanes = group.lanes();
  const count = lanes.filter(isDetail).length;
  const id = detailsId(group);
  return count === 0 || count === lanes.length ? null : { id, count, folded: isFolded(id) };
}

const isQuiet = (lane: Lane): boolean => lane.kind === 'condition' && lane.part !== 'Ready';

const byBottom = bisector((row: LayoutRow) => row.top + row.height);
const byTop = bisector((row: LayoutRow) => row.top);
/** Rows that touch [top, bottom), found by bisection. */
export const rowsWithin = ({ rows }: Layout, top: CssPx, bottom: CssPx): readonly LayoutRow[] =>
  rows.slice(byBottom.right(rows, top), byTop.left(rows, bottom));

/** The row of a lane; null while its group is folded or it does not exist. */
export const rowOfLane = (layout: Layout, laneId: string): LayoutRow | null =>
  layout.rows.find((row) => row.kind === 'lane' && row.lane.id === laneId) ?? null;
