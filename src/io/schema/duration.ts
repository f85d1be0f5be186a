import * as z from 'zod/mini';
import { say } from './strict.ts';

/** Seconds in a unit of Go's time.ParseDuration, which Kubernetes uses. */
const UNIT_S: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, μs: 1e-6 };
const WHOLE = /^(\d+(\.\d+)?(h|ms|m|s|us|µs|μs))+$/;
const SIGNED = new RegExp(`^-?${WHOLE.source.slice(1)}`);
const PART = /(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|μs)/g;

/** Seconds of a text such as `10m`, `2.4s`, `1m30s` or `500us`, to the microsecond; null when it is none. */
export function parseDuration(text: string): number | null {
  if (!WHOLE.test(text)) return null;
  let total = 0;
  for (const [, amount, unit = 's'] of text.matchAll(PART)) total += Number(amount) * (UNIT_S[unit] ?? 0);
  return Math.round(total * 1e6) / 1e6;
}

const NO_DURATION = say(
  'this is no length of time',
  'Write it with a unit, such as 500us, 12ms, 2.4s or 10m; a bare number counts seconds.',
);

/** Instants are whole µs, exact only up to 2^53; nothing that lasts longer comes to its end in a run. */
const LONGEST_S = 365 * 86_400;
const notTooLong = z.refine<number>(
  (length) => Math.abs(length) <= LONGEST_S,
  say('this is longer than a year', 'Write a shorter time; a run lasts up to 7 days.'),
);

const signed = (text: string): number =>
  text.startsWith('-') ? -(parseDuration(text.slice(1)) ?? 0) : (parseDuration(text) ?? 0);

/** A length of time or the same with a minus, read as seconds. */
export const signedDuration = z.pipe(
  z.union([z.number(), z.string().check(z.regex(SIGNED, NO_DURATION))], { error: NO_DURATION }),
  z.pipe(
    z.transform((value: number | string) => (typeof value === 'number' ? value : signed(value))),
    z.number().check(notTooLong),
  ),
);

/** A length of time, read as seconds. */
export const duration = z.pipe(
  z.union([z.number().check(z.minimum(0)), z.string().check(z.regex(WHOLE, NO_DURATION))], { error: NO_DURATION }),
  z.pipe(
    z.transform((value: number | string) => (typeof value === 'number' ? value : (parseDuration(value) ?? 0))),
    z.number().check(notTooLong),
  ),
);
