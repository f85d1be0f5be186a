/** Times as people read them. True minus sign; the space before a unit does not break. */
import { MICROS_PER_MS, MICROS_PER_SECOND } from './units.ts';

const NBSP = '\u00a0';
const MINUS = '\u2212';
const sign = (value: number): string => (value < 0 ? MINUS : '');

/** An instant given in µs: `11.340 s`; with `fine` also the microseconds when there are any. */
export function formatInstant(at: number, fine = false): string {
  const abs = Math.abs(at);
  const digits = fine && abs % MICROS_PER_MS !== 0 ? 6 : 3;
  return `${sign(at)}${(abs / MICROS_PER_SECOND).toFixed(digits)}${NBSP}s`;
}

/** A length given in µs: `0.4 ms`, `12 ms`, `8.400 s`, `2 min 05.0 s`; `∞` when it never ends. */
export function formatDuration(length: number): string {
  const abs = Math.abs(length);
  if (!Number.isFinite(abs)) return '∞';
  if (abs === 0) return `0${NBSP}ms`;
  if (abs < MICROS_PER_MS) return `${sign(length)}${(abs / MICROS_PER_MS).toFixed(1)}${NBSP}ms`;
  if (abs < MICROS_PER_SECOND - 500) return `${sign(length)}${Math.round(abs / MICROS_PER_MS)}${NBSP}ms`;
  const inSeconds = abs / MICROS_PER_SECOND;
  if (inSeconds < 59.9995) return `${sign(length)}${inSeconds.toFixed(3)}${NBSP}s`;
  const minutes = Math.floor((inSeconds + 0.05) / 60);
  const rest = Math.max(0, inSeconds - 60 * minutes).toFixed(1);
  return `${sign(length)}${minutes}${NBSP}min${NBSP}${rest.padStart(4, '0')}${NBSP}s`;
}

/** A ruler label for `at` µs when neighbouring ticks are `step` µs apart: no more digits than tell them apart. */
export function formatTick(at: number, step: number): string {
  const digits = Math.max(0, Math.min(6, Math.ceil(-Math.log10(step / MICROS_PER_SECOND) - 1e-9)));
  return `${sign(at)}${(Math.abs(at) / MICROS_PER_SECOND).toFixed(digits)}${NBSP}s`;
}

/** `11.34`, `+50ms` or `-1s` typed by a person, as µs; a sign moves from `now`. Null when it is no time. */
export function parseInstant(typed: string, now: number): number | null {
  const match = /^\s*([+\-−]?)\s*(\d+(?:\.\d+)?)\s*(us|µs|ms|s|m|min)?\s*$/.exec(typed);
  if (match === null) return null;
  const [, direction = '', digits = '0', unit = 's'] = match;
  const micros = Math.round(Number(digits) * UNIT_MICROS[unit as keyof typeof UNIT_MICROS]);
  if (direction === '') return micros;
  return direction === '+' ? now + micros : now - micros;
}
const UNIT_MICROS = {
  us: 1,
  µs: 1,
  ms: MICROS_PER_MS,
  s: MICROS_PER_SECOND,
  m: 60 * MICROS_PER_SECOND,
  min: 60 * MICROS_PER_SECOND,
} as const;

/** `recommendatio…-4nkxs`: a name of at most so many characters, with its end, which tells names of one make apart. */
export function shortened(name: string, most: number): string {
  if (name.length <= most) return name;
  return `${name.slice(0, most - 1 - TELLING_END)}…${name.slice(-TELLING_END)}`;
}
/** A dash and five characters that were generated. */
const TELLING_END = 6;

/** `the link is damaged` → `The link is damaged`: a message that begins a sentence on the page. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
