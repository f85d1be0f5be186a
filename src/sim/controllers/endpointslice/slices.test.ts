import { describe, expect, it } from 'vitest';
import { service } from '../../../../test/support/cluster.ts';
import { addressTypesOf } from './slices.ts';

describe('address types of a Service (C-203)', () => {
  it.each([
    ['its IP families', service('web', { ipFamilies: ['IPv6', 'IPv4'] }), ['IPv6', 'IPv4']],
    ['without them that of its cluster IP', service('web', { ipFamilies: [] }), ['IPv4']],
    ['without them that of an IPv6 cluster IP', service('web', { ipFamilies: [], clusterIP: 'fd00::1' }), ['IPv6']],
    ['without them and headless both', service('web', { ipFamilies: [], clusterIP: 'None' }), ['IPv4', 'IPv6']],
  ])('%s', (_, given, families) => {
    expect(addressTypesOf(given)).toEqual(families);
  });
});
