import { describe, expect, it } from 'vitest';
import { micros, seconds } from '../../src/base/units.ts';
import type { Action, AppRun, FeatureGate, PodInput, ProbeKind, ProbeSpec } from '../../src/sim/scenario.ts';
import { type ReadRun, readRun } from '../support/readRun.ts';
import { container, exitStep, ok, pod, probe, run, scenario, step } from '../support/scenario.ts';

/** What changed between versions, as the handed cases tell it: each row is one version on one side of the change. */

interface Given {
  readonly probes: Partial<Record<ProbeKind, ProbeSpec>>;
  readonly app?: AppRun;
  readonly pod?: Partial<PodInput>;
  readonly actions?: readonly Action[];
  readonly duration: number;
}

/** One run on each of a few phases of all timers. */
const runsAt = (
  kubernetes: string,
  { probes, app = run(step(0, ok())), pod: over = {}, actions = [], duration }: Given,
): readonly ReadRun[] =>
  [1, 2, 3, 4].map((seed) =>
    readRun(scenario([pod([container(probes, [app])], over)], duration, { seed, kubernetes, actions })),
  );

const startupEnd = ({ all }: ReadRun): number =>
  (all('resultSet', ({ subject, payload }) => subject.probe === 'startup' && payload.result === 'success')[0]?.at ??
    Number.NaN) / 1e6;
const first = (list: readonly number[]): number => list[0] ?? Number.NaN;

describe('A1: the first readiness run after startup success', () => {
  const given: Given = {
    probes: {
      startup: probe({ timeoutSeconds: 140, failureThreshold: 1 }),
      readiness: probe({ periodSeconds: 30 }),
    },
    app: run({ ...step(0, ok()), answers: { startup: ok(3000), readiness: ok() } }),
    duration: 120,
  };
  it.each([
    ['1.20', false],
    ['1.21', false],
    ['1.22', true],
    ['1.37', true],
  ])('in %s it follows at once: %s', (version, atOnce) => {
    for (const ran of runsAt(version, given)) {
      const gap = first(ran.attempts('readiness')) - startupEnd(ran);
      expect(gap < 0.1).toBe(atOnce);
      expect(gap).toBeLessThanOrEqual(30);
    }
  });
});

describe('A3: Ready without a readiness probe after startup success', () => {
  const given: Given = { probes: { startup: probe({ periodSeconds: 5, initialDelaySeconds: 20 }) }, duration: 150 };
  it.each([
    ['1.21', false],
    ['1.22', true],
  ])('in %s it comes at once: %s, else with the next timed sync', (version, atOnce) => {
    for (const ran of runsAt(version, given)) {
      const gap = first(ran.readyTurned('True')) - startupEnd(ran);
      expect(gap < 0.1).toBe(atOnce);
      expect(gap).toBeLessThan(91);
    }
  });
});

describe('B2: hourly readiness', () => {
  const given: Given = {
    probes: { readiness: probe({ initialDelaySeconds: 30, periodSeconds: 3600, failureThreshold: 1 }) },
    duration: 3700,
  };
  it('in 1.20 the first run comes after an hour', () => {
    for (const ran of runsAt('1.20', given)) expect(first(ran.readyTurned('True'))).toBeGreaterThan(3590);
  });
  it('in 1.21 with the first timed sync after the delay', () => {
    for (const ran of runsAt('1.21', given)) expect(first(ran.readyTurned('True'))).toBeLessThan(95);
  });
});

describe('B4: a startup command that outlasts its period', () => {
  const given: Given = {
    probes: { startup: probe({ timeoutSeconds: 95 }) },
    app: run({ ...step(0, ok()), answers: { startup: ok(40_000) } }),
    duration: 180,
  };
  it.each([
    ['1.27', 2],
    ['1.28', 1],
  ])('in %s runs %d times', (version, times) => {
    for (const ran of runsAt(version, given)) expect(ran.attempts('startup')).toHaveLength(times);
  });
});

describe('B5: pokes and the ticker', () => {
  const failing = { outcome: 'failure', takes: 5_000, message: '' } as const;
  const given: Given = {
    probes: { readiness: probe({ periodSeconds: 120, failureThreshold: 1 }) },
    app: run(step(0, ok()), step(300, failing), step(700, ok())),
    duration: 900,
  };
  it.each([
    ['1.31', false],
    ['1.32', true],
  ])('in %s a poked run restarts the ticker: %s', (version, restarts) => {
    for (const ran of runsAt(version, given)) {
      const turns = ran.all('probeRun', ({ payload }) => payload.outcome === 'attempt');
      const ticks = turns.filter(({ payload }) => payload.cause === 'ticker').map(({ at }) => at);
      const phases = new Set(ticks.map((at) => at % 120_000_000));
      expect(phases.size > 1).toBe(restarts);
    }
  });
});

