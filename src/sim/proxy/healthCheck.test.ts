import { expect, it } from 'vitest';
import { at, deletePod, proxyRun, setReady } from '../../../test/support/proxyRun.ts';
import type { ServiceSpec } from '../api/objects.ts';
import type { ProxyInput, ScriptedWrite } from '../clusterInput.ts';

const HERE = 'node-a';
const AWAY = 'node-b';
const local: Partial<ServiceSpec> = {
  type: 'LoadBalancer',
  externalTrafficPolicy: 'Local',
  healthCheckNodePort: 31_080,
};

/** Answers of the port as they change: HTTP status and local endpoints. */
const answers = (
  pods: readonly string[],
  writes: readonly ScriptedWrite[],
  spec: Partial<ServiceSpec> = local,
  proxy: Partial<ProxyInput> = {},
) =>
  proxyRun({ pods, spec, proxy, writes })
    .all('healthCheck')
    .map(({ payload }) => [payload.httpStatus, payload.localEndpoints]);

it.each<[string, readonly string[], readonly ScriptedWrite[], readonly (readonly number[])[]]>([
  ['200 with a ready endpoint on this node', [HERE, HERE, AWAY], [], [[200, 2]]],
  ['503 without, however many there are elsewhere', [AWAY], [], [[503, 0]]],
  [
    '503 from the moment that the last one is not ready',
    [HERE, AWAY],
    [setReady(2, 0, false)],
    [
      [200, 1],
      [503, 0],
    ],
  ],
  [
    'a terminating endpoint does not count, though it still gets traffic',
    [HERE, AWAY],
    [deletePod(2, 0)],
    [
      [200, 1],
      [503, 0],
    ],
  ],
  ['no event while the answer is the same', [HERE, AWAY], [setReady(2, 1, false)], [[200, 1]]],
])('%s', (_, pods, writes, expected) => {
  expect(answers(pods, writes)).toEqual(expected);
});

it('only a LoadBalancer with the Local policy has the port', () => {
  expect(answers([HERE], [], { ...local, externalTrafficPolicy: 'Cluster' })).toEqual([]);
});

it('the answer is as old as the last sync that was applied', () => {
  const fail = { from: at(2), until: at(9) };
  expect(answers([HERE], [setReady(2, 0, false)], local, { fail })).toEqual([[200, 1]]);
});
