/** Everything that explanations say, in the languages that the product speaks. Names of the API stay as they are. */
import type { TraceEvent } from '../../sim/trace/reader.ts';
import type { Answer } from '../answer.ts';

export type Language = 'en' | 'zh';

export interface Words {
  /** `web-0 is not Ready in the API`: the answer without its time. */
  readonly verdict: (answer: Answer, pod: string) => string;
  /** Why, as one sentence. */
  readonly because: (answer: Answer) => string;
  /** Whether it is a backend, or what it lacks to become one; '' where there is nothing to say. */
  readonly backend: (answer: Answer) => string;
  /** What somebody does, as one phrase. */
  readonly action: (payload: TraceEvent<'action'>['payload']) => string;
  /** A state of a process or a container. */
  readonly state: (word: string) => string;
}

/** Every other event of a run. Loaded with what tells of them, not with the page. */
export interface EventWords {
  /** One event as one phrase. */
  readonly event: (event: TraceEvent) => string;
}
