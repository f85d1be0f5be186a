import { describe, expect, it } from 'vitest';
import { bad, container, exitStep, ok, pod, probe, run, scenario, step } from '../../test/support/scenario.ts';
import { type Micros, micros } from '../base/units.ts';
import type { Scenario } from '../sim/scenario.ts';
import { simulate } from '../sim/simulate.ts';
import { conditionOf } from '../sim/trace/podObject.ts';
import { TraceReader } from '../sim/trace/reader.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { answerAt } from './answer.ts';
import { causedBy, chainOf } from './causes.ts';
import { readyChanges, readySince } from './readySince.ts';
import { RULES } from './rules.ts';
import { rulesOf } from './rulesOf.ts';
import { stateAt } from './stateAt.ts';
import { firstMissing, whoSees } from './whoSees.ts';
import { en } from './words/en.ts';
import { eventEn } from './words/eventEn.ts';
import { eventZh } from './words/eventZh.ts';
import { zh } from './words/zh.ts';

const finished = (of: Scenario): FinishedRun => ({ scenario: of, reader: new TraceReader(simulate(of)) });
const at = (seconds: number): Micros => micros(Math.round(seconds * 1e6));

const late = finished(
  scenario(
    [
      pod([
        container({ readiness: probe({ periodSeconds: 10, successThreshold: 2 }) }, [
          run(step(0, bad()), step(7, ok(400))),
        ]),
      ]),
    ],
    90,
  ),
);
const [web = pod([])] = late.scenario.pods;
const answer = (when: Micros) => answerAt(late, stateAt(late, web, when));
const readyAt = readyChanges(late, web)[0]?.at ?? micros(0);
const attempts = late.reader
  .events()
  .filter((event) => event.kind === 'probeRun' && event.payload.outcome === 'attempt');
const [firstSuccess] = attempts.filter((event) => event.kind === 'probeRun' && event.payload.result === 'success');
if (firstSuccess === undefined) throw new Error('no attempt succeeded');
const statusReady = late.reader
  .events()
  .filter((event) => event.kind === 'statusSet')
  .at(-1)?.at;
if (statusReady === undefined) throw new Error('no status was stored');

/** A gate that opens at 15 s, a sidecar that is ready before the app, a deletion at 30 s, another one by force. */
function gated(graceSeconds: number | null): FinishedRun {
  const mesh = { ...container({ readiness: probe() }, [run(step(0, bad()), step(5, ok()))], 'mesh'), isSidecar: true };
  const pods = [pod([container({})], { readinessGates: ['lb'], initContainers: [mesh] })];
  const about = { pod: 'default/web-0' };
  return finished(
    scenario(pods, 60, {
      actions: [
        { ...about, at: at(15), do: 'patchCondition', condition: 'lb', status: 'True' },
        { ...about, at: at(30), do: 'deletePod', graceSeconds },
      ],
    }),
  );
}

it('says how long a container that crashes has to wait', () => {
  const crash = finished(scenario([pod([container({}, [run(step(0, ok()), exitStep(2, 1))])])], 60));
  const said = crash.reader.events().find(({ kind }) => kind === 'backOff');
  const [only = pod([])] = crash.scenario.pods;
  const answered = answerAt(crash, stateAt(crash, only, micros((said?.at ?? 0) + 1_000_000)));
  expect(en.because(answered)).toMatch(/^Container app does not run.*: back-off until \d+\.\d+\ss\.$/);
  expect(zh.because(answered)).toMatch(/退避至 \d+\.\d+\ss。$/);
});

describe('answerAt of the whole kubelet', () => {
  const [slow, fast] = [gated(null), gated(0)];
  it.each<[name: string, of: FinishedRun, when: number, verdict: string, because: Record<string, unknown>]>([
    ['a sidecar holds Ready back', slow, 4, 'notReady', { kind: 'appNotServing', container: 'mesh' }],
    ['a gate that nobody has opened is named', slow, 14, 'notReady', { kind: 'gate', condition: 'lb' }],
    ['an open gate lets the Pod be Ready', slow, 20, 'ready', { kind: 'settled' }],
    ['after its deletion there is no Pod', slow, 58, 'absent', { kind: 'removed' }],
    ['a deletion by force is at once', fast, 30.001, 'absent', { kind: 'removed', at: at(30) }],
  ])('%s', (_name, of, when, verdict, because) => {
    const [only = pod([])] = of.scenario.pods;
    const said = answerAt(of, stateAt(of, only, at(when)));
    expect(said).toMatchObject({ verdict, because });
    for (const words of [en, zh])
      expect(`${words.verdict(said, 'web-0')} ${words.because(said)}`).not.toMatch(/undefined|null|NaN/);
  });
});

