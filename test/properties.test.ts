import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { micros } from '../src/base/units.ts';
import { play, runToEnd } from '../src/cli/play.ts';
import { checkRecording } from '../src/io/recording/conformance.ts';
import { runToRecording } from '../src/io/recording/kubelet/fromRun.ts';
import { kubeletRecording } from '../src/io/recording/kubelet/recording.ts';
import type { PodInput, ProbeSpec, Scenario } from '../src/sim/scenario.ts';
import { TraceReader } from '../src/sim/trace/reader.ts';
import { randomNode, randomPod } from './support/randomPods.ts';
import { randomScenario } from './support/randomScenario.ts';
import { container, hang, pod, probe, run, scenario, step } from './support/scenario.ts';

describe('a run as a recording', () => {
  const recordingOf = (scenario: Scenario): unknown => {
    const run = runToEnd(scenario);
    const reader = new TraceReader(run.trace());
    return JSON.parse(JSON.stringify(runToRecording('random', 'v1.37.2', scenario, reader, run.draws().taken)));
  };

  it.each([
    ['a Pod of a Deployment', randomNode(randomPod('web-5d4f-x7k2p', 'default/web#1/0'))],
    ['two bare Pods', randomNode(randomPod('web'), randomPod('db'))],
    [
      'two Pods of a Deployment',
      randomNode(randomPod('web-x7k2p', 'default/web#1/0'), randomPod('web-b2c9d', 'default/web#1/1')),
    ],
    ['all that kubelets can meet', randomScenario],
  ])('gives the same events and draws when it is read back: %s', (_name, scenarios) => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const { passed, message } = checkRecording(recordingOf(scenario), play);
        expect([passed, message]).toEqual([true, message]);
      }),
      { numRuns: 10 },
    );
  });

  it('also where a probe worker finds a tick and the stop of its Pod together, whichever it takes (D-10)', () => {
    const liveness = probe({ periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 100 });
    const stops = [1, 2, 3, 4, 5, 6].map((seed) => {
      const recording = recordingOf(
        scenario([pod([container({ liveness }, [run(step(0, hang()))])])], 60, {
          seed,
          actions: [{ at: micros(40e6), do: 'deletePod', pod: 'default/web-0', graceSeconds: null }],
        }),
      );
      const { passed, message } = checkRecording(recording, play);
      expect([passed, message]).toEqual([true, message]);
      const events = kubeletRecording.parse(recording).events;
      const stopped = events.find(({ type, op }) => type === 'worker' && op === 'stopLivenessAndStartup')?.t ?? 0;
      return events.some(({ type, t }) => type === 'turn' && t > stopped);
    });
    expect(new Set(stops)).toEqual(new Set([true, false]));
  });
});

describe('one changed field of one probe', () => {
  /** Without exits and kills: how long a crash back-off still lasts is no matter of chance alone. */
  const alive = (pod: PodInput): PodInput => ({
    ...pod,
    containers: pod.containers.map((container) => ({
      ...container,
      probes: { startup: null, readiness: probe(container.probes.readiness ?? {}), liveness: null },
      runs: container.runs.map(({ script }) => run(...script.filter(({ exit }) => exit === null))),
    })),
  });
  const changes: fc.Arbitrary<Partial<ProbeSpec>> = fc.oneof(
    fc.record({ periodSeconds: fc.integer({ min: 1, max: 400 }) }),
    fc.record({ initialDelaySeconds: fc.nat(60) }),
    fc.record({ timeoutSeconds: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ failureThreshold: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ successThreshold: fc.integer({ min: 1, max: 9 }) }),
  );
  const changed = ({ containers: [first, ...others], ...pod }: PodInput, change: Partial<ProbeSpec>): PodInput => {
    if (!first) throw new Error('a Pod has a container');
    const probes = { ...first.probes, readiness: { ...probe(first.probes.readiness ?? {}), ...change } };
    return { ...pod, containers: [{ ...first, probes }, ...others] };
  };
  /** Results by name and index. */
  const drawsOf = (scenario: Scenario): ReadonlyMap<string, number | string> =>
    new Map(
      runToEnd(scenario)
        .draws()
        .taken.map(({ name, index, value }) => [`${name}[${index}]`, value]),
    );

  it('leaves every other draw as it was, of this Pod and of its neighbour', () => {
    fc.assert(
      fc.property(randomNode(randomPod('web'), randomPod('db')), changes, ({ pods, ...world }, change) => {
        const [web, db] = pods.map(alive) as [PodInput, PodInput];
        const before = drawsOf({ ...world, pods: [web, db] });
        const after = drawsOf({ ...world, pods: [changed(web, change), db] });
        const ofBoth = [...before.keys()].filter((name) => after.has(name));
        // Its own sleep is a part of its period, and its own turns are what is changed.
        // A select picks from what is ready, and a pass that the changed probe asked for may have poked another worker.
        const others = ofBoth.filter(
          (name) => !name.includes('/default/web/app/readiness[') && !name.includes('/select/'),
        );
        expect(others.length).toBeGreaterThan(2);
        expect(others.map((name) => [name, after.get(name)])).toEqual(others.map((name) => [name, before.get(name)]));
      }),
      { numRuns: 20 },
    );
  });
});
