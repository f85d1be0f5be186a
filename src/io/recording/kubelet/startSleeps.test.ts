import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '../event.ts';
import { startSleeps } from './startSleeps.ts';

const BEYOND = 600;
const worker = { lane: 'probe', pod: 'web-0', container: 'app', probe: 'readiness' };
const added: RecordedEvent = { ...worker, t: 0, type: 'worker', op: 'added' };
const woke: RecordedEvent = { ...worker, t: 0, type: 'turn', cause: 'first' };
const tick: RecordedEvent = { ...worker, t: 0, type: 'turn', cause: 'ticker' };

describe('the first sleeps of probe workers', () => {
  it.each<[row: string, listed: readonly number[] | null, events: readonly RecordedEvent[], sleeps: readonly number[]]>(
    [
      ['are those of the list when each worker had a turn', [3, 4], [added, woke, tick, added, woke], [3, 4, BEYOND]],
      [
        'leave out the last worker when the recording ended before it woke',
        [3],
        [added, woke, added],
        [3, BEYOND, BEYOND],
      ],
      [
        'leave out the first one when its kubelet stopped before it woke',
        [4],
        [added, added, woke],
        [BEYOND, 4, BEYOND],
      ],
      ['are known for a worker that is in no list, as it never woke', null, [added], [BEYOND, BEYOND]],
      [
        'are those of a list that has each worker, as lists of our own runs do',
        [3, 4],
        [added, added, woke],
        [3, 4, BEYOND],
      ],
      ['lack that of a worker that woke and is not in the list', null, [added, woke], []],
      ['are those of the list where the recording hides probes', [3], [], [3, BEYOND]],
    ],
  )('%s', (_row, listed, events, sleeps) => {
    const key = 'web-0/app/readiness';
    expect(startSleeps(listed ? { [key]: listed } : {}, events, BEYOND)).toEqual({ [key]: sleeps });
  });
});