describe('answerAt', () => {
  it.each<[name: string, when: Micros, verdict: string, because: string]>([
    ['before its creation there is no Pod', micros(-1), 'absent', 'notCreated'],
    ['before the container runs the app waits', at(0.1), 'notReady', 'appWaiting'],
    ['an app that is starting is the first missing link', at(5), 'notReady', 'appNotServing'],
    ['an app that serves waits for a probe', micros(firstSuccess.at - 1_000), 'notReady', 'waitingForProbe'],
    ['while the probe runs, that is it', micros(firstSuccess.at + 100_000), 'notReady', 'probing'],
    ['one success of two is below the threshold', micros(firstSuccess.end + 1_000), 'notReady', 'belowThreshold'],
    ['a kubelet that knows waits for its PATCH', statusReady, 'notReady', 'waitingForPatch'],
    ['then the Pod is Ready', readyAt, 'ready', 'settled'],
  ])('%s', (_name, when, verdict, because) => {
    expect(answer(when)).toMatchObject({ verdict, because: { kind: because } });
  });

  it('says Ready exactly when the API does, at every event', () => {
    const wrong = late.reader.events().filter((event) => {
      const state = stateAt(late, web, event.at);
      const ready = state.api !== null && conditionOf(state.api.status, 'Ready')?.status === 'True';
      return (answerAt(late, state).verdict === 'ready') !== ready;
    });
    expect(wrong).toEqual([]);
  });

  it('has words for every answer in both languages', () => {
    for (const event of late.reader.events()) {
      const said = answer(event.at);
      for (const words of [en, zh]) {
        expect(`${words.verdict(said, 'web-0')} ${words.because(said)}`).not.toMatch(/undefined|null|NaN|\[object/);
      }
    }
  });
});

describe('stateAt', () => {
  it('knows the turn to come', () => {
    const [worker] = stateAt(late, web, micros(firstSuccess.at - 1)).workers;
    expect(worker?.nextTurn).toBe(firstSuccess.at);
  });

  it('finds a turn inside a packed row', () => {
    const [worker] = stateAt(late, web, at(85)).workers;
    const expected = attempts.filter((event) => event.at <= at(85)).at(-1);
    expect(worker?.turn?.at).toBe(expected?.at);
    expect(worker?.turn?.ref).toEqual(expected?.ref);
  });

  it('keeps since when the condition has its value', () => {
    expect(readySince(late, web, at(90))).toBe(readyAt);
    expect(readySince(late, web, micros(-1))).toBeNull();
  });
});

describe('chainOf', () => {
  it('leads from the deciding probe to the PATCH and back', () => {
    const { reader } = late;
    const patch = reader
      .events()
      .filter((event) => event.kind === 'apiRequest' && event.payload.verb === 'patch')
      .at(-1);
    if (patch === undefined) throw new Error('nothing was patched');
    const kinds = chainOf(reader, patch.ref).map(({ cause }) => reader.event(cause).kind);
    expect(kinds).toContain('resultSet');
    expect(kinds).toContain('probeRun');
  });

  it('keeps a timer apart from a cause', () => {
    const { reader } = late;
    const armed = chainOf(reader, firstSuccess.ref).filter((link) => link.armed);
    expect(armed).toHaveLength(1);
    const [link] = armed;
    expect(link && causedBy(reader, link.cause).some((ref) => ref.row === firstSuccess.ref.row)).toBe(false);
  });
});

const crashing = finished(
  scenario(
    [
      pod([
        container(
          {
            startup: probe({ initialDelaySeconds: 3, periodSeconds: 1, failureThreshold: 5 }),
            readiness: probe({ periodSeconds: 2 }),
            liveness: probe({ periodSeconds: 2, failureThreshold: 2 }),
          },
          [run(step(0, ok()), step(9, bad()), exitStep(30, 1)), run(step(0, bad())), run(exitStep(2, 0))],
        ),
      ]),
    ],
    240,
  ),
);

describe('words and rules', () => {
  it('say something true-looking about every event of a stormy run, in both languages', () => {
    for (const event of crashing.reader.events()) {
      for (const words of [eventEn, eventZh]) {
        expect(words.event(event), `${event.kind} at ${event.at}`).not.toMatch(/undefined|null|NaN|\[object|^\s*$/);
      }
    }
  });

  it('name a rule for everything that the kubelet does', () => {
    const without = crashing.reader.events().filter((event) => rulesOf(event).length === 0);
    expect(new Set(without.map(({ kind }) => kind))).toEqual(new Set(['action', 'appState', 'kubeEvent']));
  });

  it.each(Object.entries(RULES))('%s has a source and both languages', (_number, { source, symbol, text }) => {
    expect(source).toMatch(/^(pkg|cmd|staging\/src\/k8s\.io)\/.+\.go$/);
    expect(symbol).not.toBe('');
    expect(text.en).toMatch(/\.$/);
    expect(text.zh).toMatch(/。$/);
  });
});

describe('stateAt of a worker', () => {
  const attempt = attempts.filter((event) => event.at < firstSuccess.at).at(-1);
  if (attempt === undefined) throw new Error('no attempt failed');

  it('counts nothing of an attempt that still runs', () => {
    const [during] = stateAt(late, web, micros(firstSuccess.at + 100_000)).workers;
    const [before] = stateAt(late, web, micros(firstSuccess.at - 1)).workers;
    expect(during?.node).toEqual({ ...before?.node, state: 'probing' });
    expect(during?.node?.lastResult).toBe('failure');
    const [after] = stateAt(late, web, micros(firstSuccess.end)).workers;
    expect(after?.node).toMatchObject({ state: 'waiting.settled', lastResult: 'success', resultRun: 1 });
  });

  it('tells the next attempt from a turn that will not probe', () => {
    const delayed = finished(
      scenario([pod([container({ readiness: probe({ initialDelaySeconds: 7, periodSeconds: 2 }) }, [run()])])], 20),
    );
    const [worker] = stateAt(delayed, delayed.scenario.pods[0] ?? web, at(2)).workers;
    const turns = delayed.reader.events().filter((event) => event.kind === 'probeRun' && event.at > at(2));
    expect(worker?.nextTurn).toBe(turns[0]?.at);
    expect(worker?.nextAttempt).toBe(
      turns.find((event) => event.kind === 'probeRun' && event.payload.outcome === 'attempt')?.at,
    );
    expect(worker?.nextAttempt).toBeGreaterThan(worker?.nextTurn ?? 0);
  });

  it('has no result for a container that it has not seen yet', () => {
    const killed = finished(
      scenario(
        [pod([container({ liveness: probe({ periodSeconds: 2, failureThreshold: 1 }) }, [run(step(0, bad()))])])],
        30,
      ),
    );
    const created = killed.reader.events().filter((event) => event.kind === 'createContainer')[1];
    if (created === undefined) throw new Error('the container was not made anew');
    const resultAt = (when: Micros) => stateAt(killed, killed.scenario.pods[0] ?? web, when).workers[0]?.result;
    expect(resultAt(micros(created.end - 1))?.value).toBe('failure');
    expect(resultAt(created.end)).toBeNull();
    const next = killed.reader.events().find((event) => event.kind === 'resultSet' && event.at >= created.end);
    expect(resultAt(next?.at ?? created.end)?.value).toBe('success');
  });

  it('is stopped once it has left', () => {
    const ended = finished(
      scenario(
        [
          {
            ...pod([container({ liveness: probe({ periodSeconds: 1 }) }, [run(exitStep(3, 0))])]),
            restartPolicy: 'Never',
          },
        ],
        20,
      ),
    );
    const left = ended.reader.events().find(({ kind }) => kind === 'workerExited');
    if (left === undefined) throw new Error('no worker left');
    const nodeAt = (when: Micros) => stateAt(ended, ended.scenario.pods[0] ?? web, when).workers[0]?.node?.state;
    expect(nodeAt(micros(left.at - 1))).not.toBe('stopped');
    expect(nodeAt(left.at)).toBe('stopped');
  });
});

describe('answerAt, where the app and the API differ', () => {
  const because = (of: FinishedRun, when: Micros) =>
    answerAt(of, stateAt(of, of.scenario.pods[0] ?? web, when)).because;

  it('does not promise that a probe will tell when none asks', () => {
    const silent = finished(scenario([pod([container({}, [run(step(0, bad()), step(30, ok()))])])], 20));
    expect(because(silent, at(10))).toMatchObject({ kind: 'notAsked' });
  });

  it('says that the news has not reached the API while a failing app is still Ready', () => {
    const falling = finished(
      scenario(
        [pod([container({ readiness: probe({ periodSeconds: 10 }) }, [run(step(0, ok()), step(5, bad()))])])],
        20,
      ),
    );
    expect(because(falling, at(8))).toMatchObject({ kind: 'stillReady', app: 'failing' });
  });

  it('names a startup probe that has failed for good, also beside an app that serves', () => {
    const lost = finished(
      scenario(
        [
          pod([
            container({ startup: probe({ periodSeconds: 1, failureThreshold: 2 }) }, [
              run(step(0, bad()), step(2.2, ok())),
            ]),
          ]),
        ],
        20,
      ),
    );
    const verdict = lost.reader
      .events()
      .find(
        (event) =>
          event.kind === 'resultSet' && event.subject.probe === 'startup' && event.payload.result === 'failure',
      );
    if (verdict === undefined) throw new Error('startup did not fail');
    expect(because(lost, verdict.at)).toEqual({ kind: 'startupFailed', container: 'app' });
  });
});

describe('whoSees', () => {
  it('marks the same party as missing that the answer speaks of, at every event', () => {
    for (const event of late.reader.events()) {
      const parties = whoSees(late, stateAt(late, web, event.at));
      const missing = firstMissing(parties);
      expect(missing === null, `at ${event.at}`).toBe(answer(event.at).verdict === 'ready');
    }
  });

  it('does not wait for a liveness probe', () => {
    const parties = whoSees(crashing, stateAt(crashing, crashing.scenario.pods[0] ?? web, at(1)));
    expect(parties.filter(({ matters }) => !matters).map(({ probe: kind }) => kind)).toEqual(['liveness']);
  });
});
