import { expect, it } from 'vitest';
import { hostPort, isZeroRange, rangeContains } from './address.ts';

it('a port follows an IPv6 address outside of brackets', () => {
  expect([hostPort('10.0.0.1', 80), hostPort('fd00::1', 80)]).toEqual(['10.0.0.1:80', '[fd00::1]:80']);
});

it('a range of length 0 is everything', () => {
  expect(['0.0.0.0/0', '::/0', '10.0.0.0/8', '10.0.0.0/10'].map(isZeroRange)).toEqual([true, true, false, false]);
});

it.each<[string, string, string, boolean]>([
  ['inside', '10.0.0.0/8', '10.255.0.1', true],
  ['outside', '10.0.0.0/9', '10.128.0.0', false],
  ['one address', '10.0.0.1/32', '10.0.0.1', true],
  ['IPv6', 'fd00:10::/32', 'fd00:10::7', true],
  ['IPv6 outside', 'fd00:10::/32', 'fd00:11::7', false],
  ['another family', '::/0', '10.0.0.1', false],
])('a range contains an address: %s', (_, range, ip, expected) => {
  expect(rangeContains(range, ip)).toBe(expected);
});
