import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRecording } from '../src/cli/conformance.ts';
import { play } from '../src/cli/play.ts';
import { checkRecording } from '../src/io/recording/conformance.ts';
import { type ControlPlaneRecording, controlPlaneRecording } from '../src/io/recording/controlplane/recording.ts';
import type { RecordedEvent } from '../src/io/recording/event.ts';

const parsed = (name: string): ControlPlaneRecording =>
  controlPlaneRecording.parse(readRecording(join(import.meta.dirname, 'recordings/controlplane', `${name}.json.gz`)));

/** What is said of a recording that was changed by hand. */
function spoiled(name: string, spoil: (recording: ControlPlaneRecording) => object): string {
  const verdict = checkRecording(spoil(parsed(name)), play);
  expect(verdict.passed).toBe(false);
  return verdict.message;
}

type Spoil = (recording: ControlPlaneRecording) => object;
/** Changes the first event of a lane and type. */
const changing =
  (lane: string, type: string, fields: object): Spoil =>
  (recording) => {
    const first = recording.events.findIndex((event) => event.lane === lane && event.type === type);
    const events = recording.events.map((event, i) => (i === first ? { ...event, ...fields } : event));
    return { ...recording, events };
  };
const withDraws = (
  recording: ControlPlaneRecording,
  sliceWriteOrder: ControlPlaneRecording['scenario']['draws']['sliceWriteOrder'],
): object => ({ ...recording, scenario: { ...recording.scenario, draws: { sliceWriteOrder } } });

describe('conformance of the control plane reports', () => {
  it.each<[string, string, Spoil, RegExp]>([
    [
      'a delivery with another resource version',
      'flap-tiny-01',
      changing('watch', 'deliver', { rv: '7' }),
      /2002283 watch endpoints pods web-1: expected deliver .*"7".*, got deliver .*"1009".*C-004/,
    ],
    [
      'a condition of an endpoint that is set otherwise',
      'flap-tiny-01',
      changing('endpointslices', 'object', { endpoints: [] }),
      /endpointslices object web-6ccfv: expected object .*C-200/,
    ],
    [
      'a wait in a queue that was longer',
      'flap-tiny-01',
      changing('queue', 'get', { us: 1 }),
      /2002283 queue endpoint: expected get .*"us":1.*C-030/,
    ],
    [
      'backends that a connection does not meet',
      'flap-tiny-01',
      changing('proxy', 'backends', { backends: ['10.244.0.10:8080'] }),
      /proxy proxy-b 10\.96\.0\.10:80\/tcp: expected backends .*P-050/,
    ],
    [
      'an event that the run lacks',
      'flap-tiny-01',
      (one) => ({ ...one, events: [...one.events, { t: 15_000_000, lane: 'controller', type: 'podSynced' }] }),
      /15000000 controller: expected podSynced .*, got nothing/,
    ],
    [
      'two events of one queue in the other order',
      'flap-tiny-01',
      (one) => {
        const place = one.events.findIndex(({ lane, type }) => lane === 'queue' && type === 'add');
        const events = [...one.events];
        events.splice(place - 1, 2, events[place] as RecordedEvent, events[place - 1] as RecordedEvent);
        return { ...one, events };
      },
      /2002283 queue endpoint: expected add .*, got addAfter/,
    ],
    [
      'an object that was there at the start',
      'flap-tiny-01',
      (one) => ({ ...one, initial: { ...one.initial, endpoints: [] } }),
      /initial\.endpoints: expected nothing more, got .*"name":"web"/,
    ],
    [
      'a total at the start',
      'flap-tiny-01',
      (one) => ({ ...one, initial: { ...one.initial, totals: { ...one.initial.totals, endpoints: { web: {} } } } }),
      /initial\.totals\.endpoints\.web\./,
    ],
    [
      'a number of events that the recording only counts',
      'slices-fill-01',
      (one) => ({ ...one, counts: { ...one.counts, 'queue/add': 1 } }),
      /counts\.queue\/add: expected 1, got 12/,
    ],
    [
      'the state at the end',
      'flap-tiny-01',
      (one) => ({ ...one, final: { ...one.final, endpointslices: {} } }),
      /final\.endpointslices\.web: expected nothing, got/,
    ],
    [
      'an order of writes that was drawn at another instant',
      'slices-grow-01',
      (one) =>
        withDraws(
          one,
          one.scenario.draws.sliceWriteOrder.map((draw) => ({ ...draw, t: draw.t + 1 })),
        ),
      /draw endpointslice\/writeOrder\/default\/big\[\d+\]: never consumed/,
    ],
    [
      'another order of writes, by what it does',
      'dual-stack-01',
      (one) =>
        withDraws(
          one,
          one.scenario.draws.sliceWriteOrder.map((draw) => ({ ...draw, writes: draw.writes.toReversed() })),
        ),
      /90\d+ api write endpointslices .*: expected/,
    ],
    [
      'a drawn order that is not in the recording',
      'mirroring-01',
      (one) => withDraws(one, one.scenario.draws.sliceWriteOrder.slice(0, 1)),
      /api write mirroring|draw endpointslicemirroring\/writeOrder\/default\/ext at \d+ is not in the recording/,
    ],
    [
      'a feature gate, by name',
      'flap-tiny-01',
      (one) => ({
        ...one,
        scenario: { ...one.scenario, world: { ...one.scenario.world, featureGates: { SomeGate: true } } },
      }),
      /not modelled yet: feature gate SomeGate/,
    ],
    [
      'a set of Pods that is not there, by name',
      'staggered-ready-01',
      (one) => ({
        ...one,
        scenario: { ...one.scenario, world: { ...one.scenario.world, podSets: [] } },
      }),
      /not modelled yet: no set of Pods web/,
    ],
  ])('%s', (_name, recording, spoil, message) => {
    expect(spoiled(recording, spoil)).toMatch(message);
  });

  it('what it cannot read, with the place', () => {
    const { initial: _initial, ...rest } = parsed('flap-tiny-01');
    expect(checkRecording(rest, play).message).toMatch(/not a recording that is understood: initial/);
  });
});

/** A recording with each text exchanged. */
const exchanged = (name: string, pattern: RegExp, by: (found: string) => string): object =>
  JSON.parse(JSON.stringify(parsed(name)).replace(pattern, by));

describe('no difference is', () => {
  it('a slice whose generated name is another', () => {
    const renamed = exchanged('tampered-01', /\bweb-6ccfv\b/g, () => 'web-zzzzz');
    expect(checkRecording(renamed, play)).toMatchObject({ passed: true });
  });

  it('a counter of resource versions that began elsewhere', () => {
    const moved = exchanged('flap-tiny-01', /(?<="rv":"|resource version )\d+/g, (rv) => String(Number(rv) + 5000));
    expect(checkRecording(moved, play)).toMatchObject({ passed: true });
  });
});
