/** Times as the API writes them (RFC 3339). */
import { MICROS_PER_SECOND } from './units.ts';

/** Texts of seconds that were asked for lately: each status has the same few over and over. */
const texts = new Map<number, string>();
const TEXTS_KEPT = 4096;

/** A wall-clock second as the API writes it: `2026-01-01T00:00:00Z`. */
export function rfc3339(unixSeconds: number): string {
  let text = texts.get(unixSeconds);
  if (text === undefined) {
    text = formatted(unixSeconds);
    if (texts.size >= TEXTS_KEPT) texts.clear();
    texts.set(unixSeconds, text);
  }
  return text;
}

function formatted(unixSeconds: number): string {
  const days = Math.floor(unixSeconds / 86_400);
  const { year, month, day } = civil(days);
  const rest = unixSeconds - days * 86_400;
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${year}-${two(month)}-${two(day)}T${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}Z`;
}

/** Proleptic Gregorian date of a day number since 1970-01-01, by 400-year eras that begin on 1 March. */
function civil(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}

/** `2026-01-01T00:00:00.5Z` or with an offset such as `+02:00`. */
const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** An RFC 3339 time as whole µs since the Unix epoch, cut down; null when it is none. */
export function parseRfc3339(text: string): number | null {
  const match = RFC3339.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const offset = (Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0)) * (match[8] === '-' ? -1 : 1);
  const minutes = dayNumber(year, month, day) * 1440 + hour * 60 + minute - offset;
  return (minutes * 60 + second) * MICROS_PER_SECOND + Number((match[7] ?? '').slice(0, 6).padEnd(6, '0'));
}

/** Inverse of `civil`. */
function dayNumber(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}
