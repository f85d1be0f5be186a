import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MicrosSpan, micros, microsSpan } from '../../base/units.ts';
import type { Pin } from '../scenario.ts';
import { Draws } from './draws.ts';
import { Gate, Kernel, type Process } from './kernel.ts';
import type { Phase } from './order.ts';
import { TimerHeap } from './timerHeap.ts';

const kernelTo = (horizon: number): Kernel => new Kernel(micros(0), micros(horizon));

describe('timer heap', () => {
  const keys = fc.array(fc.record({ at: fc.nat(3), phase: fc.nat(3), pops: fc.nat(2) }), { maxLength: 600 });
  it('gives what is first in time, phase, insertion, whatever came and went before', () => {
    fc.assert(
      fc.property(keys, (pushed) => {
        const heap = new TimerHeap<{ readonly at: number; readonly phase: number; readonly seq: number }>();
        let waiting: { readonly at: number; readonly phase: number; readonly seq: number }[] = [];
        const pop = (): void => {
          waiting = waiting.toSorted((a, b) => a.at - b.at || a.phase - b.phase || a.seq - b.seq);
          expect(heap.first).toBe(waiting[0]);
          expect(heap.firstAt).toBe(waiting[0]?.at ?? Number.POSITIVE_INFINITY);
          if (waiting.shift()) heap.pop();
        };
        for (const [seq, { at, phase, pops }] of pushed.entries()) {
          const item = { at, phase, seq };
          heap.push(micros(at), phase, item);
          waiting.push(item);
          for (let i = 1; i < pops; i++) pop();
        }
        while (waiting.length > 0) pop();
        pop();
      }),
      { numRuns: 30 },
    );
  });
});

describe('kernel', () => {
  it.each<[string, readonly [number, Phase][], string]>([
    [
      'earlier instants first',
      [
        [3, 'app'],
        [1, 'app'],
        [2, 'app'],
      ],
      '1app 2app 3app',
    ],
    [
      'within an instant by phase',
      [
        [1, 'probeWorker'],
        [1, 'app'],
        [1, 'kubelet'],
      ],
      '1app 1kubelet 1probeWorker',
    ],
  ])('runs %s', (_name, calls, expected) => {
    const kernel = kernelTo(10);
    const seen: string[] = [];
    for (const [at, phase] of calls) kernel.at(micros(at), phase, () => seen.push(`${kernel.now}${phase}`));
    kernel.advance(100);
    expect(seen.join(' ')).toBe(expected);
  });

  it('runs equals in the order of their insertion', () => {
    const kernel = kernelTo(10);
    const seen: number[] = [];
    for (let i = 0; i < 50; i++) kernel.at(micros(1), 'app', () => seen.push(i));
    kernel.advance(100);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });

  it('lets an effect never overtake a simultaneous cause, whatever its phase', () => {
    const kernel = kernelTo(10);
    const seen: string[] = [];
    kernel.at(micros(1), 'kubelet', () => {
      kernel.post('app', () => seen.push('effect'));
      seen.push('cause');
    });
    kernel.at(micros(1), 'probeWorker', () => seen.push('other cause'));
    kernel.advance(100);
    expect(seen).toEqual(['cause', 'other cause', 'effect']);
  });

  it('does not run what was cancelled, and does not count it', () => {
    const kernel = kernelTo(10);
    const timer = kernel.at(micros(1), 'app', () => expect.unreachable());
    timer.cancelled = true;
    expect(kernel.advance(0)).toBe(false);
    expect(kernel.advance(1)).toBe(false);
  });

  it('refuses the past', () => {
    const kernel = kernelTo(10);
    kernel.at(micros(5), 'app', () => kernel.at(micros(4), 'app', () => {}));
    expect(() => kernel.advance(10)).toThrow(RangeError);
  });

  it('ends before the horizon, and stands at it', () => {
    const kernel = kernelTo(10);
    const seen: number[] = [];
    for (const at of [9, 10, 11]) kernel.at(micros(at), 'app', () => seen.push(at));
    expect(kernel.advance(100)).toBe(false);
    expect([seen, kernel.now]).toEqual([[9], 10]);
  });

  it('stops after its budget and goes on where it was', () => {
    const kernel = kernelTo(10);
    const seen: number[] = [];
    for (const at of [1, 2, 3]) kernel.at(micros(at), 'app', () => seen.push(at));
    expect([kernel.advance(2), [...seen]]).toEqual([true, [1, 2]]);
    expect([kernel.advance(2), seen]).toEqual([false, [1, 2, 3]]);
  });

  it('runs a process through its waits and gates', () => {
    const kernel = kernelTo(100);
    const seen: string[] = [];
    const gate = new Gate();
    function* process(): Process {
      yield microsSpan(5);
      seen.push(`waited ${kernel.now}`);
      yield 0 as MicrosSpan;
      seen.push(`same ${kernel.now}`);
      yield gate;
      seen.push(`gate ${kernel.now}`);
    }
    kernel.start(process(), 'app');
    kernel.at(micros(20), 'app', () => gate.open());
    kernel.advance(100);
    expect(seen).toEqual(['waited 5', 'same 5', 'gate 20']);
  });
});

