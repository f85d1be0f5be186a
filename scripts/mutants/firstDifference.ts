/**
 * Prints the first recording of a folder below test/recordings that the simulator does not reproduce, and nothing else; it
 * runs inside a copy of the repository that an edit has spoilt, and is done much sooner than the test of all of them.
 */
import { basename, join } from 'node:path';
import { readRecording, recordingsIn } from '../../src/cli/conformance.ts';
import { play } from '../../src/cli/play.ts';
import { checkRecording } from '../../src/io/recording/conformance.ts';

const [folder = ''] = process.argv.slice(2);
for (const file of recordingsIn(join(import.meta.dirname, '../../test/recordings', folder))) {
  if (isReproduced(file)) continue;
  console.log(`${folder}/${basename(file, '.json.gz')}`);
  break;
}

/** A simulator that throws has failed too. */
function isReproduced(file: string): boolean {
  try {
    return checkRecording(readRecording(file), play).passed;
  } catch {
    return false;
  }
}
