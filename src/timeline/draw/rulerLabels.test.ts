import { describe, expect, it } from 'vitest';
import { FLAG_HALF, isClear } from './rulerLabels.ts';

describe('isClear', () => {
  it.each<[name: string, px: number, label: string, flagAt: number | null, expected: boolean]>([
    ['a label far from the flag is shown', 100, '10 s', 400, true],
    ['one under the flag is hidden', 380, '10 s', 400, false],
    ['a long one that reaches the flag is hidden', 310, '121.0999 s', 400, false],
    ['a short one at the same place is shown', 310, '5 s', 400, true],
    ['one whose tick is under the flag is hidden', 430, '5 s', 400, false],
    ['without a flag only the limit counts', 400, '10 s', null, true],
    ['one that would go beyond the limit is hidden', 790, '10 s', null, false],
  ])('%s', (_name, px, label, flagAt, expected) => {
    const taken = flagAt === null ? [] : [{ left: flagAt - FLAG_HALF, right: flagAt + FLAG_HALF }];
    expect(isClear(px, label, 800, taken)).toBe(expected);
  });
});
