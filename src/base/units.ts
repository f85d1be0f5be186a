/** Units of time. Inside the product every instant and every length is an integer count of microseconds. */

declare const instant: unique symbol;
declare const span: unique symbol;

/** An instant: whole microseconds since the scenario's start. May be negative (a process that has been up for a day). */
export type Micros = number & { readonly [instant]: true };
/** A length of time in whole microseconds. */
export type MicrosSpan = number & { readonly [span]: true };
/** A length on the screen in CSS pixels. */
export type CssPx = number;

export const MICROS_PER_MS = 1_000;
export const MICROS_PER_SECOND = 1_000_000;

/** Brands a whole number of microseconds as an instant. Throws a RangeError when it is not a safe integer. */
export function micros(value: number): Micros {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not whole microseconds: ${value}`);
  return value as Micros;
}

/** Brands a whole number of microseconds as a length. Throws a RangeError when it is not a safe integer. */
export function microsSpan(value: number): MicrosSpan {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not whole microseconds: ${value}`);
  return value as MicrosSpan;
}

/** A length given in seconds (fractions allowed), rounded to whole microseconds. */
export const seconds = (value: number): MicrosSpan => microsSpan(Math.round(value * MICROS_PER_SECOND));
/** A length given in milliseconds (fractions allowed), rounded to whole microseconds. */
export const milliseconds = (value: number): MicrosSpan => microsSpan(Math.round(value * MICROS_PER_MS));
/** The instant `length` after `at`. */
export const later = (at: Micros, length: MicrosSpan): Micros => (at + length) as Micros;
