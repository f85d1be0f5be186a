import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bad,
  broken,
  container,
  exitStep,
  hang,
  ok,
  pod,
  probe,
  run,
  scenario,
  step,
} from '../../../test/support/scenario.ts';
import { unpackedBytes } from '../../../test/support/unpack.ts';
import { type Micros, micros } from '../../base/units.ts';
import type { Scenario } from '../scenario.ts';
import { startRun } from '../simulate.ts';
import { decodeVersion, ObjectPool } from './objectPool.ts';
import { TraceReader } from './reader.ts';
import { NO_REF } from './ref.ts';
import { joined } from './textEdits.ts';
import { TraceWriter } from './writer.ts';

const WORKER = {
  component: 'probeWorker',
  node: 'n',
  pod: 'default/web',
  container: 'app',
  probe: 'liveness',
  object: '',
} as const;
const at = (seconds: number): Micros => micros(seconds * 1_000_000);
const turn = {
  cause: 'ticker',
  outcome: 'attempt',
  result: 'success',
  tries: 'success',
  tryEnds: '',
  node: 'waiting.settled|success|1',
  id: 'c',
};

/** Writes ticks of one worker, one each given second; a letter changes the payload. */
function ticks(...seconds: readonly [number, string?][]): TraceReader {
  const writer = new TraceWriter();
  const subject = writer.subjectOf(WORKER);
  let armed = NO_REF;
  let before = Number.NaN;
  for (const [second, id = 'c'] of seconds) {
    const period = at(second - before || 0);
    armed = writer.repeating(
      'probeRun',
      at(second),
      subject,
      { ...turn, id },
      [],
      armed,
      5_000,
      Number.isNaN(before) ? 0 : period,
    );
    before = second;
  }
  return new TraceReader(writer.finish(at(100), 0));
}

describe('packed rows', () => {
  it.each<[string, readonly [number, string?][], number, number]>([
    ['equal ticks one period apart share a row', [[0], [10], [20], [30]], 1, 4],
    ['a tick that says something else begins a row', [[0], [10], [20, 'd'], [30, 'd']], 2, 4],
    ['a tick that comes at another distance begins a row', [[0], [10], [25], [40]], 2, 4],
  ])('%s', (_name, seconds, rows, events) => {
    const reader = ticks(...seconds);
    expect(reader.data.rows).toBe(rows);
    expect(reader.eventCount).toBe(events);
    expect(reader.events().map((event) => event.at)).toEqual(seconds.map(([second]) => second * 1_000_000));
  });

  it('an event of the worker in between begins a row', () => {
    const writer = new TraceWriter();
    const subject = writer.subjectOf(WORKER);
    const first = writer.repeating('probeRun', at(0), subject, turn, [], NO_REF, 5_000, 0);
    writer.event('workerAdded', at(5), subject, {});
    writer.repeating('probeRun', at(10), subject, turn, [], first, 5_000, 10_000_000);
    expect(writer.finish(at(100), 0).rows).toBe(3);
  });

  it('a tick with a cause of its own begins a row', () => {
    const writer = new TraceWriter();
    const subject = writer.subjectOf(WORKER);
    const first = writer.repeating('probeRun', at(0), subject, turn, [], NO_REF, 5_000, 0);
    writer.repeating('probeRun', at(10), subject, turn, [first], first, 5_000, 10_000_000);
    expect(writer.finish(at(100), 0).rows).toBe(2);
  });

  it('each event of a row is armed by the one before it and is the effect of it', () => {
    const reader = ticks([0], [10], [20]);
    expect(reader.armedBy({ row: 0, ordinal: 2 })).toEqual({ row: 0, ordinal: 1 });
    expect(reader.effectsOf({ row: 0, ordinal: 1 })).toEqual([{ row: 0, ordinal: 2 }]);
  });

  it('the last event at an instant is found within a row', () => {
    const reader = ticks([0], [10], [20], [35]);
    expect([-1, 0, 9, 10, 19.999, 20, 34, 35, 99].map((second) => reader.lastAt(0, at(second)))).toEqual([
      null,
      ...[0, 0, 1, 1, 2, 2].map((ordinal) => ({ row: 0, ordinal })),
      { row: 1, ordinal: 0 },
      { row: 1, ordinal: 0 },
    ]);
  });

  it('a window of events holds those that begin in it', () => {
    const reader = ticks([0], [10], [20], [35]);
    expect(reader.events(at(10), at(35)).map((event) => event.at)).toEqual([at(10), at(20)]);
  });
});

const answer = fc.constantFrom(ok(), bad(), broken(), hang(), ok(1500));
const script = fc.array(fc.tuple(fc.integer({ min: 0, max: 90 }), answer), { minLength: 1, maxLength: 4 });
const spec = fc
  .record({
    periodSeconds: fc.integer({ min: 1, max: 12 }),
    timeoutSeconds: fc.integer({ min: 1, max: 3 }),
    failureThreshold: fc.integer({ min: 1, max: 3 }),
    initialDelaySeconds: fc.integer({ min: 0, max: 8 }),
  })
  .map((numbers) => probe(numbers));
