import { describe, expect, it } from 'vitest';
import { service } from '../../../../test/support/cluster.ts';
import { endpoint, endpointsNamed, namesIn, slice } from '../../../../test/support/slices.ts';
import { identityOf } from '../shared/endpointIdentity.ts';
import { packEndpoints } from './packing.ts';
import { newSlice, type SliceChanges } from './slices.ts';

const web = service('web');

/** Packs `desired` with at most four endpoints a slice. */
function pack(existing: Readonly<Record<string, string>>, desired: string): SliceChanges {
  const endpoints = endpointsNamed(desired);
  return packEndpoints({
    service: web,
    existing: Object.entries(existing).map(([name, held]) => slice(web, name, endpointsNamed(held))),
    desired: new Map(endpoints.map((one) => [identityOf(one), one])),
    max: 4,
    makeSlice: () => newSlice(web, 'IPv4', []),
  });
}

/** `create abc` or `update x abc`: what is written where. */
const written = ({ toCreate, toUpdate, toDelete }: SliceChanges): readonly string[] => [
  ...toCreate.map((made) => `create ${namesIn(made)}`),
  ...toUpdate.map((made) => `update ${made.meta.name} ${namesIn(made)}`),
  ...toDelete.map((made) => `delete ${made.meta.name}`),
];

describe('endpoints into slices (C-221)', () => {
  it.each([
    ['from nothing, full slices and a rest', {}, 'abcdefghi', ['create abcd', 'create efgh', 'create i']],
    ['all in place: nothing', { x: 'abc' }, 'abc', []],
    ['one more goes into a slice with room', { x: 'abc' }, 'abcd', ['update x abcd']],
    ['one less', { x: 'abc' }, 'ac', ['update x ac']],
    ['the last one gone: the slice goes', { x: 'a', y: 'bc' }, 'bc', ['delete x']],
    [
      'a slice that changes anyway takes the new one, not a fuller one',
      { x: 'abc', y: 'def' },
      'abcdeg',
      ['update y deg'],
    ],
    [
      'the fullest of those that change is filled first',
      { x: 'abcd', y: 'efg' },
      'abefhi',
      ['update x abhi', 'update y ef'],
    ],
    ['what is left goes where it just fits', { x: 'a', y: 'bcd' }, 'abcde', ['update y bcde']],
    ['no slice has room for all that is left: a new one', { x: 'abc', y: 'def' }, 'abcdefgh', ['create gh']],
    ['a full slice more is new in any case', { x: '' }, 'abcd', ['create abcd']],
    ['slices are never joined', { x: 'ab', y: 'cd' }, 'abcd', []],
    ['a doubled endpoint is written once', { x: 'ab', y: 'bc' }, 'abc', ['update y c']],
  ] as const)('%s', (_, existing, desired, expected) => {
    expect(written(pack(existing, desired))).toEqual(expected);
  });

  it.each([
    ['ready', { ready: false }],
    ['serving', { serving: false }],
    ['terminating', { terminating: true }],
    ['the node', { nodeName: 'node-b' }],
    ['the zone', { zone: 'zone-2' }],
    ['the UID of its Pod', { targetRef: { namespace: 'default', name: 'a', uid: 'another' } }],
  ])('an endpoint that differs in %s is written as it is now', (_, change) => {
    const desired = { ...endpoint('a'), ...change };
    const { toUpdate } = packEndpoints({
      service: web,
      existing: [slice(web, 'x', [endpoint('a')])],
      desired: new Map([[identityOf(desired), desired]]),
      max: 4,
      makeSlice: () => newSlice(web, 'IPv4', []),
    });
    expect(toUpdate[0]?.endpoints).toEqual([desired]);
  });

  it('an endpoint that moves to another address is another one', () => {
    const moved = { ...endpoint('a'), addresses: ['10.0.0.99'] };
    expect(identityOf(moved)).not.toBe(identityOf(endpoint('a')));
  });

  it('a label of the Service alone makes an update that keeps the endpoints with their hints', () => {
    const held = { ...endpoint('a'), hints: { zones: ['zone-1'], nodes: [] } };
    const { toUpdate } = packEndpoints({
      service: service('web', {}, { labels: { tier: 'front' } }),
      existing: [slice(web, 'x', [held])],
      desired: new Map([[identityOf(held), endpoint('a')]]),
      max: 4,
      makeSlice: () => newSlice(web, 'IPv4', []),
    });
    expect(toUpdate[0]?.endpoints).toEqual([held]);
    expect(toUpdate[0]?.meta.labels).toMatchObject({ tier: 'front' });
  });
});
