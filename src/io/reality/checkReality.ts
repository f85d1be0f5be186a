import { TraceReader } from '../../sim/trace/reader.ts';
import type { Play } from '../recording/verdict.ts';
import { type Placed, placeHops } from './compare.ts';
import { seeded } from './deletions.ts';
import { observationsOf } from './fromTrace.ts';
import { hopsOf } from './hops.ts';
import { readObservations } from './readObservations.ts';
import { type ReadFile, RecordingError } from './recordingFiles.ts';
import { realityOf } from './toScenario.ts';
import { readWorld } from './world.ts';

/**
 * Holds one recording of a real cluster against its simulations with the seeds 1 to `seeds`: each hop that the recording
 * shows, and where it lies among those of the runs. Throws a RecordingError that says what is wrong with a file.
 */
export function checkReality(read: ReadFile, play: Play, seeds: number): readonly Placed[] {
  const world = readWorld(read);
  const { mode } = world.proxy;
  const seen = readObservations(read, world);
  const recorded = hopsOf(seen, mode);
  if (recorded.length === 0)
    throw new RecordingError(
      'none of the hops is in it: kubelet.log, audit.jsonl and kube-proxy.log show nothing of its Pods',
    );
  const reality = realityOf(read, world, seen);
  const simulations = Array.from({ length: seeds }, (_, i) => {
    const one = seeded(reality, i + 1);
    const { trace, draws } = play(one.scenario);
    return hopsOf(observationsOf(new TraceReader(trace), draws.taken, one), mode);
  });
  return placeHops(recorded, simulations);
}
