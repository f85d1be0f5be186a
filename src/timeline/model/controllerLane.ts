/** The lane of what a controller does for one Service: syncs, what waits in its queue, writes. */
import type { Micros } from '../../base/units.ts';
import type { TraceEvent, TraceReader } from '../../sim/trace/reader.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { objectLaneId, serviceOfWrite } from './controlPlaneLaneOf.ts';
import { emptyLane } from './lane.ts';
import type { Bar, GlyphRun, Lane, LaneKind } from './marks.ts';
import { instant } from './podLanes.ts';
import { isKind, type Row } from './rows.ts';

export const CONTROLLER_LANES = [
  ['endpointSliceController', 'endpointslices'],
  ['endpointsController', 'endpoints'],
  ['mirroringController', 'mirroring'],
] as const satisfies readonly (readonly [LaneKind, string])[];
export type ControllerLaneKind = (typeof CONTROLLER_LANES)[number][0];

/** Syncs as bars; below them what waits: in the queue, for a back-off, for the batch period. Arrows are writes. */
export function controllerLane(run: FinishedRun, kind: ControllerLaneKind, service: string): Lane {
  const { reader } = run;
  const rows = rowsOfController(reader, kind, service);
  const bars = rows.flatMap((row): Bar[] => {
    if (!isKind(row, 'controllerSync')) return [];
    const { at, end, ref, payload } = row.event;
    const to = Number.isNaN(end) ? reader.data.horizon : end;
    return [{ from: at, to, tone: payload.error === '' ? 'mech' : 'fail', word: 'sync', ref }];
  });
  return {
    ...emptyLane({ node: '', pod: '' }, kind, '', service),
    bars,
    steps: [...delays(rows, reader), ...queued(rows)].sort((a, b) => a.from - b.from),
    glyphs: rows.flatMap(glyphOf),
  };
}

/** Whether a controller looks after the Service: the mirroring one syncs each, and writes for few. */
export const hasController = (reader: TraceReader, kind: ControllerLaneKind, service: string): boolean =>
  rowsOfController(reader, kind, service).some((row) =>
    kind === 'mirroringController'
      ? isKind(row, 'apiWrite')
      : isKind(row, 'controllerSync') && !row.event.payload.isBare,
  );

function rowsOfController(reader: TraceReader, kind: ControllerLaneKind, service: string): readonly Row[] {
  const own = reader.subjects.flatMap(({ component, object }, index) =>
    component === kind && object === service ? [...reader.rowsOf(index)] : [],
  );
  const writes = (writesByLane(reader).get(objectLaneId(kind, service)) ?? []) as readonly number[];
  return [...own, ...writes]
    .sort((a, b) => (reader.data.at[a] ?? 0) - (reader.data.at[b] ?? 0) || a - b)
    .map((row) => ({ event: reader.event({ row, ordinal: 0 }), count: 1, period: 0 }));
}

const known = new WeakMap<TraceReader, ReadonlyMap<string, readonly number[]>>();
/** Rows of the controllers' writes by the lane that they stand on; worked out once. */
function writesByLane(reader: TraceReader): ReadonlyMap<string, readonly number[]> {
  const before = known.get(reader);
  if (before !== undefined) return before;
  const found = new Map<string, number[]>();
  for (let row = 0; row < reader.data.rows; row++) {
    if (reader.kindOf(row) !== 'apiWrite') continue;
    const event = reader.event({ row, ordinal: 0 }) as TraceEvent<'apiWrite'>;
    const [kind] = CONTROLLER_LANES.find(([, actor]) => actor === event.payload.actor) ?? [];
    if (kind === undefined) continue;
    const lane = objectLaneId(kind, serviceOfWrite(event, reader));
    const rows = found.get(lane);
    if (rows) rows.push(row);
    else found.set(lane, [row]);
  }
  known.set(reader, found);
  return found;
}

/** From each wish to queue the Service later to the time that it names: after an error a back-off, else a batch. */
function delays(rows: readonly Row[], reader: TraceReader): readonly Bar[] {
  return rows.flatMap((row): Bar[] => {
    if (!isKind(row, 'queueAddAfter') || row.event.payload.delay <= 0) return [];
    const { at, ref, payload } = row.event;
    const isRetry = reader.causesOf(ref).some((cause) => reader.kindOf(cause.row) === 'queueRetry');
    return [{ from: at, to: (at + payload.delay) as Micros, tone: 'wait', word: isRetry ? 'back-off' : 'batch', ref }];
  });
}

/** From each add to the get that takes it, where a worker was not free at once. */
function queued(rows: readonly Row[]): readonly Bar[] {
  return rows.flatMap((row): Bar[] => {
    if (!isKind(row, 'queueGet') || row.event.payload.waited <= 0) return [];
    const { at, ref, payload } = row.event;
    return [{ from: (at - payload.waited) as Micros, to: at, tone: 'wait', word: 'queued', ref }];
  });
}

function glyphOf(row: Row): GlyphRun[] {
  if (isKind(row, 'apiWrite')) {
    return row.event.payload.error === '' ? [instant(row, 'arrow', 'mech', '')] : [instant(row, 'error', 'fail', '')];
  }
  return isKind(row, 'queueDropped') ? [instant(row, 'error', 'fail', '')] : [];
}
