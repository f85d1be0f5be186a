import { describe, expect, it } from 'vitest';
import { canonicalIp, isIpAddress } from './ipAddress.ts';

describe('the usual form of an IP address', () => {
  it.each([
    ['IPv4 stays', '10.244.0.10', '10.244.0.10'],
    ['IPv4 loses leading zeros', '010.244.000.10', '10.244.0.10'],
    ['a zero group beside :: joins it', 'fd00:10:244:0::10', 'fd00:10:244::10'],
    ['hex digits turn small and short', 'FD00:0010::000A', 'fd00:10::a'],
    ['the longest run of zeros is left out', '1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['of two equal runs the first is left out', '1:0:0:2:3:0:0:4', '1::2:3:0:0:4'],
    ['a single zero stays', '1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
    ['nothing but zeros', '0:0:0:0:0:0:0:0', '::'],
    ['zeros at the end', 'fd00:0:0:0:0:0:0:0', 'fd00::'],
    ['a dotted end is two groups', '64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
    ['too many groups are no address', '1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7:8:9'],
    ['two :: are no address', '1::2::3', '1::2::3'],
    ['a group of five digits is none', 'fd00::12345', 'fd00::12345'],
  ])('%s', (_, text, usual) => {
    expect(canonicalIp(text)).toBe(usual);
  });
});

describe('an IP address', () => {
  it.each(['10.0.0.5', '0.0.0.0', '255.255.255.255', '::', 'fd00::1', '1:2:3:4:5:6:7:8', '64:ff9b::192.0.2.1'])(
    '%s is one',
    (text) => {
      expect(isIpAddress(text)).toBe(true);
    },
  );
  it.each([
    '',
    '10.0.0',
    '10.0.0.256',
    '999.1.1.1',
    '10.0.0.5.6',
    '10.0.0.x',
    '1:2:3',
    ':::',
    '1::2::3',
    'fd00::12345',
  ])('%s is none', (text) => {
    expect(isIpAddress(text)).toBe(false);
  });
});
