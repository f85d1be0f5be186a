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

/** What decides the order of a pending event. */
export interface Scheduled {
  readonly at: Micros;
  /** 0 for what was armed earlier; an event posted for the same instant is its poster's round + 1. */
  readonly round: number;
  readonly phase: number;
  /** Insertion number: the last word, so that no two events are equal. */
  readonly seq: number;
}

/** Total order of pending events: time, round, phase, insertion. */
export const compareScheduled = (a: Scheduled, b: Scheduled): number =>
  a.at - b.at || a.round - b.round || a.phase - b.phase || a.seq - b.seq;
