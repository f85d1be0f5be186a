import { describe, expect, it } from 'vitest';
import { micros, seconds } from '../../../base/units.ts';
import { FailedPodsBackoff } from './failedPodsBackoff.ts';

const at = (second: number) => micros(second * 1_000_000);

/** A back-off that has counted failures at these seconds. */
const afterFailuresAt = (...failures: readonly number[]): FailedPodsBackoff => {
  const backoff = new FailedPodsBackoff();
  for (const second of failures) backoff.next('id', at(second));
  return backoff;
};

describe('a failed Pod of a DaemonSet', () => {
  it.each<[string, FailedPodsBackoff, number, number | null]>([
    ['goes at once the first time', afterFailuresAt(), 0, null],
    ['waits a second after the one before', afterFailuresAt(0), 0.999, 1],
    ['goes when that second is over', afterFailuresAt(0), 1, null],
    ['waits twice as long each time', afterFailuresAt(0, 1, 3), 6, 4],
    ['never waits longer than 15 minutes', afterFailuresAt(...Array.from({ length: 14 }, (_, i) => i)), 14, 900],
    ['has a clean record half an hour later', afterFailuresAt(...Array.from({ length: 14 }, () => 0)), 1801, null],
  ])('%s', (_name, backoff, now, delay) => {
    expect(backoff.delayOf('id', at(now))).toBe(delay === null ? null : seconds(delay));
  });

  it('begins with a second again after half an hour', () => {
    const backoff = afterFailuresAt(0, 1, 3);
    backoff.next('id', at(3 + 1801));
    expect(backoff.delayOf('id', at(3 + 1801))).toBe(seconds(1));
  });
});
