import { describe, expect, it } from 'vitest';
import type { Taint, Toleration } from '../../api/objects.ts';
import { tolerationTime } from './tolerations.ts';

const taint = (key: string): Taint => ({ key, value: '', effect: 'NoExecute', timeAdded: null });
const toleration = (key: string, tolerationSeconds: number | null): Toleration => ({
  key,
  operator: 'Exists',
  value: '',
  effect: 'NoExecute',
  tolerationSeconds,
});

describe('how long a Pod stays on a tainted node (N-036)', () => {
  it.each<[string, Toleration[], string[], number | null | 'none']>([
    ['a taint that nothing tolerates', [toleration('a', 30)], ['b'], 'none'],
    ['one of two is not enough', [toleration('a', 30)], ['a', 'b'], 'none'],
    ['for as long as it says', [toleration('a', 30)], ['a'], 30],
    ['for ever', [toleration('a', null)], ['a'], null],
    ['the shortest of those that are used', [toleration('a', 30), toleration('b', 20)], ['a', 'b'], 20],
    ['a limit counts before none', [toleration('a', null), toleration('b', 20)], ['a', 'b'], 20],
    ['those that are not used do not count', [toleration('a', 30), toleration('c', 5)], ['a'], 30],
    ['the first that matches counts', [toleration('', 300), toleration('a', 5)], ['a'], 300],
    ['less than nothing is nothing', [toleration('a', -5)], ['a'], 0],
  ])('%s', (_, tolerations, taints, expected) => {
    const time = tolerationTime(tolerations, taints.map(taint));
    expect(typeof time === 'number' ? time / 1_000_000 : time).toBe(expected);
  });
});
