import { describe, expect, it } from 'vitest';
import { type MicrosSpan, micros, milliseconds } from '../../base/units.ts';
import type { Jitter, Pins } from '../scenario.ts';
import { Draws } from './draws.ts';
import { HopLengths } from './hopLengths.ts';

const JITTER: Jitter = {
  apiRequest: [
    [0, 1_000],
    [1, 3_000],
  ],
};

function lengths(jitter: Jitter, pins: Pins = {}, seed = 1): readonly MicrosSpan[] {
  const hops = new HopLengths(new Draws(seed, pins), jitter);
  return [0, 1, 2].map((at) => hops.next('apiRequest', 'default/web', micros(at), milliseconds(5)));
}

describe('the length of a hop', () => {
  it('is the one that the scenario has where nothing varies', () => {
    expect(lengths({})).toEqual([5_000, 5_000, 5_000]);
  });

  it('differs from one occurrence to the next, within its distribution', () => {
    const drawn = lengths(JITTER);
    expect(new Set(drawn).size).toBe(3);
    expect(drawn.every((length) => length >= 1_000 && length <= 3_000)).toBe(true);
  });

  it('depends on the seed', () => {
    expect(lengths(JITTER, {}, 2)).not.toEqual(lengths(JITTER));
  });

  it('is the pinned one where its draw is pinned, by occurrence', () => {
    const pins: Pins = { 'latency/apiRequest/default/web': [{ value: 7, at: null }] };
    expect(lengths(JITTER, pins)).toEqual([7, ...lengths(JITTER).slice(1)]);
  });
});
