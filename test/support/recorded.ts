import { join } from 'node:path';
import { readRecording as readFile } from '../../src/cli/conformance.ts';
import { readRecording } from '../../src/io/recording/readRecording.ts';
import { simulate } from '../../src/sim/simulate.ts';
import { TraceReader } from '../../src/sim/trace/reader.ts';
import type { FinishedRun } from '../../src/sim/trace/run.ts';

/** The run of what a kept recording played, such as `endtoend/delete-refuse-at-once-01`. */
export function recordedRun(name: string): FinishedRun {
  const recording = readRecording(readFile(join(import.meta.dirname, '../recordings', `${name}.json.gz`)));
  if ('problems' in recording) throw new Error(recording.problems.join('; '));
  const scenario = recording.scenario(true);
  return { scenario, reader: new TraceReader(simulate(scenario)) };
}
