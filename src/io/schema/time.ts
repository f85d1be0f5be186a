import * as z from 'zod/mini';
import { say } from './strict.ts';

const RFC3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(Z|[+-]\d\d:\d\d)$/;

/** Whole µs since the Unix epoch of an RFC 3339 text with up to six decimals; null when it is none. */
export function parseWallClock(text: string): number | null {
  const [, whole, fraction = '', zone] = RFC3339.exec(text) ?? [];
  const ms = Date.parse(`${whole}${zone}`);
  return Number.isNaN(ms) ? null : ms * 1000 + Number(fraction.padEnd(6, '0'));
}

const NO_TIME = say('this is no date and time', 'Write it as in RFC 3339, such as 2026-01-31T12:00:00.25Z.');

/** A wall-clock time, read as whole µs since the Unix epoch. */
export const wallClock = z.pipe(
  z.string({ error: NO_TIME }).check(
    z.regex(RFC3339, { error: NO_TIME, abort: true }),
    z.refine((text) => parseWallClock(text) !== null, NO_TIME),
  ),
  z.transform((text) => parseWallClock(text) ?? 0),
);