const randomScenario: fc.Arbitrary<Scenario> = fc
  .record({
    kinds: fc.subarray(['startup', 'readiness', 'liveness'] as const),
    specs: fc.tuple(spec, spec, spec),
    steps: script,
    exit: fc.option(fc.tuple(fc.integer({ min: 5, max: 60 }), fc.integer({ min: 0, max: 1 })), { nil: null }),
    restartPolicy: fc.constantFrom('Always', 'OnFailure', 'Never' as const),
    seed: fc.integer({ min: 0, max: 1000 }),
  })
  .map(({ kinds, specs, steps, exit, restartPolicy, seed }) => {
    const probes = Object.fromEntries(kinds.map((kind, i) => [kind, specs[i]]));
    const sorted = [...steps].sort(([a], [b]) => a - b).map(([second, how]) => step(second, how));
    const runs = [run(...sorted, ...(exit ? [exitStep(...exit)] : []))];
    return scenario([pod([container(probes, runs)], { restartPolicy })], 120, { seed });
  });

function traceOf(input: Scenario, everyTick: boolean): TraceReader {
  const running = startRun(input, { everyTick });
  while (running.advance(1_000_000));
  return new TraceReader(running.trace());
}

describe('a whole run', () => {
  it('unpacks to the bytes of a run that queues and writes every tick', () => {
    fc.assert(
      fc.property(randomScenario, (input) => {
        const packed = traceOf(input, false);
        const plain = traceOf(input, true);
        expect(plain.data.rows).toBe(packed.eventCount);
        expect(Buffer.compare(unpackedBytes(packed), unpackedBytes(plain))).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it('gives the same bytes for the same scenario, in one go or in small budgets', () => {
    fc.assert(
      fc.property(randomScenario, fc.integer({ min: 1, max: 50 }), (input, budget) => {
        const slow = startRun(input);
        while (slow.advance(budget));
        expect(slow.trace()).toEqual(traceOf(input, false).data);
      }),
      { numRuns: 20 },
    );
  });

  it('puts causes before effects, and never an effect before its time', () => {
    fc.assert(
      fc.property(randomScenario, (input) => {
        const reader = traceOf(input, false);
        const order = new Map(reader.refs().map(({ row, ordinal }, index) => [`${row}/${ordinal}`, index]));
        for (const event of reader.events()) {
          for (const cause of reader.causesOf(event.ref)) {
            expect(reader.startOf(cause)).toBeLessThanOrEqual(event.at);
            const [first, second] = [
              order.get(`${cause.row}/${cause.ordinal}`),
              order.get(`${event.ref.row}/${event.ref.ordinal}`),
            ];
            expect(first as number).toBeLessThan(second as number);
          }
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('object versions', () => {
  it('every version is read back as it was written, whichever is asked for first', () => {
    const pieces = fc.array(fc.constantFrom('a', 'b', ',cc', ',d', ''), { maxLength: 40 });
    const texts = fc.array(
      fc.oneof(fc.string({ unit: 'binary' }), fc.string(), pieces, fc.constantFrom('{"a":1}', '{"a":12}', '')),
      {
        minLength: 1,
        maxLength: 150,
      },
    );
    fc.assert(
      fc.property(texts, (versions) => {
        const pool = new ObjectPool();
        for (const [i, text] of versions.entries()) pool.add(i % 2, text, micros(i), i);
        const columns = pool.toColumns();
        const read = versions.map((_, i) => decodeVersion(columns, versions.length - 1 - i, () => undefined)).reverse();
        expect(read).toEqual(versions.map(joined));
      }),
    );
  });

  it('a version that changes little takes little room', () => {
    const pool = new ObjectPool();
    const long = 'x'.repeat(5_000);
    pool.add(0, `${long}1${long}`, micros(0), 0);
    pool.add(0, `${long}2${long}`, micros(1), 1);
    expect(pool.toColumns().pool.length).toBe(10_002);
  });

  it('objects that change from one text to another alike store that change once', () => {
    const pool = new ObjectPool();
    const [first, second] = [
      ['[', 'a', ']'],
      ['[', 'bb', ']'],
    ];
    for (const [at, text] of [first, second].entries()) {
      for (const key of [0, 1, 2]) pool.add(key, text, micros(at), at);
    }
    const columns = pool.toColumns();
    expect(columns.pool.length).toBe(5);
    expect([3, 4, 5].map((version) => decodeVersion(columns, version, () => undefined))).toEqual([
      '[bb]',
      '[bb]',
      '[bb]',
    ]);
  });

  it('the version at an instant is the last that began by then', () => {
    const writer = new TraceWriter();
    const ref = writer.event('processStart', at(0), writer.subjectOf(WORKER), {});
    for (const second of [1, 2, 3]) writer.object(writer.objectOf('api/Pod/x'), `"${second}"`, at(second), ref);
    const reader = new TraceReader(writer.finish(at(9), 0));
    const text = (second: number): string | null => {
      const version = reader.versionAt('api/Pod/x', at(second));
      return version && reader.versionText(version.index);
    };
    expect([0, 1, 2.5, 8].map(text)).toEqual([null, '"1"', '"2"', '"3"']);
  });
});
