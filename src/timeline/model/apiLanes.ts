/** Lanes of what the API server stores: phase, conditions and container states of a Pod. */
import type { Micros } from '../../base/units.ts';
import { containersOf, type PodInput } from '../../sim/scenario.ts';
import {
  apiPodKey,
  type ContainerState,
  conditionOf,
  containerStatusOf,
  type PodStatus,
  podStatusOf,
} from '../../sim/trace/podObject.ts';
import { removalsOf } from '../../sim/trace/removals.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { bandsFrom, type Change } from './bands.ts';
import { DETAIL_CONDITIONS, emptyLane } from './lane.ts';
import type { Band, Lane, Pattern, Tone } from './marks.ts';

interface Stored {
  readonly at: Micros;
  /** Null: there is no such object from here on. */
  readonly status: PodStatus | null;
  readonly row: number;
}
type Look = Pick<Change, 'tone' | 'pattern' | 'word' | 'note'>;

const NOTHING: Look = { tone: 'idle', pattern: 'absent', word: 'none', note: '' };
const PHASE_LOOK: Readonly<Record<string, readonly [Tone, Pattern]>> = {
  Pending: ['wait', 'notYet'],
  Running: ['ok', 'ready'],
  Succeeded: ['idle', 'plain'],
  Failed: ['fail', 'notYet'],
};

/** Phase, conditions and container states of one Pod in the API. Ready first: it is the question; then what it waits for. */
export function apiLanes(run: FinishedRun, pod: PodInput): readonly Lane[] {
  const stored = storedStatuses(run, pod);
  const lane = (
    kind: 'phase' | 'condition' | 'container',
    container: string,
    part: string,
    look: (s: PodStatus) => Look,
  ) => ({
    ...emptyLane({ node: pod.node, pod: pod.identity }, kind, container, part),
    bands: bandsOf(run, stored, look),
  });
  const condition = (type: string): Lane => lane('condition', '', type, (status) => conditionLook(status, type));
  return [
    condition('Ready'),
    ...pod.readinessGates.map(condition),
    lane('phase', '', '', phaseLook),
    ...containersOf(pod).map(({ name }) => lane('container', name, '', (status) => containerLook(status, name))),
    ...DETAIL_CONDITIONS.filter((type) =>
      stored.some(({ status }) => status !== null && conditionOf(status, type) !== null),
    ).map(condition),
  ];
}

/** The Ready condition alone, for a folded group. */
export const readyBands = (run: FinishedRun, pod: PodInput): readonly Band[] =>
  bandsOf(run, storedStatuses(run, pod), (status) => conditionLook(status, 'Ready'));

function storedStatuses({ reader }: FinishedRun, pod: PodInput): readonly Stored[] {
  const versions = reader
    .versionsOf(apiPodKey(pod.identity))
    .map(({ index, since, row }): Stored => ({ at: since, status: podStatusOf(reader, index), row }));
  const removals = removalsOf(reader, pod.identity);
  if (removals.length === 0) return versions;
  const ends = removals.map(({ at, ref }): Stored => ({ at, status: null, row: ref.row }));
  return [...versions, ...ends].sort((a, b) => a.at - b.at);
}

function bandsOf(
  { reader }: FinishedRun,
  stored: readonly Stored[],
  look: (status: PodStatus) => Look,
): readonly Band[] {
  const start = Math.min(0, stored[0]?.at ?? 0) as Micros;
  const changes = stored.map(
    ({ at, status, row }): Change => ({
      at,
      ref: { row, ordinal: 0 },
      ...(status === null ? NOTHING : look(status)),
    }),
  );
  return bandsFrom([{ at: start, ref: null, ...NOTHING }, ...changes], reader.data.horizon);
}

function phaseLook({ phase = 'Pending' }: PodStatus): Look {
  const [tone, pattern] = PHASE_LOOK[phase] ?? ['idle', 'unknown'];
  return { tone, pattern, word: phase, note: '' };
}

function conditionLook(status: PodStatus, type: string): Look {
  const condition = conditionOf(status, type);
  if (condition === null) return NOTHING;
  const { status: word, reason = '' } = condition;
  if (word === 'True') return { tone: 'ok', pattern: 'ready', word, note: '' };
  if (word === 'False') return { tone: 'wait', pattern: 'notYet', word, note: reason };
  return { tone: 'idle', pattern: 'unknown', word, note: reason };
}

function containerLook(status: PodStatus, name: string): Look {
  const container = containerStatusOf(status, name);
  if (container === null) return NOTHING;
  const restarts = container.restartCount > 0 ? `restartCount ${container.restartCount}` : '';
  const { word, detail, tone, pattern } = stateLook(container.state, container.ready);
  return { tone, pattern, word, note: [detail, restarts].filter((part) => part !== '').join(' · ') };
}

function stateLook(
  { running, terminated, waiting }: ContainerState,
  ready: boolean,
): Omit<Look, 'note'> & { readonly detail: string } {
  if (running !== undefined) {
    return ready
      ? { tone: 'ok', pattern: 'ready', word: 'running', detail: 'ready' }
      : { tone: 'wait', pattern: 'notYet', word: 'running', detail: 'not ready' };
  }
  if (terminated !== undefined) {
    const detail = terminated.reason ?? `exit ${terminated.exitCode}`;
    return { tone: terminated.exitCode === 0 ? 'idle' : 'fail', pattern: 'notYet', word: 'terminated', detail };
  }
  return { tone: 'idle', pattern: 'absent', word: 'waiting', detail: waiting?.reason ?? '' };
}
