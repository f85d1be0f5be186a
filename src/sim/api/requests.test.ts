import { describe, expect, it } from 'vitest';
import { meta } from '../../../test/support/cluster.ts';
import { testCluster } from '../../../test/support/clusterContext.ts';
import { fnv1a64 } from '../../base/hash.ts';
import { micros } from '../../base/units.ts';
import type { ApiFault } from '../clusterInput.ts';
import { NO_REF } from '../trace/ref.ts';
import type { Answer } from './client.ts';
import type { EndpointsObject } from './objects.ts';
import { ControllerClient } from './requests.ts';

const web = (over: Partial<EndpointsObject> = {}): EndpointsObject => ({ meta: meta('web'), subsets: [], ...over });
const address = { ip: '10.0.0.1', hostname: '', nodeName: null, targetRef: null };
const full = web({ subsets: [{ addresses: [address], notReadyAddresses: [], ports: [] }] });

const fault = (over: Partial<ApiFault>): ApiFault => ({
  actor: 'endpoints',
  verb: 'update',
  resource: 'endpoints',
  code: 500,
  from: micros(0),
  count: 1,
  committed: false,
  ...over,
});

/** Creates `web`, then updates it at each of `times`, µs; the answers, their instants and what is stored. */
function updates(times: readonly number[], faults: readonly ApiFault[] = []) {
  const cluster = testCluster({ faults });
  const client = new ControllerClient(cluster.context, 'endpoints');
  const answers: { readonly at: number; readonly answer: Answer<EndpointsObject> }[] = [];
  const { kernel, context } = cluster;
  const send = function* (verb: 'create' | 'update', object: EndpointsObject) {
    const answer = yield* client.send(verb, 'endpoints', object, NO_REF);
    answers.push({ at: kernel.now, answer });
  };
  kernel.start(send('create', web()), 'controller');
  times.forEach((at, i) => {
    cluster.at(at, () => kernel.start(send('update', i % 2 === 0 ? full : web()), 'controller'));
  });
  const reader = cluster.run();
  return { answers, reader, stored: context.store.get('endpoints', 'default/web') };
}
/** Call to commit, commit to answer. */
const REQUEST = 3110 + Number(fnv1a64('web') % 61n);
const RESPONSE = 1030;

describe('a request of a controller', () => {
  it('is decided after its latency and that of its name, and answered after another', () => {
    const { answers, reader } = updates([]);
    expect(answers[0]?.at).toBe(REQUEST + RESPONSE);
    const [stored] = reader.events().filter(({ kind }) => kind === 'stored');
    expect(stored?.at).toBe(REQUEST);
  });

  it('shows who wrote what, and what came of it, from the call to the answer', () => {
    const { reader } = updates([100_000]);
    const written = reader.events().filter((event) => event.kind === 'apiWrite');
    expect(
      written.map(({ payload, at, end }) => [payload.verb, payload.code, payload.resourceVersion, end - at]),
    ).toEqual([
      ['create', 201, 1, REQUEST + RESPONSE],
      ['update', 200, 2, REQUEST + RESPONSE],
    ]);
  });
});

describe('an injected fault', () => {
  it.each<[string, readonly ApiFault[], readonly (number | 'stored')[]]>([
    ['answers the first so many requests', [fault({ count: 2 })], [500, 500, 'stored']],
    ['waits for its instant', [fault({ from: micros(150_000) })], ['stored', 500, 'stored']],
    ['is for one verb only', [fault({ verb: 'delete' })], ['stored', 'stored', 'stored']],
    ['is for one controller only', [fault({ actor: 'endpointslices' })], ['stored', 'stored', 'stored']],
    ['of two, the first comes first', [fault({ code: 503 }), fault({ code: 504 })], [503, 504, 'stored']],
  ])('%s', (_name, faults, came) => {
    const { answers } = updates([100_000, 200_000, 300_000], faults);
    expect(answers.slice(1).map(({ answer }) => ('error' in answer ? answer.code : 'stored'))).toEqual(came);
  });

  it.each<[boolean, number]>([
    [false, 0],
    [true, 1],
  ])('with committed %s leaves that many addresses stored, and the caller with an error', (committed, addresses) => {
    const { answers, stored } = updates([100_000], [fault({ code: 504, committed })]);
    expect(answers[1]?.answer).toMatchObject({ code: 504, error: 'Timeout: injected timeout' });
    expect(stored?.subsets.flatMap((subset) => subset.addresses)).toHaveLength(addresses);
  });

  it.each<[number, string]>([
    [409, 'Operation cannot be fulfilled on endpoints "web": injected conflict'],
    [500, 'Internal error occurred: injected'],
    [503, 'injected'],
  ])('with code %i says what the API machinery would', (code, error) => {
    expect(updates([100_000], [fault({ code })]).answers[1]?.answer).toMatchObject({ code, error });
  });
});
