import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRecording, recordingsIn } from '../src/cli/conformance.ts';
import { play } from '../src/cli/play.ts';
import { checkRecording } from '../src/io/recording/conformance.ts';
import { type KubeletRecording, kubeletRecording } from '../src/io/recording/kubelet/recording.ts';

const folder = join(import.meta.dirname, 'recordings');
/** By folder and name. */
const recordings = recordingsIn(folder).map((file) => [relative(folder, file).replace('.json.gz', ''), file] as const);
const parsed = (name: string): KubeletRecording =>
  kubeletRecording.parse(readRecording(join(import.meta.dirname, 'recordings/kubelet', `${name}.json.gz`)));

describe('the simulator does what the real components did', () => {
  it.each(recordings)('%s', (_name, file) => {
    expect(checkRecording(readRecording(file), play)).toMatchObject({ passed: true });
  });
});

/** A recording with one thing changed by hand. */
function spoiled(name: string, spoil: (recording: KubeletRecording) => KubeletRecording): string {
  const verdict = checkRecording(spoil(parsed(name)), play);
  expect(verdict.passed).toBe(false);
  return verdict.message;
}
const NAME = 'startup-then-readiness-at-once';

describe('conformance reports', () => {
  it.each<[string, (recording: KubeletRecording) => KubeletRecording, RegExp]>([
    [
      'an event that comes a microsecond later',
      (one) => ({
        ...one,
        events: one.events.map((event) => (event.type === 'attempt' ? { ...event, t: event.t + 1 } : event)),
      }),
      /probe web-0 app startup: expected nothing, got attempt.*K-135/,
    ],
    [
      'an event that is missing in the run',
      (one) => ({ ...one, events: [...one.events, { t: 500_000_000, lane: 'probe', type: 'turn', pod: 'web-0' }] }),
      /500000000 probe web-0: expected turn .*, got nothing/,
    ],
    [
      'a field with another value',
      (one) => ({
        ...one,
        events: one.events.map((event) => (event.type === 'podWorkerWake' ? { ...event, work: 'terminated' } : event)),
      }),
      /expected podWorkerWake .*terminated.*, got podWorkerWake .*sync.*K-030/,
    ],
    [
      'a generated id that stands for two things',
      (one) => {
        let seen = 0;
        const events = one.events.map((event) =>
          event.type === 'set' && event.lane === 'results' && seen++ === 1 ? { ...event, id: 'another' } : event,
        );
        return { ...one, events };
      },
      /results web-0 startup: expected set .*another/,
    ],
    [
      'a draw that is pinned to another instant',
      (one) => {
        const [first, ...rest] = one.scenario.draws.requeueUs['web-0'] ?? [];
        const moved = first ? [{ ...first, atUs: first.atUs + 1 }, ...rest] : [];
        return {
          ...one,
          scenario: { ...one.scenario, draws: { ...one.scenario.draws, requeueUs: { 'web-0': moved } } },
        };
      },
      /draw podWorkers\/requeue\/default\/web-0\[0\]: consumed at another instant/,
    ],
    [
      'a draw that the recording does not have',
      (one) => ({ ...one, scenario: { ...one.scenario, draws: { ...one.scenario.draws, workerInitialSleepUs: {} } } }),
      /draw prober\/startSleep\/default\/web-0\/app\/startup at \d+ is not in the recording/,
    ],
    [
      'a feature that the model lacks, by name',
      (one) => ({
        ...one,
        scenario: {
          ...one.scenario,
          world: { ...one.scenario.world, actions: [{ atUs: 1, do: 'drainNode', pod: 'web-0' }] },
        },
      }),
      /not modelled yet: action drainNode/,
    ],
  ])('%s', (_name, spoil, message) => {
    expect(spoiled(NAME, spoil)).toMatch(message);
  });

  it('what is no recording, with the place', () => {
    expect(checkRecording({ schema: 1, kubernetes: 'v1.37.2' }, play).message).toMatch(
      /not a recording that is understood: name/,
    );
  });

  it('no difference when all generated ids are renamed one to one', () => {
    const recording = parsed(NAME);
    const renamed = JSON.parse(
      JSON.stringify(recording.events).replaceAll('ctr-web-0-app-2', 'x1').replaceAll('sbx-web-0-1', 'x2'),
    );
    expect(checkRecording({ ...recording, events: renamed }, play)).toMatchObject({ passed: true });
  });
});
