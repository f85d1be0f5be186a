import * as z from 'zod';
import type { Pin, Pins } from '../../sim/scenario.ts';
import { jsonLines, needed, type ReadFile } from './recordingFiles.ts';

const call = z.object({
  call: z.string(),
  pod: z.string(),
  podUID: z.string().default(''),
  container: z.string().default(''),
  run: z.number().default(0),
  startUs: z.number(),
  endUs: z.number(),
  startedAtUs: z.number().optional(),
});
type Call = z.output<typeof call>;

/** A call that begins within this time of the end of the one before it belongs to the same pass, µs. */
const SAME_PASS = 60_000;
const MAKING = /"call":"(RunPodSandbox|CreateContainer|StartContainer)"/;

/** Lengths of the calls that make sandboxes and containers, as pins of their hops: from the end of the call before. */
export function runtimePins(read: ReadFile, identityOf: (uid: string, pod: string) => string): Pins {
  const file = 'cri.jsonl';
  const calls = jsonLines(needed(read, file), file, call, (line) => MAKING.test(line));
  const pins = new Map<string, Pin[]>();
  for (const one of calls.toSorted((a, b) => a.startUs - b.startUs)) {
    const identity = identityOf(one.podUID, one.pod);
    const whose = one.call === 'RunPodSandbox' ? identity : `${identity}/${one.container}`;
    const name = `latency/cri${one.call}/${whose}`;
    pins.set(name, [...(pins.get(name) ?? []), { value: lengthOf(one, calls), at: null }]);
  }
  return Object.fromEntries(pins);
}

function lengthOf(one: Call, calls: readonly Call[]): number {
  const end = one.startedAtUs ?? one.endUs;
  if (one.call === 'RunPodSandbox') return end - one.startUs;
  const before = calls
    .filter(({ pod, endUs }) => pod === one.pod && endUs <= one.startUs && one.startUs - endUs < SAME_PASS)
    .map(({ startedAtUs, endUs }) => startedAtUs ?? endUs);
  return end - Math.max(...(before.length > 0 ? before : [one.startUs]));
}
