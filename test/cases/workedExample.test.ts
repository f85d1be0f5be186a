import { describe, expect, it } from 'vitest';
import { microsSpan } from '../../src/base/units.ts';
import { type ReadRun, readRun } from '../support/readRun.ts';
import { bad, container, ok, pod, probe, run, scenario, step } from '../support/scenario.ts';

/**
 * The worked example of the kubelet's rules, from the created Pod to its second readiness run: startup each second,
 * readiness every 10 s, and an app that answers from 2.4 s on. Instants in s.
 */
const ms = (milliseconds: number) => microsSpan(milliseconds * 1000);
const play = (kubernetes: string): ReadRun => {
  const { latency } = scenario([], 1);
  const app = container({ startup: probe({ periodSeconds: 1, failureThreshold: 60 }), readiness: probe() }, [
    run(step(0, bad()), step(2.4, ok())),
  ]);
  return readRun(
    scenario([pod([app])], 40, {
      kubernetes,
      wallClock: 1_767_225_600_000_000,
      latency: {
        ...latency,
        apiRequest: ms(2),
        apiResponse: ms(1),
        watch: ms(1),
        criRunPodSandbox: ms(200),
        criCreateContainer: ms(50),
        criStartContainer: ms(50),
        plegRelist: ms(0),
        plegRelistPod: ms(1),
        syncPod: ms(1),
        syncPodVolumes: ms(200),
        workerTurn: ms(0.1),
        workerTurnStep: ms(0.1),
      },
      pins: { 'kubelet/relistPhase/node-a': [{ value: 250_000, at: null }] },
    }),
  );
};
/** All hops together may move an instant of the example by so much. */
const HOPS = 0.012;
const expectInstants = (found: readonly number[], expected: readonly number[]): void => {
  expect(found.length).toBeGreaterThanOrEqual(expected.length);
  for (const [i, instant] of expected.entries()) {
    expect(Math.abs((found[i] as number) - instant)).toBeLessThan(HOPS);
  }
};
const made = (ran: ReadRun) => ran.all('workerAdded').map(({ at }) => at / 1e6);
const patched = (ran: ReadRun) =>
  ran.all('apiRequest', ({ payload }) => payload.verb === 'patch').map(({ at }) => at / 1e6);
const passes = (ran: ReadRun) => ran.all('syncPod').map(({ at }) => at / 1e6);

describe('in 1.37', () => {
  const ran = play('1.37');
  it('workers are made once the volumes are mounted, 300 ms after the first look', () => {
    expectInstants(made(ran), [0.302, 0.302]);
  });
  it('the container starts 300 ms later', () => {
    expectInstants(ran.starts, [0.602]);
  });
  it('the second pass follows the first at once, as it asked for a relist', () => {
    expectInstants(passes(ran), [0.001, 0.609]);
  });
  it('startup is probed at its ticks, fails twice and succeeds', () => {
    expectInstants(
      ran.attempts('startup'),
      [0, 1, 2].map((tick) => 1.302 + tick),
    );
    expect(ran.attempts('startup')).toHaveLength(3);
  });
  it('readiness is poked at once, and its ticks count from there', () => {
    expectInstants(ran.attempts('readiness'), [3.309, 13.309, 23.309, 33.309]);
  });
  it('started reaches the API before ready does: two writes', () => {
    expectInstants(
      patched(ran).filter((t) => t > 3),
      [3.31, 3.318],
    );
    expectInstants(ran.readyTurned('True'), [3.322]);
  });
  it('passes that a probe result asked for wait for the next relist, once the first has used the present one', () => {
    const after = passes(ran).filter((t) => t > 3);
    expectInstants(after, [3.309, 4.25, 5.25]);
  });
});

describe('in older versions', () => {
  it('up to 1.20 nothing pokes readiness: Ready comes with its own tick', () => {
    expectInstants(play('1.20').readyTurned('True'), [10.31]);
  });
  it.each(['1.22', '1.31'])('in %s Ready comes at the same instant, and the next run with the old tick', (version) => {
    const ran = play(version);
    expectInstants(ran.readyTurned('True'), [3.32]);
    expectInstants(ran.attempts('readiness'), [3.309, 10.302]);
  });
  it('in 1.35 the second pass waits for the relist, and Ready does not change for that', () => {
    const ran = play('1.35');
    expectInstants(passes(ran), [0.001, 1.25]);
    expectInstants(ran.readyTurned('True'), [3.322]);
  });
});
