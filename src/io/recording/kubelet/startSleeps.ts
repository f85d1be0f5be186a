import type { RecordedEvent } from '../event.ts';

/**
 * The first sleep of each worker, µs, by `pod/container/probe`, in the order in which they were made.
 *
 * The recordings list only workers that had a first turn: one that was still asleep when its kubelet stopped, or when the
 * recording ended, is not in the list. Such a one, and any that the events do not show, sleeps for `beyond`.
 */
export function startSleeps(
  listed: Readonly<Record<string, readonly number[]>>,
  events: readonly RecordedEvent[],
  beyond: number,
): Readonly<Record<string, readonly number[]>> {
  const wokeByKey = workersThatWoke(events);
  const keys = new Set([...Object.keys(listed), ...wokeByKey.keys()]);
  return Object.fromEntries(
    [...keys].map((key) => {
      const sleeps = listed[key] ?? [];
      const woke = wokeByKey.get(key) ?? [];
      // One that woke and is not in the list has no pin, and so is reported.
      if (sleeps.length < woke.filter((hasWoken) => hasWoken).length) return [key, sleeps];
      return [key, [...(sleeps.length < woke.length ? inPlaces(sleeps, woke, beyond) : sleeps), beyond]];
    }),
  );
}

/** For each worker, in the order of their making, whether it had a turn. */
function workersThatWoke(events: readonly RecordedEvent[]): ReadonlyMap<string, boolean[]> {
  const workers = new Map<string, boolean[]>();
  for (const { lane, type, op, cause, pod, container, probe } of events) {
    if (lane !== 'probe') continue;
    const key = `${pod}/${container}/${probe}`;
    const known = workers.get(key);
    if (type === 'worker' && op === 'added') workers.set(key, [...(known ?? []), false]);
    else if (type === 'turn' && cause === 'first') known?.splice(-1, 1, true);
  }
  return workers;
}

function inPlaces(sleeps: readonly number[], woke: readonly boolean[], beyond: number): readonly number[] {
  const left = [...sleeps];
  return woke.map((hasWoken) => (hasWoken ? left.shift() : undefined) ?? beyond);
}