describe('C1: a kubelet restart', () => {
  const given: Given = {
    probes: { readiness: probe() },
    app: run(step(0, ok(1000 - 1))),
    actions: [{ at: micros(60_000_000), do: 'restartKubelet', node: 'node-a', down: seconds(5) }],
    duration: 120,
  };
  it('up to 1.34 costs readiness for as long as one run takes', () => {
    for (const ran of runsAt('1.34', given)) {
      const gone = ran.readyTurned('False').filter((at) => at > 60);
      const back = ran.readyTurned('True').filter((at) => at > 60);
      expect(gone).toHaveLength(1);
      expect((back[0] as number) - (gone[0] as number)).toBeCloseTo(1, 1);
    }
  });
  it('from 1.35 on leaves Ready alone and writes nothing', () => {
    for (const ran of runsAt('1.35', given)) {
      expect(ran.readyTurned('False').filter((at) => at > 60)).toEqual([]);
      expect(ran.all('apiRequest', ({ at, payload }) => at > 60e6 && payload.verb === 'patch')).toEqual([]);
    }
  });
});

describe('D2: readiness while terminating', () => {
  const failing = { outcome: 'failure', takes: 5_000, message: '' } as const;
  const given: Given = {
    probes: { readiness: probe({ periodSeconds: 2, failureThreshold: 1 }) },
    app: {
      script: [step(0, ok())],
      postStart: null,
      preStop: null,
      onTerm: { exitAfter: null, exitCode: 0, script: [step(0, failing)] },
    },
    actions: [{ at: micros(40_000_000), do: 'deletePod', pod: 'default/web-0', graceSeconds: 30 }],
    duration: 90,
  };
  it.each([
    ['1.22', false],
    ['1.24', false],
    ['1.25', true],
    ['1.34', true],
    ['1.35', false],
    ['1.36', true],
    ['1.37', true],
  ])('in %s Ready turns False within a period of SIGTERM: %s, else when the container is gone', (version, works) => {
    for (const ran of runsAt(version, given)) {
      const gone = first(ran.readyTurned('False').filter((at) => at > 40)) - 40;
      expect(gone < 2.1).toBe(works);
      expect(gone).toBeLessThan(31);
    }
  });
});

describe('exec probes while terminating in 1.35', () => {
  const given = (type: 'exec' | 'httpGet', takes = 5_000): Given => ({
    probes: { readiness: { ...probe({ periodSeconds: 2 }), handler: { type, target: 'check' } } },
    app: {
      script: [step(0, ok(takes / 1000))],
      postStart: null,
      preStop: null,
      onTerm: { exitAfter: null, exitCode: 0, script: [] },
    },
    actions: [{ at: micros(40_000_000), do: 'deletePod', pod: 'default/web-0', graceSeconds: 10 }],
    duration: 90,
  });
  const CANCELED =
    'Readiness probe errored and resulted in unknown state: rpc error: code = Canceled desc = context canceled';
  const canceled = (ran: ReadRun) => ran.all('kubeEvent', ({ payload }) => payload.message === CANCELED);

  it('each is cancelled, after three tries in an instant, and says so', () => {
    for (const ran of runsAt('1.35', given('exec'))) {
      const ends = ran.all('probeRun', ({ at, payload }) => at > 40e6 && payload.outcome === 'attempt');
      expect(ends.length).toBeGreaterThan(3);
      for (const { at, end, payload } of ends) {
        expect([payload.result, payload.tries]).toEqual(['error', 'error,error,error']);
        expect(end).toBe(at);
      }
      expect(canceled(ran)).toHaveLength(ends.length);
    }
  });
  it('one that is under way is cut', () => {
    for (const ran of runsAt('1.35', given('exec', 900_000))) {
      const cut = ran.all('probeRun', ({ at, end }) => at < 40e6 && end > 40e6 && end < 40.1e6);
      for (const { payload } of cut) expect(payload.result).toBe('error');
      expect(ran.all('probeRun', ({ at, end }) => at < 40e6 && end >= 40.1e6)).toEqual([]);
    }
  });
  it.each([
    ['1.35', 'httpGet'],
    ['1.34', 'exec'],
    ['1.36', 'exec'],
  ] as const)('in %s %s is not', (version, type) => {
    for (const ran of runsAt(version, given(type))) expect(canceled(ran)).toEqual([]);
  });
});

describe('the phase of a Pod that was deleted', () => {
  const given: Given = {
    probes: {},
    actions: [{ at: micros(20_000_000), do: 'deletePod', pod: 'default/web-0', graceSeconds: 10 }],
    duration: 40,
  };
  const phases = (ran: ReadRun | undefined): readonly string[] =>
    (ran?.reader.versionsOf('api/Pod/default/web-0') ?? []).map(
      ({ index }) => /"phase": ?"(\w+)"/.exec(ran?.reader.versionText(index) ?? '')?.[1] ?? '',
    );
  it.each([
    ['1.26', 'Running'],
    ['1.27', 'Failed'],
  ])('in %s its last one is %s, and its object goes', (version, last) => {
    for (const ran of runsAt(version, given)) {
      expect(
        phases(ran)
          .filter((phase) => phase !== '')
          .at(-1),
      ).toBe(last);
      expect(ran.all('apiRequest', ({ payload }) => payload.verb === 'delete')).toHaveLength(1);
    }
  });
});

