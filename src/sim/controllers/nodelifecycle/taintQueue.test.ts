import { describe, expect, it } from 'vitest';
import { testCluster } from '../../../../test/support/clusterContext.ts';
import { microsSpan, seconds } from '../../../base/units.ts';
import type { Task } from '../../kernel/kernel.ts';
import { TaintQueue } from './taintQueue.ts';

/** Nodes that were tainted, as `<node> <second>`; `play` may do something at a second; `fails`: how often each fails first. */
function tainted(
  play: (queue: TaintQueue, at: (second: number, call: () => void) => void) => void,
  fails = 0,
): string[] {
  const { kernel, at, run } = testCluster();
  const queue = new TaintQueue(kernel, 0.1);
  const done: string[] = [];
  const failed = new Map<string, number>();
  function* taint(node: string): Task<boolean> {
    const begun = kernel.now;
    yield microsSpan(1000);
    const before = failed.get(node) ?? 0;
    failed.set(node, before + 1);
    if (before < fails) return false;
    done.push(`${node} ${begun / 1_000_000}`);
    return true;
  }
  play(queue, (second, call) => at(seconds(second), call));
  for (let second = 0; second < 100; second++)
    at(seconds(second) + 1, () => kernel.start(queue.pass(taint), 'controller'));
  run();
  return done.map((one) => one.replace('.000001', ''));
}

const add = (queue: TaintQueue, ...nodes: readonly string[]): void => {
  for (const node of nodes) queue.add(node);
};

describe('nodes that wait for their taint (N-035)', () => {
  it('come one in ten seconds, in the order in which they were added', () => {
    const done = tainted((queue) => add(queue, 'a', 'b', 'c'));
    expect(done).toEqual(['a 0', 'b 10', 'c 20']);
  });

  it('stay known when they were taken, until they are removed', () => {
    const added: boolean[] = [];
    tainted((queue, at) => {
      at(0, () => added.push(queue.add('a')));
      at(5, () => added.push(queue.add('a'), queue.remove('a'), queue.add('a')));
    });
    expect(added).toEqual([true, false, true, true]);
  });

  it('are not taken any more once they are removed', () => {
    const done = tainted((queue, at) => {
      add(queue, 'a', 'b', 'c');
      at(5, () => queue.remove('b'));
    });
    expect(done).toEqual(['a 0', 'c 10']);
  });

  it('wait ten seconds from the moment on in which a stop is over', () => {
    const done = tainted((queue, at) => {
      queue.setRate(0);
      queue.add('a');
      at(33, () => queue.setRate(0.1));
    });
    expect(done).toEqual(['a 43']);
  });

  it('come again when their taint could not be written, behind the others', () => {
    const done = tainted((queue) => add(queue, 'a', 'b'), 1);
    expect(done).toEqual(['a 20', 'b 30']);
  });
});
