import { micros } from '../../../base/units.ts';
import type { Pins } from '../../../sim/scenario.ts';
import { nodeOrderPins } from './nodeOrder.ts';
import { podOrderPins } from './podOrder.ts';
import type { WorkloadsRecording } from './recording.ts';

type RecordedDraws = WorkloadsRecording['scenario']['draws'];

/** What chance decided in a recording. */
export const workloadPins = (recording: WorkloadsRecording): Pins => ({
  ...victimPins(recording.scenario.draws),
  ...leasePins(recording.scenario.draws),
  ...stalePins(recording.events),
  ...nodeOrderPins(recording),
  ...podOrderPins(recording),
});

/** Pods that a decision deleted which depended on the order of a cache. */
const victimPins = ({ victimTies }: RecordedDraws): Pins =>
  Object.fromEntries(
    victimTies.flatMap(({ t, deleted }) => {
      const [first = ''] = deleted;
      const set = first.slice(0, first.lastIndexOf('-'));
      return [[`replicaset/victims/default/${set}@${t}`, [{ value: deleted.join(', '), at: micros(t) }]]];
    }),
  );

/** Which of several caches a controller found behind, where it says so. */
const stalePins = (events: WorkloadsRecording['events']): Pins =>
  Object.fromEntries(
    events.flatMap(({ t, type, key, resource }) =>
      type === 'staleCache' ? [[`staleCache/default/${key}@${t}`, [{ value: String(resource), at: null }]]] : [],
    ),
  );

/** Instants of the Leases' commits. */
const leasePins = ({ leaseRenewalsUs }: RecordedDraws): Pins =>
  Object.fromEntries(
    Object.entries(leaseRenewalsUs).map(([node, renewals]) => [
      `kubelet/lease/${node}`,
      renewals.map((value) => ({ value, at: null })),
    ]),
  );
