import { readRecording } from './readRecording.ts';
import { notCompared, type Play, type Verdict } from './verdict.ts';

/** Simulates what a recording played and compares all that it shows. `json` is the parsed file. */
export function checkRecording(json: unknown, play: Play): Verdict {
  const recording = readRecording(json);
  if ('problems' in recording) return notCompared(`not a recording that is understood: ${recording.problems[0]}`);
  if (recording.missing.length > 0) return notCompared(`not modelled yet: ${recording.missing.join(', ')}`);
  return recording.check(play);
}
