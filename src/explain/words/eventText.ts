import type { EventRef } from '../../sim/trace/kinds.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { podsOf } from '../podsOf.ts';
import type { EventWords } from './words.ts';

/** An event of a run as one phrase, with the name of the Pod that a client met in place of its identity. */
export function eventText(words: EventWords, { reader, scenario }: FinishedRun, ref: EventRef): string {
  const event = reader.event(ref);
  if (event.kind !== 'clientAttempt') return words.event(event);
  const pod = podsOf(scenario).get(event.payload.pod)?.name ?? event.payload.pod;
  return words.event({ ...event, payload: { ...event.payload, pod } });
}
