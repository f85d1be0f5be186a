import { readRecording as readFile } from '../../src/cli/conformance.ts';
import { readRecording } from '../../src/io/recording/readRecording.ts';
import { simulate } from '../../src/sim/simulate.ts';
import { TraceReader } from '../../src/sim/trace/reader.ts';
import type { FinishedRun } from '../../src/sim/trace/run.ts';

/** What a recording of `traces/endtoend` played, with its draws pinned. */
export function recordedRun(name: string): FinishedRun {
  const read = readRecording(readFile(`test/recordings/endtoend/${name}.json.gz`));
  if ('problems' in read) throw new Error(`${name} is not a recording that is understood`);
  const scenario = read.scenario(true);
  return { scenario, reader: new TraceReader(simulate(scenario)) };
}
