import type { Scenario } from '../scenario.ts';
import type { TraceReader } from './reader.ts';

/** What went in and what came out of it: all that a question about a run may need. */
export interface FinishedRun {
  readonly scenario: Scenario;
  readonly reader: TraceReader;
}
