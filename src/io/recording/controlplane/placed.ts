import type { TraceEvent } from '../../../sim/trace/reader.ts';
import type { RecordedEvent } from '../event.ts';

export type TraceEventOf<K extends TraceEvent['kind']> = Extract<TraceEvent, { readonly kind: K }>;

/** A recorded event with what orders it within its instant and object: rank, then as it was made. */
export interface Placed {
  readonly event: RecordedEvent;
  readonly rank: number;
}

/** An event of one instant. */
export const placed = (t: number, lane: string, type: string, fields: object, rank = 0): Placed => ({
  event: { ...fields, t, lane, type },
  rank,
});

/** The name in a key (`namespace/name`). */
export const nameOf = (key: string): string => key.slice(key.indexOf('/') + 1);

/** `{ [name]: text }` unless the text is empty. */
export const unlessEmpty = (name: string, text: string): object => (text === '' ? {} : { [name]: text });
