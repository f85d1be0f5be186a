import { describe, expect, it } from 'vitest';
import { fnv1a128 } from '../../../base/hash.ts';
import type { EndpointPort } from '../../api/objects.ts';
import { corePortText, portMapKey, sortedCorePorts, sortedSlicePorts } from './portHash.ts';

const port = (name: string, number: number): EndpointPort => ({
  name,
  port: number,
  protocol: 'TCP',
  appProtocol: null,
});
const http = port('http', 8080);
const admin = port('admin', 9990);

describe('hashes of ports', () => {
  it.each<[what: string, got: string, expected: string]>([
    ['a core port', fnv1a128(`(v1.EndpointPort)${corePortText(http)}`), '25304a33da9e6ece350a4142a45f5b75'],
    ['another core port', fnv1a128(`(v1.EndpointPort)${corePortText(admin)}`), 'ae4de9c3dac1ce048aaf254bbc797cd1'],
    ['no ports', portMapKey([]), 'b823fa277840572f948b7ebdb09f7a1d'],
    ['one port of a slice', portMapKey([http]), '8f86b690dee55e9f32e56e4efbcd8a27'],
  ])('%s hashes as the real packages do', (_what, got, expected) => {
    expect(got).toBe(expected);
  });

  it('sorts by hash, whatever the order that is given', () => {
    expect(sortedCorePorts([admin, http])).toEqual([http, admin]);
    expect(sortedCorePorts([http, admin])).toEqual([http, admin]);
    expect(sortedSlicePorts([admin, http])).toEqual(sortedSlicePorts([http, admin]));
  });

  it('tells a protocol of the application apart', () => {
    expect(portMapKey([{ ...http, appProtocol: 'kubernetes.io/h2c' }])).not.toBe(portMapKey([http]));
  });
});
