import { describe, expect, it } from 'vitest';
import { canonicalIp, hostPort, isZeroRange } from './address.ts';

describe('canonicalIp', () => {
  it.each<[string, string, string]>([
    ['IPv4 stays', '10.0.0.1', '10.0.0.1'],
    ['leading zeros go', 'fd00:0010::0a', 'fd00:10::a'],
    ['capitals become small', 'FD00::AB', 'fd00::ab'],
    ['a written zero beside :: joins it', 'fd00:10:244:0::10', 'fd00:10:244::10'],
    ['the longest run of zeros is left out', '1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['of two equal runs the first', '1:0:0:2:3:0:0:4', '1::2:3:0:0:4'],
    ['a single zero stays', '1:2:3:0:5:6:7:8', '1:2:3:0:5:6:7:8'],
    ['all zeros', '0:0:0:0:0:0:0:0', '::'],
    ['the loopback address', '0:0:0:0:0:0:0:1', '::1'],
    ['what is no address stays', '1::2::3', '1::2::3'],
    ['so do too many groups', '1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7:8:9'],
  ])('%s', (_, ip, expected) => {
    expect(canonicalIp(ip)).toBe(expected);
  });
});

it('a port follows an IPv6 address outside of brackets', () => {
  expect([hostPort('10.0.0.1', 80), hostPort('fd00::1', 80)]).toEqual(['10.0.0.1:80', '[fd00::1]:80']);
});

it('a range of length 0 is everything', () => {
  expect(['0.0.0.0/0', '::/0', '10.0.0.0/8', '10.0.0.0/10'].map(isZeroRange)).toEqual([true, true, false, false]);
});
