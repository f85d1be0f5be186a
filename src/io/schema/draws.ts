import * as z from 'zod/mini';
import { MICROS_PER_SECOND } from '../../base/units.ts';
import { INT32_MAX } from '../numberRule.ts';
import { say } from './strict.ts';

/** No draw is longer than the longest period, µs. */
const LONGEST = INT32_MAX * MICROS_PER_SECOND;
const NO_RESULT = say('a pinned draw is a number or a word', 'Write µs, or ticker or manual.');
const OUT_OF_RANGE = say(
  'a pinned draw must be 0 or more, and no longer than the longest period',
  `Write a number from 0 to ${LONGEST}.`,
);

/** The result that a pin gives a draw: µs (a fraction where the draw is one), or one of the draw's words. */
export const pinnedResult = z.union(
  [z.number().check(z.minimum(0, OUT_OF_RANGE), z.maximum(LONGEST, OUT_OF_RANGE)), z.string()],
  {
    error: (issue) => (typeof issue.input === 'number' ? OUT_OF_RANGE : NO_RESULT),
  },
);