describe('V1: when a crash retry comes', () => {
  const given: Given = { probes: {}, app: run(exitStep(6, 1)), duration: 60 };
  it.each([
    ['1.34', 10, 16],
    ['1.37', 10, 16],
  ])('in %s the third start comes %d to %d s after the second exit', (version, least, most) => {
    for (const ran of runsAt(version, given)) {
      const exits = ran.all('containerExit').map(({ at }) => at / 1e6);
      const wait = (ran.starts[2] as number) - (exits[1] as number);
      expect(wait).toBeGreaterThan(least);
      expect(wait).toBeLessThan(most + 1);
    }
  });
  it.each<[string, readonly FeatureGate[], number]>([
    ['1.37', [], 10],
    ['1.37', ['ReduceDefaultCrashLoopBackOffDecay'], 1],
    ['1.32', ['ReduceDefaultCrashLoopBackOffDecay'], 10],
  ])('in %s with the gates %j the first wait is %d s, doubled each time', (kubernetes, featureGates, first) => {
    const { kubelet } = scenario([], 1);
    const crashing = pod([container({}, [given.app ?? run()])]);
    const ran = readRun(scenario([crashing], 120, { kubernetes, kubelet: { ...kubelet, featureGates } }));
    const told = new Set(ran.all('backOff').map(({ payload }) => /back-off (\w+) /.exec(payload.message)?.[1]));
    expect([...told].slice(0, 3)).toEqual([0, 1, 2].map((i) => `${first * 2 ** i}s`));
  });
  it('for a wait of 40 s, up to 1.34 it comes in steps of 10 to 15 s, from 1.35 on by the end of the wait', () => {
    const long: Given = { ...given, duration: 260 };
    const tries = (version: string): number =>
      Math.max(
        ...runsAt(version, long).map(
          (ran) => ran.all('backOff', ({ payload }) => payload.message.includes('40s')).length,
        ),
      );
    expect(tries('1.34')).toBeGreaterThan(tries('1.35'));
  });
});

describe('what came with a version', () => {
  it.each([
    ['1.28', false],
    ['1.29', true],
  ])('in %s the status has PodReadyToStartContainers: %s', (version, has) => {
    const [ran] = runsAt(version, { probes: {}, duration: 5 });
    const versions = ran?.reader.versionsOf('api/Pod/default/web-0') ?? [];
    const text = ran?.reader.versionText(versions.at(-1)?.index ?? 0) ?? '';
    expect(text.includes('PodReadyToStartContainers')).toBe(has);
  });
  it.each([
    ['1.24', 30],
    ['1.25', 5],
  ])('in %s a liveness kill of an app that ignores SIGTERM takes %d s', (version, grace) => {
    const given: Given = {
      probes: { liveness: probe({ periodSeconds: 1, failureThreshold: 1, terminationGracePeriodSeconds: 5 }) },
      app: {
        script: [step(0, { outcome: 'failure', takes: 1000, message: '' })],
        postStart: null,
        preStop: null,
        onTerm: { exitAfter: null, exitCode: 0, script: [] },
      },
      duration: 60,
    };
    for (const ran of runsAt(version, given)) {
      const [term] = ran.all('sigterm');
      const [exit] = ran.all('containerExit');
      expect(((exit?.at ?? 0) - (term?.at ?? 0)) / 1e6).toBeCloseTo(grace, 3);
    }
  });
  it.each([
    ['1.33', false],
    ['1.34', true],
  ])('in %s a PATCH follows a deletion at once: %s', (version, follows) => {
    const given: Given = {
      probes: {},
      app: {
        script: [step(0, ok())],
        postStart: null,
        preStop: null,
        onTerm: { exitAfter: null, exitCode: 0, script: [] },
      },
      actions: [{ at: micros(20_000_000), do: 'deletePod', pod: 'default/web-0', graceSeconds: 10 }],
      duration: 25,
    };
    for (const ran of runsAt(version, given)) {
      expect(ran.all('apiRequest', ({ at, payload }) => at > 20e6 && payload.verb === 'patch').length > 0).toBe(
        follows,
      );
    }
  });
  it.each([
    ['1.35', false],
    ['1.36', true],
  ])('in %s the second pass comes within milliseconds of the first: %s', (version, quick) => {
    for (const ran of runsAt(version, { probes: {}, duration: 10 })) {
      const [one, two] = ran.all('syncPod');
      expect((two?.at ?? 0) - (one?.end ?? 0) < 2_000).toBe(quick);
    }
  });
  it('an init container that restarts always is a sidecar only from 1.29 on', () => {
    const sidecar = { ...container({}, [run(step(0, ok()))], 'proxy'), isSidecar: true };
    const started = (version: string): boolean =>
      readRun(scenario([pod([container({})], { initContainers: [sidecar] })], 20, { kubernetes: version })).all(
        'startContainer',
        ({ subject }) => subject.container === 'app',
      ).length > 0;
    expect([started('1.28'), started('1.29')]).toEqual([false, true]);
  });
});
