import type { Micros } from '../../base/units.ts';

/**
 * Who acts first among independent events of one instant. The real order of these is a race between
 * goroutines or machines; this table fixes one, in the direction in which information flows.
 */
export const PHASE = {
  app: 0,
  runtime: 1,
  apiServer: 2,
  kubelet: 3,
  probeWorker: 4,
  controller: 5,
  proxy: 6,
  client: 7,
} as const;
export type Phase = keyof typeof PHASE;

/** What decides the order of the calls that wait for a later instant. */
export interface Scheduled {
  readonly at: Micros;
  readonly phase: number;
  /** Insertion number: the last word, so that no two are equal. */
  readonly seq: number;
}

/** Total order of what waits for a later instant: time, phase, insertion. */
export const compareScheduled = (a: Scheduled, b: Scheduled): number =>
  a.at - b.at || a.phase - b.phase || a.seq - b.seq;

/** Order of what was posted in one round of an instant, and stands in the order of its insertion: by phase. */
export const byPhase = (a: Scheduled, b: Scheduled): number => a.phase - b.phase;
