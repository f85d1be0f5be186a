/** Lanes of one node: its Ready condition, the renewals of its Lease, its taints. */
import type { Micros } from '../../base/units.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { historyOf, storedKeys } from '../../sim/trace/storedObjects.ts';
import type { TaintJson } from '../../sim/trace/storedWorkloads.ts';
import { bandsFrom, type Change } from './bands.ts';
import { emptyLane } from './lane.ts';
import type { Band, GlyphRun, Lane, LaneKind, Pattern, Tone } from './marks.ts';

const LEASES = 'kube-node-lease/';

const READY_LOOK: Readonly<Record<string, readonly [Tone, Pattern]>> = {
  True: ['ok', 'ready'],
  False: ['wait', 'notYet'],
  Unknown: ['idle', 'unknown'],
};

/** Nodes of which there is something to tell: they renew a Lease, or change. */
export const toldNodes = (run: FinishedRun): readonly string[] => {
  const leases = new Set(storedKeys(run.reader, 'leases').map((key) => key.slice(LEASES.length)));
  return storedKeys(run.reader, 'nodes').filter(
    (node) => leases.has(node) || nodeReadyBands(run, node).length > 1 || taintBands(run, node).length > 1,
  );
};

export const nodeLanes = (run: FinishedRun, node: string): readonly Lane[] => [
  { ...lane(node, 'nodeReady'), bands: nodeReadyBands(run, node) },
  leaseLane(run, node),
  { ...lane(node, 'taints'), bands: taintBands(run, node) },
];

const lane = (node: string, kind: LaneKind): Lane => emptyLane({ node, pod: '' }, kind, '');

export function nodeReadyBands({ reader }: FinishedRun, node: string): readonly Band[] {
  const changes = historyOf(reader, 'nodes', node).map(({ at, ref, object }): Change => {
    const ready = object?.status.conditions?.find(({ type }) => type === 'Ready');
    if (ready === undefined) return { at, ref, tone: 'idle', pattern: 'absent', word: 'none', note: '' };
    const [tone, pattern] = READY_LOOK[ready.status] ?? ['idle', 'unknown'];
    return { at, ref, tone, pattern, word: ready.status, note: ready.status === 'True' ? '' : (ready.reason ?? '') };
  });
  return bandsFrom(changes, reader.data.horizon);
}

/** `unreachable NoExecute` for each, and what keeps new Pods away without a taint. */
function taintBands({ reader }: FinishedRun, node: string): readonly Band[] {
  const changes = historyOf(reader, 'nodes', node).map(({ at, ref, object }): Change => {
    const taints = object?.spec.taints ?? [];
    const words = [...(object?.spec.unschedulable ? ['cordoned'] : []), ...taints.map(taintWord)];
    if (words.length === 0) return { at, ref, tone: 'idle', pattern: 'absent', word: 'none', note: '' };
    const evicts = taints.some(({ effect }) => effect === 'NoExecute');
    return { at, ref, tone: evicts ? 'fail' : 'wait', pattern: 'notYet', word: words.join(' · '), note: '' };
  });
  return bandsFrom(changes, reader.data.horizon);
}

/** `node.kubernetes.io/unreachable` is `unreachable` to everybody. */
const taintWord = ({ key, effect }: TaintJson): string => `${key.replace(/^node\.kubernetes\.io\//, '')}:${effect}`;

/** `nodeLeaseDurationSeconds`, which kubelets leave at 40 (pkg/kubelet/apis/config/v1beta1/defaults.go). */
const LEASE_DURATION = 40_000_000;

/** A tick for each renewal; where they stop, the Lease runs out. */
function leaseLane({ reader }: FinishedRun, node: string): Lane {
  const rows = reader.subjects.flatMap(({ component, object }, index) =>
    component === 'store' && object === `leases/${LEASES}${node}` ? [...reader.rowsOf(index)] : [],
  );
  const times = rows.map((row) => reader.data.at[row] as Micros);
  const changes = rows.flatMap((row, i): Change[] => {
    const at = times[i] as Micros;
    const ref = { row, ordinal: 0 };
    const renewed: Change = { at, ref, tone: 'ok', pattern: 'ready', word: 'renewed', note: '' };
    const end = (at + LEASE_DURATION) as Micros;
    if (end >= (times[i + 1] ?? reader.data.horizon)) return [renewed];
    return [renewed, { at: end, ref, tone: 'wait', pattern: 'notYet', word: 'expired', note: '' }];
  });
  const glyphs = rows.map((row, i): GlyphRun => ({ ...TICK, row, at: times[i] as Micros }));
  return { ...lane(node, 'lease'), bands: bandsFrom(changes, reader.data.horizon), glyphs };
}

const TICK: GlyphRun = {
  row: 0,
  at: 0 as Micros,
  period: 0,
  count: 1,
  length: 0,
  shape: 'tick',
  tone: 'mech',
  text: '',
  note: '',
  manual: false,
};
