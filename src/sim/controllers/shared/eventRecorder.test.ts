import { describe, expect, it } from 'vitest';
import { clusterInput } from '../../../../test/support/cluster.ts';
import { micros, microsSpan } from '../../../base/units.ts';
import { ObjectStore } from '../../api/store.ts';
import { Draws } from '../../kernel/draws.ts';
import { HopLengths } from '../../kernel/hopLengths.ts';
import { Kernel } from '../../kernel/kernel.ts';
import { TraceReader } from '../../trace/reader.ts';
import { NO_REF } from '../../trace/ref.ts';
import { TraceWriter } from '../../trace/writer.ts';
import { WallClock } from '../../world/wallClock.ts';
import { ErrorHandler } from '../errorHandler.ts';
import { type ControllerEvent, EventRecorder } from './eventRecorder.ts';

const event = (message: string, over: Partial<ControllerEvent> = {}): ControllerEvent => ({
  key: 'default/web',
  kind: 'Endpoints',
  uid: 'uid-web',
  eventType: 'Warning',
  reason: 'FailedToUpdateEndpoint',
  message,
  ...over,
});

/** Records each event at its instant, s; what the API server got: operation, message and count. */
function record(events: readonly (readonly [at: number, event: ControllerEvent])[]): readonly string[] {
  const horizon = micros(10_000_000_000);
  const kernel = new Kernel(micros(0), horizon);
  const trace = new TraceWriter();
  const draws = new Draws(1, {});
  const context = {
    kernel,
    trace,
    draws,
    hops: new HopLengths(draws, {}),
    wall: new WallClock(0),
    store: new ObjectStore(kernel, trace, true),
    input: clusterInput(),
    errors: new ErrorHandler(kernel, microsSpan(0)),
    minor: 37,
  };
  const recorder = new EventRecorder(context, 'endpoints');
  for (const [at, one] of events) kernel.at(micros(at * 1e6), 'controller', () => recorder.record(one, NO_REF));
  while (kernel.advance(1000));
  return new TraceReader(trace.finish(horizon, 0))
    .events()
    .flatMap((one) =>
      one.kind === 'controllerEvent' ? [`${one.payload.op} ${one.payload.message} ${one.payload.count}`] : [],
    );
}

describe('Events of a controller', () => {
  it('create an object, and then patch its count', () => {
    expect(
      record([
        [0, event('no')],
        [1, event('no')],
        [2, event('never')],
        [3, event('no')],
      ]),
    ).toEqual(['create no 1', 'patch no 2', 'create never 1', 'patch no 3']);
  });

  it.each<[what: string, over: Partial<ControllerEvent>]>([
    ['another object', { key: 'default/db' }],
    ['the same name made anew', { uid: 'uid-web-2' }],
    ['another reason', { reason: 'FailedToCreateEndpoint' }],
    ['another kind', { kind: 'Service' }],
  ])('of %s are counted apart', (_what, over) => {
    expect(
      record([
        [0, event('no')],
        [1, event('no', over)],
      ]),
    ).toEqual(['create no 1', 'create no 1']);
  });

  it('that differ only in their messages are told as one from the tenth on', () => {
    const events = Array.from({ length: 12 }, (_, i) => [i, event(`m${i}`)] as const);
    expect(record(events).slice(8)).toEqual([
      'create m8 1',
      'create (combined from similar events): m9 1',
      'patch (combined from similar events): m10 2',
      'patch (combined from similar events): m11 3',
    ]);
  });

  it('are told apart again after ten quiet minutes', () => {
    const events = Array.from({ length: 10 }, (_, i) => [i, event(`m${i}`)] as const);
    expect(record([...events, [620, event('late')]]).at(-1)).toBe('create late 1');
    expect(record([...events, [600, event('late')]]).at(-1)).toBe('patch (combined from similar events): late 2');
  });

  it('about one object are cut after 25, but counted; one more comes each five minutes', () => {
    const events = Array.from({ length: 30 }, (_, i) => [i / 100, event('no')] as const);
    const got = record([...events, [301, event('no')]]);
    expect(got).toHaveLength(26);
    expect(got.at(-1)).toBe('patch no 31');
    expect(record([...events, [1, event('no', { key: 'default/db' })]]).at(-1)).toBe('create no 1');
  });
});
