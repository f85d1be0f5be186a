import { describe, expect, it } from 'vitest';
import { container, exitStep, ok, pod, run, scenario, step } from '../../test/support/scenario.ts';
import { type Micros, micros, microsSpan, seconds } from '../base/units.ts';
import type { ContainerInput, Scenario } from '../sim/scenario.ts';
import { simulate } from '../sim/simulate.ts';
import { type TraceEvent, TraceReader } from '../sim/trace/reader.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { nextTry } from './nextTry.ts';
import { type Sending, sendingOf } from './sending.ts';

const finished = (of: Scenario): FinishedRun => ({ scenario: of, reader: new TraceReader(simulate(of)) });
const ofOne = (only: ContainerInput, over: Partial<Scenario> = {}): FinishedRun =>
  finished(scenario([pod([only])], 200, over));
const web = pod([]);

describe('nextTry', () => {
  const crash = ofOne(container({}, [run(step(0, ok()), exitStep(2, 1))]));
  const pull = ofOne({ ...container({}), imagePull: { takes: microsSpan(1_000_000), failures: 3 } });
  const tryOf = (of: FinishedRun, at: Micros) => nextTry(of, of.scenario.pods[0] ?? web, 'app', at);
  const exits = crash.reader.events().filter(({ kind }) => kind === 'containerExit');
  const starts = crash.reader.events().filter(({ kind }) => kind === 'createContainer');
  const pulls = pull.reader.events().filter(({ kind }) => kind === 'pullImage');
  const later = (at: number | undefined, by: number): Micros => micros((at ?? 0) + seconds(by));

  it.each<[name: string, got: ReturnType<typeof tryOf>, notBefore: Micros, inRun: Micros | undefined]>([
    [
      'the second crash waits 10 s from its exit',
      tryOf(crash, later(exits[1]?.at, 5)),
      later(exits[1]?.at, 10),
      starts[2]?.at,
    ],
    ['the third waits 20 s', tryOf(crash, later(exits[2]?.at, 5)), later(exits[2]?.at, 20), starts[3]?.at],
    [
      'a failed pull waits 10 s from its end',
      tryOf(pull, later(pulls[0]?.end, 5)),
      later(pulls[0]?.end, 10),
      pulls[1]?.at,
    ],
    ['the second one waits 20 s', tryOf(pull, later(pulls[1]?.end, 5)), later(pulls[1]?.end, 20), pulls[2]?.at],
  ])('%s', (_name, got, notBefore, inRun) => {
    expect(got).toEqual({ notBefore, inRun });
    expect(inRun).toBeGreaterThanOrEqual(notBefore);
  });

  it.each<[name: string, of: FinishedRun, at: Micros]>([
    ['a container that runs', crash, later(starts[0]?.end, 1)],
    ['one that runs again', crash, later(starts[2]?.end, 1)],
    ['an image that is being pulled', pull, later(pulls[1]?.at, 0.5)],
    ['a container whose image came at last', pull, later(pulls[3]?.end, 5)],
  ])('says nothing of %s', (_name, of, when) => {
    expect(tryOf(of, when)).toBeNull();
  });
});

describe('sendingOf', () => {
  const sets = ({ reader }: FinishedRun) =>
    reader.events().filter((event): event is TraceEvent<'statusSet'> => event.kind === 'statusSet');
  const kinds = (of: FinishedRun): readonly Sending['kind'][] => sets(of).map((set) => sendingOf(of.reader, set).kind);

  it('names the PATCH that carries a version', () => {
    const plain = ofOne(container({}));
    const [first] = sets(plain);
    const sent = first && sendingOf(plain.reader, first);
    if (sent?.kind !== 'patched') throw new Error('not patched');
    const request = plain.reader.event(sent.ref);
    expect(request).toMatchObject({ kind: 'apiRequest', payload: { verb: 'patch', version: 1 } });
    expect(sent.committedAt).toBeGreaterThan(sent.at);
  });

  it('says that a GET was enough after a restart in which nothing changed', () => {
    const restarted = ofOne(container({}), {
      actions: [{ at: micros(30_000_000), do: 'restartKubelet', node: 'node-a', down: seconds(2) }],
    });
    expect(kinds(restarted).at(-1)).toBe('getOnly');
  });

  it('says that the API server could not be reached', () => {
    const cut = finished(
      scenario([pod([container({}, [run(step(0, ok()), exitStep(12, 1))])])], 14, {
        actions: [{ at: micros(10_000_000), do: 'cutApi', node: 'node-a', lasts: seconds(60) }],
      }),
    );
    const last = sets(cut).at(-1);
    expect(last && sendingOf(cut.reader, last)).toMatchObject({ kind: 'failed', error: 'connection refused' });
  });

  it('says that a newer version went instead', () => {
    const busy = ofOne(container({}), { latency: { ...scenario([], 1).latency, apiRequest: microsSpan(3_000_000) } });
    const skipped = sets(busy).map((set) => sendingOf(busy.reader, set));
    expect(skipped.map(({ kind }) => kind)).toContain('skipped');
  });

  it('says that the run ends before it is sent', () => {
    const first = sets(ofOne(container({})))[0];
    const short = finished(scenario([pod([container({})])], ((first?.at ?? 0) + 10) / 1e6));
    expect(kinds(short)).toEqual(['notSent']);
  });
});
