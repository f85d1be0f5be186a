import { describe, expect, it } from 'vitest';
import { testCluster } from '../../../test/support/clusterContext.ts';
import { type MicrosSpan, microsSpan, milliseconds, seconds } from '../../base/units.ts';
import { NO_REF } from '../trace/ref.ts';
import { ErrorHandler } from './errorHandler.ts';
import { WorkQueue } from './workQueue.ts';

interface Play {
  readonly queue: WorkQueue;
  readonly at: (at: number, call: () => void) => void;
}

/** Begins and ends of processing, as `<key> <begin>-<end>`, each of which takes `takes` µs. */
function played(play: (play: Play) => void, takes = 0, workers = 5, runsAt = 0): readonly string[] {
  const { context, kernel, at, run } = testCluster();
  const done: string[] = [];
  const queue = new WorkQueue({
    kernel,
    trace: context.trace,
    subjectOf: (key) =>
      context.trace.subjectOf({
        component: 'endpointsController',
        node: '',
        pod: '',
        container: '',
        probe: '',
        object: key,
      }),
    workers,
    baseDelay: milliseconds(5),
    maxDelay: seconds(1000),
    *process(key) {
      const begun = kernel.now;
      if (takes > 0) yield microsSpan(takes);
      done.push(`${key} ${begun}-${kernel.now}`);
    },
  });
  at(runsAt, () => queue.run());
  play({ queue, at });
  run();
  return done;
}

describe('a work queue', () => {
  it.each<[string, (play: Play) => void, number, number, readonly string[]]>([
    [
      'takes keys in the order in which they came',
      ({ queue, at }) => at(10, () => ['b', 'a', 'c'].forEach((key) => void queue.add(key, NO_REF))),
      5,
      1,
      ['b 10-15', 'a 15-20', 'c 20-25'],
    ],
    [
      'takes as many at once as it has workers',
      ({ queue, at }) => at(10, () => ['a', 'b', 'c'].forEach((key) => void queue.add(key, NO_REF))),
      5,
      2,
      ['a 10-15', 'b 10-15', 'c 15-20'],
    ],
    [
      'never takes a key twice at once, and what comes meanwhile is one more (C-030)',
      ({ queue, at }) => [10, 12, 14].forEach((t) => void at(t, () => queue.add('a', NO_REF))),
      20,
      5,
      ['a 10-30', 'a 30-50'],
    ],
    [
      'takes a key that came again during its processing behind those that wait already (C-030)',
      ({ queue, at }) => {
        at(10, () => ['a', 'b'].forEach((key) => void queue.add(key, NO_REF)));
        at(12, () => queue.add('a', NO_REF));
      },
      20,
      1,
      ['a 10-30', 'b 30-50', 'a 50-70'],
    ],
    [
      'waits with a delayed key, and keeps the earlier time when it is delayed again (C-031)',
      ({ queue, at }) => {
        at(10, () => queue.addAfter('a', microsSpan(500), NO_REF));
        at(20, () => queue.addAfter('a', microsSpan(1000), NO_REF));
        at(30, () => queue.addAfter('b', microsSpan(1000), NO_REF));
        at(40, () => queue.addAfter('b', microsSpan(100), NO_REF));
      },
      0,
      5,
      ['b 140-140', 'a 510-510'],
    ],
    [
      'adds at once what is delayed by nothing, and later what was delayed before',
      ({ queue, at }) => {
        at(10, () => queue.addAfter('a', microsSpan(500), NO_REF));
        at(20, () => queue.addAfter('a', microsSpan(0), NO_REF));
      },
      0,
      5,
      ['a 20-20', 'a 510-510'],
    ],
  ])('%s', (_name, play, takes, workers, done) => {
    expect(played(play, takes, workers)).toEqual(done);
  });

  it('does nothing before its workers begin', () => {
    expect(played(({ queue }) => queue.add('a', NO_REF), 0, 5, 7)).toEqual(['a 7-7']);
  });

  it('doubles the back-off with each failure, from 5 ms on, until the key is forgotten (C-032)', () => {
    const begins = played(({ queue, at }) => {
      [0, 1, 2, 3].forEach((second) => void at(second * 1e6, () => queue.addRateLimited('a', NO_REF)));
      at(4e6, () => queue.forget('a'));
      at(5e6, () => queue.addRateLimited('a', NO_REF));
    }).map((text) => Number(text.slice(2).split('-')[0]));
    expect(begins.map((begin) => begin % 1e6)).toEqual([5000, 10_000, 20_000, 40_000, 5000]);
  });

  it('lets all its keys together fail a hundred times at once, then ten times a second (C-032)', () => {
    const keys = Array.from({ length: 103 }, (_, i) => `k${i}`);
    const begins = played(({ queue, at }) =>
      at(0, () => keys.forEach((key) => void queue.addRateLimited(key, NO_REF))),
    );
    const late = begins.slice(100).map((text) => text.split(' ')[1]?.split('-')[0]);
    expect(late).toEqual(['100000', '200000', '300000']);
  });
});

describe('the error handler of a process', () => {
  const waits = (setBack: MicrosSpan, times: readonly number[]): readonly number[] => {
    const { kernel, at, run } = testCluster();
    const handler = new ErrorHandler(kernel, setBack);
    const found: number[] = [];
    for (const t of times) at(t, () => void found.push(handler.handle()));
    run();
    return found;
  };

  it('lets nobody wait whose error is the only one in a millisecond', () => {
    expect(waits(microsSpan(0), [5000, 10_000, 10_400])).toEqual([0, 0, 600]);
  });

  it('lets the first wait for as long as the clock was set back', () => {
    expect(waits(seconds(60), [5000, 10_000])).toEqual([60_000_000 + 1000 - 5000, 0]);
  });
});
