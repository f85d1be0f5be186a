import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { address, endpointPort, subset } from '../../../../test/support/cluster.ts';
import type { EndpointAddress, EndpointPort, EndpointSubset } from '../../api/objects.ts';
import { type PortAddress, packSubsets, repackSubsets } from './repack.ts';

const http = endpointPort('http', 8080);
const admin = endpointPort('admin', 9990);
const a = address('10.0.0.9', 'a');
const b = address('10.0.0.10', 'b');
const twin = address('10.0.0.9', 'twin');

const fact = (port: EndpointPort | null, one: EndpointAddress, ready = true): PortAddress => ({
  port,
  address: one,
  ready,
});

describe('packing addresses into subsets', () => {
  it.each<[what: string, facts: readonly PortAddress[], expected: readonly EndpointSubset[]]>([
    ['nothing gives no subset', [], []],
    [
      'ports with the same addresses share a subset, http first by its hash',
      [fact(admin, a), fact(http, a)],
      [subset([a], [], [http, admin])],
    ],
    [
      'a Pod that lacks one of the ports makes a subset of its own',
      [fact(http, a), fact(http, b), fact(admin, b)],
      [subset([b], [], [admin]), subset([b, a], [], [http])],
    ],
    [
      'addresses are sorted as bytes, so 10.0.0.10 comes before 10.0.0.9',
      [fact(http, a), fact(http, b)],
      [subset([b, a], [], [http])],
    ],
    [
      'two Pods with one address are told apart by UID',
      [fact(http, twin), fact(http, a)],
      [subset([a, twin], [], [http])],
    ],
    ['not ready beats ready for one port', [fact(http, a), fact(http, a, false)], [subset([], [a], [http])]],
    ['and whatever comes first', [fact(http, a, false), fact(http, a)], [subset([], [a], [http])]],
    [
      'the same address may be ready behind one port and not behind another',
      [fact(http, a), fact(admin, a, false)],
      [subset([], [a], [admin]), subset([a], [], [http])],
    ],
    ['an address without ports stays, in a subset without ports', [fact(null, a)], [subset([a], [], [])]],
  ])('%s', (_what, facts, expected) => {
    const packed = packSubsets(facts);
    expect(packed).toHaveLength(expected.length);
    for (const one of expected) expect(packed).toContainEqual(one);
    expect(packSubsets([...facts].reverse())).toEqual(packed);
  });
});

const facts: fc.Arbitrary<readonly PortAddress[]> = fc.array(
  fc.record({
    port: fc.constantFrom(http, admin, endpointPort('', 80), { ...http, appProtocol: 'h2c' }, null),
    address: fc.constantFrom(a, b, twin, address('fd00::1', 'six')),
    ready: fc.boolean(),
  }),
  { maxLength: 12 },
);
const identity = ({ ip, targetRef }: EndpointAddress): string => `${ip} ${targetRef?.uid}`;

describe('any packed subsets', () => {
  it('hold each address once for each port, ready or not ready, as it was given', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const seen = new Map<string, boolean>();
        for (const { addresses, notReadyAddresses, ports } of packSubsets(given)) {
          for (const port of ports.length > 0 ? ports : [null]) {
            for (const one of [...addresses, ...notReadyAddresses]) {
              const key = `${JSON.stringify(port)} ${identity(one)}`;
              expect(seen.has(key)).toBe(false);
              seen.set(key, addresses.includes(one));
            }
          }
        }
        for (const { port, address: one } of given.filter((one) => one.port !== null)) {
          const same = given.filter((other) => other.port === port && other.address === one);
          expect(seen.get(`${JSON.stringify(port)} ${identity(one)}`)).toBe(same.every(({ ready }) => ready));
        }
      }),
    );
  });

  it('are packed the same when they are packed again', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const packed = packSubsets(given);
        expect(repackSubsets(packed)).toEqual(packed);
      }),
    );
  });
});
