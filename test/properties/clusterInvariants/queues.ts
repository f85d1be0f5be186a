/** What holds of the controllers' work queues and their workers. */
import { CONTROLLERS, type ControllerName } from '../../../src/sim/clusterInput.ts';
import type { TraceEvent } from '../../../src/sim/trace/reader.ts';
import { type ClusterObservation, COMPONENTS } from '../clusterObservation.ts';
import { type Invariant, pairs } from '../invariant.ts';
import { place } from '../observation.ts';

type QueueKind = 'queueAdd' | 'queueAddAfter' | 'queueGet' | 'queueDone' | 'queueRetry' | 'queueDropped';
/** First and longest back-off, µs (C-032). */
const BACK_OFF: Readonly<Record<ControllerName, readonly [first: number, longest: number]>> = {
  endpoints: [5_000, 1_000_000_000],
  endpointslices: [1_000_000, 1_000_000_000],
  mirroring: [1_000_000, 100_000_000],
};

const ofController = <K extends QueueKind>(
  run: ClusterObservation,
  kind: K,
  controller: ControllerName,
): readonly TraceEvent<K>[] => run.of(kind).filter(({ subject }) => subject.component === COMPONENTS[controller]);

/** Events of each key of a controller's queue, in the order in which they happened. */
function byKey(run: ClusterObservation, controller: ControllerName): ReadonlyMap<string, readonly TraceEvent[]> {
  const kinds = ['queueAddAfter', 'queueAdd', 'queueGet', 'queueDone', 'queueRetry', 'queueDropped', 'controllerSync'];
  const keys = new Map<string, TraceEvent[]>();
  for (const event of run.events) {
    if (event.subject.component !== COMPONENTS[controller] || !kinds.includes(event.kind)) continue;
    const list = keys.get(event.subject.object) ?? [];
    list.push(event);
    keys.set(event.subject.object, list);
  }
  for (const list of keys.values()) list.sort((a, b) => a.ref.row - b.ref.row);
  return keys;
}

/** Each stay of a key in the queue: when it came, and the row in which it was taken. */
const waitsOf = (events: readonly TraceEvent[]): readonly { readonly added: number; readonly got: number }[] =>
  events.flatMap((event, place) => {
    if (event.kind !== 'queueAdd') return [];
    const got = events.slice(place).find(({ kind }) => kind === 'queueGet');
    return [{ added: event.at, got: got?.ref.row ?? Number.POSITIVE_INFINITY }];
  });

/** A sync counts when it begins: nothing of its key happens between that and its end but adds. */
const isSuccess = (sync: TraceEvent<'controllerSync'>, { horizon }: ClusterObservation): boolean =>
  sync.end < horizon && sync.payload.error === '';

export const QUEUE_INVARIANTS: readonly Invariant<ClusterObservation>[] = [
  {
    name: 'a key is never processed twice at once: get and done alternate (C-030)',
    check: (run, find) => {
      for (const controller of CONTROLLERS) {
        for (const events of byKey(run, controller).values()) {
          const turns = events.filter(({ kind }) => kind === 'queueGet' || kind === 'queueDone');
          for (const [one, next] of pairs(turns))
            find.that(one.kind !== next.kind, () => `${place(one)}, ${place(next)}`);
        }
      }
    },
  },
  {
    name: 'each add is taken once, after just as long as the get says (C-030)',
    check: (run, find) => {
      for (const controller of CONTROLLERS) {
        for (const events of byKey(run, controller).values()) {
          let added: TraceEvent | null = null;
          for (const event of events) {
            if (event.kind === 'queueAdd') {
              find.that(added === null, () => `${place(event)}: added already`);
              added = event;
            } else if (event.kind === 'queueGet') {
              const { waited } = event.payload;
              find.that(added !== null && event.at - added.at === waited, () => place(event));
              added = null;
            }
          }
        }
      }
    },
  },
  {
    name: 'never more keys at once than there are workers (C-200)',
    check: (run, find) => {
      for (const controller of CONTROLLERS) {
        const workers = run.cluster.controllers[controller]?.workers ?? 0;
        let busy = 0;
        const turns = [...ofController(run, 'queueGet', controller), ...ofController(run, 'queueDone', controller)];
        for (const turn of turns.sort((a, b) => a.ref.row - b.ref.row)) {
          busy += turn.kind === 'queueGet' ? 1 : -1;
          find.that(busy >= 0 && busy <= workers, () => `${place(turn)}: ${busy} busy`);
        }
      }
    },
  },
  {
    name: 'a key that is asked for is due no later than asked: batching never delays more than its period (C-031, C-113)',
    check: (run, find) => {
      for (const controller of CONTROLLERS) {
        for (const events of byKey(run, controller).values()) {
          const waits = waitsOf(events);
          for (const asked of events) {
            if (asked.kind !== 'queueAddAfter') continue;
            const due = asked.at + asked.payload.delay;
            const isThere = waits.some(({ added, got }) => added <= due && got > asked.ref.row);
            find.that(due >= run.horizon || isThere, () => `${place(asked)}: not there at ${due}`);
          }
        }
      }
    },
  },
  {
    name: 'a Pod’s change asks for its Services after the batch period (C-113)',
    check: (run, find) => {
      for (const controller of CONTROLLERS) {
        const period = run.cluster.controllers[controller]?.batchPeriod ?? 0;
        for (const asked of ofController(run, 'queueAddAfter', controller)) {
          if (run.causes(asked)[0]?.kind !== 'podSynced') continue;
          find.that(asked.payload.delay === period, () => `${place(asked)}: ${asked.payload.delay}`);
        }
      }
    },
  },
  {
    name: 'the back-off of a key doubles with each failure in a row, and ends with a success (C-032)',
    check: (run, find) => {
      for (const controller of CONTROLLERS) {
        const [first, longest] = BACK_OFF[controller];
        for (const events of byKey(run, controller).values()) {
          let failures = 0;
          for (const event of events) {
            const isRetry = event.kind === 'queueAddAfter' && run.causes(event)[0]?.kind === 'queueRetry';
            if (isRetry) {
              const expected = Math.min(first * 2 ** failures, longest);
              find.that(
                event.payload.delay === expected,
                () => `${place(event)}: ${event.payload.delay}, not ${expected}`,
              );
              failures++;
            } else if (event.kind === 'queueDropped' || (event.kind === 'controllerSync' && isSuccess(event, run))) {
              failures = 0;
            }
          }
        }
      }
    },
  },
  {
    name: 'a sync that fails is tried again or dropped, one that succeeds is neither (C-032)',
    check: (run, find) => {
      for (const controller of CONTROLLERS) {
        const answers = [
          ...ofController(run, 'queueRetry', controller),
          ...ofController(run, 'queueDropped', controller),
        ];
        const answered = new Map(answers.map((event) => [run.causes(event)[0]?.ref.row, event]));
        for (const sync of run.syncs(controller)) {
          if (!(sync.end < run.horizon)) continue;
          const answer = answered.get(sync.ref.row);
          find.that((sync.payload.error === '') === (answer === undefined), () => place(sync));
          if (answer) find.that(answer.payload.error === sync.payload.error, () => place(answer));
        }
      }
    },
  },
  {
    name: 'every request belongs to a sync, and is made and answered within it (C-120, C-210, C-260)',
    check: (run, find) => {
      for (const controller of CONTROLLERS) {
        for (const write of run.writes(controller)) {
          const sync = run.ancestor(write, 'controllerSync');
          find.that(
            sync !== null && sync.at <= write.at && !(sync.end < write.end) && write.at < write.payload.committedAt,
            () => place(write),
          );
        }
      }
    },
  },
];
