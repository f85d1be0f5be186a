import type { Micros, MicrosSpan } from '../../../base/units.ts';
import type { Payload } from '../../trace/kinds.ts';
import { NO_CAUSES, NO_REF, type Ref } from '../../trace/ref.ts';
import type { TraceWriter } from '../../trace/writer.ts';
import type { Attempt } from './prober.ts';
import type { TurnOutcome } from './probeWorkerMachine.ts';

/** What made a worker take a turn. */
export type TurnCause = 'first' | 'ticker' | 'manual';

/** A turn that is going on. Its event is written when something needs to point at it, at the latest at its end. */
export interface Turn {
  readonly at: Micros;
  readonly cause: TurnCause;
  readonly causes: readonly Ref[];
  readonly armed: Ref;
  /** Distance to the turn before, if that was one tick ago; else 0. */
  readonly period: number;
  outcome: TurnOutcome;
  ref: Ref;
}

/** Where the worker stands when a turn is written: its machine's node as text, and the id of its container. */
export interface Standing {
  readonly node: string;
  readonly id: string;
}

/** The turns of one worker in the trace. */
export class TurnLog {
  private readonly trace: TraceWriter;
  private readonly subject: number;
  private lastTurnAt: Micros | null = null;
  /** The worker's last event: it arms the timer behind the next one. */
  lastRef: Ref;

  /** `added` is the event that made the worker. */
  constructor(trace: TraceWriter, subject: number, added: Ref) {
    this.trace = trace;
    this.subject = subject;
    this.lastRef = added;
  }

  /** Writes that the worker sleeps before its first turn. */
  startSleep(at: Micros, length: MicrosSpan): void {
    this.lastRef = this.trace.event('startSleep', at, this.subject, { length }, [], this.lastRef, length);
  }

  /** A turn that begins at `at`; `poke` is the trigger that it has received. */
  begin(at: Micros, cause: TurnCause, poke: Ref | null, tickPeriod: MicrosSpan): Turn {
    const isOnGrid = cause === 'ticker' && this.lastTurnAt !== null && at - this.lastTurnAt === tickPeriod;
    return {
      at,
      cause,
      causes: poke === null ? NO_CAUSES : [poke],
      armed: cause === 'manual' ? NO_REF : this.lastRef,
      period: isOnGrid ? tickPeriod : 0,
      outcome: 'attempt',
      ref: NO_REF,
    };
  }

  /** The turn's event, written now if it was not yet. */
  refOf(turn: Turn, standing: Standing): Ref {
    if (turn.ref === NO_REF) {
      const payload = payloadOf(turn, null, standing);
      turn.ref = this.trace.event('probeRun', turn.at, this.subject, payload, turn.causes, turn.armed, NaN);
    }
    return turn.ref;
  }

  /** Writes a turn that ends at `now`. Returns its event. */
  end(turn: Turn, attempt: Attempt | null, now: Micros, standing: Standing): Ref {
    this.lastTurnAt = turn.at;
    if (turn.ref === NO_REF) {
      this.lastRef = this.write(turn, attempt, now - turn.at, standing);
    } else {
      this.trace.end<'probeRun'>(turn.ref, now, payloadOf(turn, attempt, standing), true);
      this.lastRef = turn.ref;
    }
    return this.lastRef;
  }

  /** Writes a turn that the horizon cuts off, unless that was done. */
  cutOff(turn: Turn, standing: Standing): void {
    if (turn.ref === NO_REF) this.write(turn, null, NaN, standing);
  }

  /** Writes `times` turns like `turn`, each `length` µs long, one at each tick from its begin on. */
  repeat(turn: Turn, attempt: Attempt | null, length: number, times: number, standing: Standing): void {
    const { at, armed, period } = turn;
    const payload = payloadOf(turn, attempt, standing);
    this.lastRef = this.trace.repeatingMany('probeRun', at, this.subject, payload, armed, length, period, times);
    this.lastTurnAt = (at + (times - 1) * period) as Micros;
  }

  private write(turn: Turn, attempt: Attempt | null, length: number, standing: Standing): Ref {
    const payload = payloadOf(turn, attempt, standing);
    const { at, causes, armed, period } = turn;
    return this.trace.repeating('probeRun', at, this.subject, payload, causes, armed, length, period);
  }
}

function payloadOf({ at, cause, outcome }: Turn, attempt: Attempt | null, { node, id }: Standing): Payload<'probeRun'> {
  const many = attempt !== null && attempt.tries.length > 1;
  return {
    cause,
    outcome,
    result: attempt?.result ?? '',
    tries: many ? attempt.tries.join(',') : (attempt?.tries[0] ?? ''),
    tryEnds: many ? attempt.tryEnds.map((end) => end - at).join(',') : '',
    node,
    id,
  };
}