describe('draws', () => {
  it('are fractions of (seed, name, index) and of nothing else', () => {
    const draw = (seed: number, names: readonly string[]): readonly number[] => {
      const draws = new Draws(seed, {});
      return names.map((name) => draws.number(name, micros(0), (u) => u));
    };
    const [a0, b0, a1] = draw(1, ['a', 'b', 'a']);
    expect(draw(1, ['b', 'a', 'a'])).toEqual([b0, a0, a1]);
    expect(draw(2, ['a'])).not.toEqual([a0]);
    expect(a1).not.toBe(a0);
  });

  it('spread evenly over [0, 1)', () => {
    const draws = new Draws(3, {});
    const buckets = new Array<number>(10).fill(0);
    for (let i = 0; i < 10_000; i++) {
      const u = draws.number(`name/${i % 7}`, micros(0), (fraction) => fraction);
      buckets[Math.floor(u * 10)] = (buckets[Math.floor(u * 10)] ?? 0) + 1;
    }
    // Ten standard deviations of a fair spread.
    for (const count of buckets) expect(Math.abs(count - 1000)).toBeLessThan(300);
  });

  it('a pin is the result, and the next draw of that name takes the next pin', () => {
    const draws = new Draws(1, {
      a: [
        { value: 7, at: null },
        { value: 8, at: null },
      ],
    });
    expect([0, 1].map(() => draws.number('a', micros(0), () => -1))).toEqual([7, 8]);
    expect(draws.number('a', micros(0), () => -1)).toBe(-1);
  });

  it('a pinned choice is taken; one that is not on offer is a difference', () => {
    const draws = new Draws(1, {
      a: [
        { value: 'manual', at: null },
        { value: 'stop', at: micros(5) },
      ],
    });
    expect(draws.choice('a', micros(1), ['ticker', 'manual'])).toBe('manual');
    expect(draws.choice('a', micros(5), ['ticker'])).toBe('ticker');
    expect(draws.differencesUntil(micros(9))).toMatchObject([{ index: 1, note: 'stop is not one of ticker' }]);
  });

  it.each<[row: string, pins: readonly Pin[], taken: readonly string[]]>([
    ['where a recording has nothing', [], ['stop', 'stop', 'stop']],
    ['but for the instants of which it has something', [{ value: 'x', at: micros(2) }], ['stop', 'x', 'stop']],
  ])('what recordings do not write down is what was taken %s', (_row, pins, taken) => {
    const draws = new Draws(1, { a: pins }, true);
    expect([1, 2, 3].map((at) => draws.choice('a', micros(at), ['x', 'stop'], 'stop'))).toEqual(taken);
    expect(draws.differencesUntil(micros(9))).toEqual([]);
    expect(draws.taken?.every(({ pinned }) => pinned)).toBe(true);
  });

  it('without a recording it is as likely as anything else', () => {
    const draws = new Draws(1, {});
    const taken = Array.from({ length: 20 }, () => draws.choice('a', micros(0), ['x', 'stop'], 'stop'));
    expect(new Set(taken)).toEqual(new Set(['x', 'stop']));
  });

  it('an order has each label once, the same for the same seed, another for another', () => {
    const labels = ['a', 'b', 'c', 'd', 'e', 'f'];
    const orders = [1, 1, 2].map((seed) => new Draws(seed, {}).order('o', micros(0), labels));
    expect(orders[0]?.toSorted()).toEqual(labels);
    expect(orders[1]).toEqual(orders[0]);
    expect(orders[2]).not.toEqual(orders[0]);
  });

  it('a pinned order is taken; what it leaves out comes last, what is not on offer is a difference', () => {
    const draws = new Draws(1, {
      o: [
        { value: 'c, a', at: null },
        { value: 'a, x', at: micros(5) },
      ],
    });
    expect(draws.order('o', micros(1), ['a', 'b', 'c'])).toEqual(['c', 'a', 'b']);
    expect(draws.order('o', micros(5), ['a'])).toEqual(['a']);
    expect(draws.differencesUntil(micros(9))).toMatchObject([{ index: 1, note: 'x is not one of a' }]);
  });

  it('an order that is drawn before the instant of its pin leaves the pin for then', () => {
    const draws = new Draws(1, { o: [{ value: 'b, a', at: micros(5) }] });
    draws.order('o', micros(-9), ['x', 'y']);
    expect(draws.order('o', micros(5), ['a', 'b'])).toEqual(['b', 'a']);
    expect(draws.differencesUntil(micros(9))).toEqual([]);
  });

  it('an order whose instant passes without it is reported', () => {
    const draws = new Draws(1, { o: [{ value: 'b, a', at: micros(5) }] });
    draws.order('o', micros(4), ['a', 'b']);
    expect(draws.differencesUntil(micros(9))).toMatchObject([{ index: 0, note: 'never consumed' }]);
  });

  it('a pin whose instant has passed is left behind and reported; one for later is reported when it is taken', () => {
    const draws = new Draws(1, { a: [2, 6, 9].map((at) => ({ value: at, at: micros(at) })) });
    expect(draws.number('a', micros(6), () => -1)).toBe(6);
    expect(draws.number('a', micros(7), () => -1)).toBe(9);
    expect(draws.differencesUntil(micros(10)).map(({ index, note }) => `${index} ${note}`)).toEqual([
      '0 never consumed',
      '2 consumed at another instant',
    ]);
  });

  it('pins that the run never came to are reported, but not those beyond its end', () => {
    const draws = new Draws(1, { a: [2, 20].map((at) => ({ value: at, at: micros(at) })) });
    expect(draws.differencesUntil(micros(10)).map(({ expectedAt }) => expectedAt)).toEqual([2]);
  });
});
