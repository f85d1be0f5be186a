import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { address, endpointPort, subset } from '../../../../test/support/cluster.ts';
import { ANNOTATION, type EndpointAddress, type EndpointSubset } from '../../api/objects.ts';
import { fitCapacity, isCapacityNoted } from './capacity.ts';

const addresses = (count: number, prefix = '10.0'): readonly EndpointAddress[] =>
  Array.from({ length: count }, (_, i) => address(`${prefix}.${Math.floor(i / 256)}.${i % 256}`, `pod-${i}`));
const sized = (ready: number, notReady: number, port = 80): EndpointSubset =>
  subset(addresses(ready), addresses(notReady, '10.1'), [endpointPort('', port)]);
const sizes = (subsets: readonly EndpointSubset[]): readonly string[] =>
  subsets.map(({ addresses: ready, notReadyAddresses }) => `${ready.length}+${notReadyAddresses.length}`);

describe('what fits into one Endpoints object', () => {
  it.each<[what: string, given: readonly EndpointSubset[], expected: readonly string[], note: string | undefined]>([
    ['a thousand addresses are all kept', [sized(600, 400)], ['600+400'], undefined],
    ['of 1,001 ready ones the last is left out', [sized(1001, 0)], ['1000+0'], 'truncated'],
    ['too many ready ones take the place of all that are not', [sized(1001, 50)], ['1000+0'], 'truncated'],
    ['ready ones are all kept, the others as there is room', [sized(990, 50)], ['990+10'], 'truncated'],
    ['subsets keep their share, rounded up', [sized(900, 0), sized(600, 0, 81)], ['600+0', '400+0'], 'truncated'],
    [
      'the last of them what is left',
      [sized(667, 0), sized(667, 0, 81), sized(667, 0, 82)],
      ['334+0', '334+0', '332+0'],
      'truncated',
    ],
    [
      'a share of those that are not ready is of the room that is left',
      [sized(0, 600), sized(800, 600, 81)],
      ['0+100', '800+100'],
      'truncated',
    ],
  ])('%s', (_what, given, expected, note) => {
    const fitted = fitCapacity(given, {}, 37);
    expect(sizes(fitted.subsets)).toEqual(expected);
    expect(fitted.annotations[ANNOTATION.overCapacity]).toBe(note);
  });

  it('keeps the first ones of the sorted lists', () => {
    const given = sized(1200, 0);
    expect(fitCapacity([given], {}, 37).subsets[0]?.addresses).toEqual(given.addresses.slice(0, 1000));
  });

  it.each<[minor: number, sizes: string, note: string | undefined]>([
    [20, '1200+0', undefined],
    [21, '1200+0', 'warning'],
    [22, '1000+0', 'truncated'],
  ])('in 1.%i of 1,200 addresses %s are kept, and the note is %s', (minor, kept, note) => {
    const fitted = fitCapacity([sized(1200, 0)], {}, minor);
    expect(sizes(fitted.subsets)).toEqual([kept]);
    expect(fitted.annotations[ANNOTATION.overCapacity]).toBe(note);
  });

  it('takes the note away when there is room again, and leaves other annotations', () => {
    const annotations = { [ANNOTATION.overCapacity]: 'truncated', team: 'a' };
    expect(fitCapacity([sized(5, 5)], annotations, 37).annotations).toEqual({ team: 'a' });
  });

  it('never exceeds a thousand, and drops a ready one only when no other is left', () => {
    const count = fc.nat(1300);
    fc.assert(
      fc.property(fc.array(fc.tuple(count, count), { maxLength: 4 }), (counts) => {
        const given = counts.map(([ready, notReady], place) => sized(ready, notReady, 80 + place));
        const total = (subsets: readonly EndpointSubset[], of: 'addresses' | 'notReadyAddresses'): number =>
          subsets.reduce((sum, one) => sum + one[of].length, 0);
        const { subsets } = fitCapacity(given, {}, 37);
        const ready = total(subsets, 'addresses');
        const notReady = total(subsets, 'notReadyAddresses');
        expect(ready + notReady).toBeLessThanOrEqual(1000);
        expect(ready === total(given, 'addresses') || (ready === 1000 && notReady === 0)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});

describe('whether an object passes by its size', () => {
  it.each<[what: string, given: EndpointSubset, note: string | undefined, minor: number, expected: boolean]>([
    ['a small one without a note does', sized(5, 0), undefined, 37, true],
    ['a small one with a note does not', sized(5, 0), 'truncated', 37, false],
    ['one that is full and has a note is looked at again each time', sized(1000, 0), 'truncated', 37, false],
    ['one that is too big never does', sized(1001, 0), 'truncated', 37, false],
    ['one that is too big and warns does in 1.21', sized(1001, 0), 'warning', 21, true],
    ['in 1.20 nobody looks', sized(1001, 0), undefined, 20, true],
  ])('%s', (_what, given, note, minor, expected) => {
    const annotations = note === undefined ? {} : { [ANNOTATION.overCapacity]: note };
    expect(isCapacityNoted([given], annotations, minor)).toBe(expected);
  });
});
