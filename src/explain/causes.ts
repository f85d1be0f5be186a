/** The graph of causes around an event. */
import type { EventRef } from '../sim/trace/kinds.ts';
import type { TraceReader } from '../sim/trace/reader.ts';

export interface CauseLink {
  readonly cause: EventRef;
  readonly effect: EventRef;
  /** The cause armed the timer behind the effect. */
  readonly armed: boolean;
}

/** A chain this long says all that a person can follow. */
const LIMIT = 120;

/**
 * Effects that the event itself caused; not those whose timer it only armed. Of the requests that rules let in, which may
 * be thousands, the first of each client.
 */
export function causedBy(reader: TraceReader, ref: EventRef): readonly EventRef[] {
  const clients = new Set<number>();
  return reader.effectsOf(ref).filter((effect) => {
    if (!reader.causesOf(effect).some((cause) => isSameEvent(cause, ref))) return false;
    if (reader.kindOf(effect.row) !== 'clientAttempt') return true;
    const { subjectIndex } = reader.event(effect);
    const isFirst = !clients.has(subjectIndex);
    clients.add(subjectIndex);
    return isFirst;
  });
}

/**
 * All causes of causes and effects of effects, nearest first, at most LIMIT links each way, and the timer that was armed
 * for the event itself.
 */
export function chainOf(reader: TraceReader, ref: EventRef): readonly CauseLink[] {
  const armed = reader.armedBy(ref);
  return [
    ...walk(ref, (effect) => reader.causesOf(effect).map((cause) => ({ cause, effect, armed: false })), 'cause'),
    ...walk(ref, (cause) => causedBy(reader, cause).map((effect) => ({ cause, effect, armed: false })), 'effect'),
    ...(armed === null ? [] : [{ cause: armed, effect: ref, armed: true }]),
  ];
}

/** Causes and effects of an event, one hop each way, and the timer that was armed for it. */
export function hopsAround(reader: TraceReader, ref: EventRef): readonly CauseLink[] {
  const armed = reader.armedBy(ref);
  return [
    ...reader.causesOf(ref).map((cause) => ({ cause, effect: ref, armed: false })),
    ...causedBy(reader, ref).map((effect) => ({ cause: ref, effect, armed: false })),
    ...(armed === null ? [] : [{ cause: armed, effect: ref, armed: true }]),
  ];
}

function walk(
  start: EventRef,
  next: (ref: EventRef) => readonly CauseLink[],
  end: 'cause' | 'effect',
): readonly CauseLink[] {
  const links: CauseLink[] = [];
  const seen = new Set([refKey(start)]);
  const queue = [start];
  for (let ref = queue.shift(); ref !== undefined && links.length < LIMIT; ref = queue.shift()) {
    for (const link of next(ref)) {
      links.push(link);
      const reached = link[end];
      if (seen.has(refKey(reached))) continue;
      seen.add(refKey(reached));
      queue.push(reached);
    }
  }
  return links;
}

const refKey = ({ row, ordinal }: EventRef): string => `${row}:${ordinal}`;
export const isSameEvent = (a: EventRef, b: EventRef): boolean => a.row === b.row && a.ordinal === b.ordinal;
