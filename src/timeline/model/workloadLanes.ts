/** Lanes of one workload: how many of its Pods are there, and a Deployment's ReplicaSets one by one. */
import type { Micros } from '../../base/units.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { historyOf, type StoredVersion, storedKeys } from '../../sim/trace/storedObjects.ts';
import { bandsFrom, type Change } from './bands.ts';
import { replicaSetLaneId } from './controlPlaneLaneOf.ts';
import { emptyLane } from './lane.ts';
import type { Band, GlyphRun, Lane } from './marks.ts';
import { replicaSetsOf } from './replicaSets.ts';

type Look = Pick<Change, 'tone' | 'pattern' | 'word' | 'note'>;
const NOWHERE = { node: '', pod: '' } as const;
const ABSENT: Look = { tone: 'idle', pattern: 'absent', word: 'none', note: '' };

/** Resources that have a lane each, and their kinds. */
const WORKLOAD_RESOURCES = ['deployments', 'statefulsets', 'daemonsets', 'poddisruptionbudgets'] as const;
type WorkloadResource = (typeof WORKLOAD_RESOURCES)[number];

export interface Workload {
  readonly resource: WorkloadResource;
  /** `namespace/name`. */
  readonly key: string;
}

/** Workloads and budgets that were ever stored. */
export const workloadsOf = ({ reader }: FinishedRun): readonly Workload[] =>
  WORKLOAD_RESOURCES.flatMap((resource) => storedKeys(reader, resource).map((key) => ({ resource, key })));

/** How much of a workload is there. */
export function workloadBands({ reader }: FinishedRun, { resource, key }: Workload): readonly Band[] {
  const changes = historyOf(reader, resource, key).map((version): Change => {
    const { at, ref } = version;
    return { at, ref, ...lookOf(resource, version) };
  });
  return bandsFrom([{ at: startOf(changes), ref: null, ...ABSENT }, ...changes], reader.data.horizon);
}

const startOf = (changes: readonly Change[]): Micros => Math.min(0, changes[0]?.at ?? 0) as Micros;

/** The workload itself; of a Deployment then each ReplicaSet. */
export function workloadLanes(run: FinishedRun, workload: Workload): readonly Lane[] {
  const { resource, key } = workload;
  const own: Lane = {
    ...emptyLane(NOWHERE, 'workload', '', `${resource}/${key}`),
    bands: workloadBands(run, workload),
    glyphs: specChanges(run, workload),
  };
  return resource === 'deployments' ? [own, ...replicaSetLanes(run, key)] : [own];
}

function lookOf(resource: WorkloadResource, { object }: StoredVersion): Look {
  if (object === null) return ABSENT;
  if (resource === 'daemonsets') {
    const { desiredNumberScheduled, numberReady } = (object as NonNullable<StoredVersion<'daemonsets'>['object']>)
      .status;
    return share(numberReady, desiredNumberScheduled, 'ready');
  }
  if (resource === 'poddisruptionbudgets') {
    const { disruptionsAllowed, currentHealthy, desiredHealthy } = (
      object as NonNullable<StoredVersion<'poddisruptionbudgets'>['object']>
    ).status;
    const note = `${currentHealthy}/${desiredHealthy}`;
    return disruptionsAllowed > 0
      ? { tone: 'ok', pattern: 'ready', word: `+${disruptionsAllowed}`, note }
      : { tone: 'wait', pattern: 'notYet', word: '0', note };
  }
  const { spec, status } = object as NonNullable<StoredVersion<'deployments'>['object']>;
  const { availableReplicas = 0, conditions = [] } = status;
  const isOverdue = conditions.some(({ reason }) => reason === OVERDUE);
  const look = share(availableReplicas, spec.replicas, isOverdue ? OVERDUE : spec.paused ? 'paused' : 'available');
  return isOverdue ? { ...look, tone: 'fail', pattern: 'notYet' } : look;
}

/** Why a Deployment is not Progressing any more (N-014). */
const OVERDUE = 'ProgressDeadlineExceeded';

const share = (there: number, wanted: number, note: string): Look =>
  there < wanted
    ? { tone: 'wait', pattern: 'notYet', word: `${there}/${wanted}`, note }
    : { tone: 'ok', pattern: 'ready', word: `${there}/${wanted}`, note };

/** Writes that changed the spec: somebody scales, rolls out, pauses. */
function specChanges({ reader }: FinishedRun, { resource, key }: Workload): readonly GlyphRun[] {
  let before = -1;
  return historyOf(reader, resource, key).flatMap(({ at, ref, object }) => {
    const generation = object?.metadata.generation ?? 0;
    if (generation === before) return [];
    before = generation;
    return [page(at, ref.row)];
  });
}

const page = (at: Micros, row: number): GlyphRun => ({
  row,
  at,
  period: 0,
  count: 1,
  length: 0,
  shape: 'page',
  tone: 'mech',
  text: '',
  note: '',
  manual: false,
});

/** One lane a ReplicaSet; its number is that of its replicas. Named by the order in which they were made: hashes are for display only. */
const replicaSetLanes = (run: FinishedRun, deployment: string): readonly Lane[] =>
  replicaSetsOf(run.reader, deployment).map((key, index) => {
    const changes = historyOf(run.reader, 'replicasets', key).map(({ at, ref, object }): Change => {
      const replicas = object?.spec.replicas ?? 0;
      if (replicas === 0) return { at, ref, ...ABSENT, word: object === null ? 'none' : '0' };
      const note = `${object?.status.readyReplicas ?? 0} ready`;
      return { at, ref, tone: 'mech', pattern: 'plain', word: `${replicas}`, note };
    });
    return {
      ...emptyLane(NOWHERE, 'replicaSet', '', key),
      id: replicaSetLaneId(deployment, index),
      title: `ReplicaSet ${index + 1}`,
      bands: bandsFrom(changes, run.reader.data.horizon),
    };
  });
