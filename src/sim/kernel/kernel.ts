import { later, type Micros, type MicrosSpan } from '../../base/units.ts';
import { PHASE, type Phase } from './order.ts';
import { TimerHeap } from './timerHeap.ts';

/** A pending call. `cancelled` is the only part that changes. */
export interface Timer {
  readonly at: Micros;
  readonly phase: number;
  readonly run: () => void;
  /** Whose call it is: nothing runs of a process that has ended. */
  readonly process: Living;
  cancelled: boolean;
}

/** What may have ended. */
export interface Living {
  readonly isAlive: boolean;
}

/**
 * A sequential activity: yields how long to wait, µs, or a Gate to wait on; goes on when that is over.
 * The components' passes are written in this form, so that they read like the Go code they mirror.
 */
export type Process = Task<void>;
/** A part of a process that gives a result to whoever delegates to it with `yield*`. */
export type Task<T> = Generator<MicrosSpan | Gate, T, void>;

/** Virtual time as the parts of the simulator see it. */
export interface Scheduler extends Living {
  readonly now: Micros;
  /** Calls `run` at `at`, µs, if `process` has not ended by then. An instant in the past is a RangeError: nothing may change what has been. */
  at(at: Micros, phase: Phase, run: () => void, process?: Living): Timer;
  /** Calls `run` after `length` µs. */
  after(length: MicrosSpan, phase: Phase, run: () => void): Timer;
  /** Calls `run` in this instant, after everything of the present round. */
  post(phase: Phase, run: () => void): Timer;
  /** Runs a process from this call on. A wait of 0 does not give up the turn. */
  start(process: Process, phase: Phase): void;
  /** `call`, for others to keep: does nothing once the process that made it has stopped. */
  guard(call: () => void): () => void;
}

/** Something a process can wait for; opening it lets the waiting process go on within the same instant. */
export class Gate {
  /** Null while nobody waits: most gates are never waited for. */
  private waiting: (() => void)[] | null = null;
  private opened = false;

  get isOpen(): boolean {
    return this.opened;
  }

  /** Neither open nor waited for, ever. */
  get isUnused(): boolean {
    return !this.opened && this.waiting === null;
  }

  /** Opens the gate. A second call does nothing. */
  open(): void {
    if (this.opened) return;
    this.opened = true;
    const { waiting } = this;
    this.waiting = null;
    if (waiting) for (const resume of waiting) resume();
  }

  /** Calls `resume` once the gate is open; at once if it is already. */
  wait(resume: () => void): void {
    if (this.opened) resume();
    else if (this.waiting) this.waiting.push(resume);
    else this.waiting = [resume];
  }

  /** A gate that opens with the first of `gates`; open from the start if one of them is. */
  static any(gates: readonly Gate[]): Gate {
    const first = new Gate();
    for (const gate of gates) gate.wait(() => first.open());
    return first;
  }

  /** A gate that opens with the last of `gates`; open from the start if there are none. */
  static all(gates: readonly Gate[]): Gate {
    const last = new Gate();
    let left = gates.length;
    if (left === 0) last.open();
    for (const gate of gates) {
      gate.wait(() => {
        if (--left === 0) last.open();
      });
    }
    return last;
  }
}

/** Sorts what was posted in one round of an instant, and stands in the order of its insertion. Most of it is in order. */
function inPhaseOrder(posted: Timer[]): Timer[] {
  const isOrdered = posted.every(({ phase }, i) => i === 0 || (posted[i - 1] as Timer).phase <= phase);
  return isOrdered ? posted : posted.sort((a, b) => a.phase - b.phase);
}

/**
 * Virtual time: a queue of pending calls in a total order. It never reads a clock, and an instant is left only when
 * nothing is pending in it any more.
 *
 *     an instant:  what waited for it, by phase ─▶ what that posted, by phase ─▶ what those posted …
 */
export class Kernel implements Scheduler {
  readonly isAlive = true;
  private readonly queue = new TimerHeap<Timer>();
  /** What was posted in the round before, in order; those before `place` have had their turn. */
  private round: Timer[] = [];
  private place = 0;
  /** What was posted in this round, in the order of insertion. */
  private posted: Timer[] = [];
  private readonly horizon: Micros;
  now: Micros;

  /** The run begins at `start` and ends before `horizon`, both µs. */
  constructor(start: Micros, horizon: Micros) {
    this.now = start;
    this.horizon = horizon;
  }

  at(at: Micros, phase: Phase, run: () => void, process: Living = this): Timer {
    if (at < this.now) throw new RangeError(`cannot schedule at ${at}: it is ${this.now} already`);
    const timer: Timer = { at, phase: PHASE[phase], run, process, cancelled: false };
    if (at === this.now) this.posted.push(timer);
    else this.queue.push(at, timer.phase, timer);
    return timer;
  }

  after(length: MicrosSpan, phase: Phase, run: () => void): Timer {
    return this.at(later(this.now, length), phase, run);
  }

  post(phase: Phase, run: () => void): Timer {
    return this.at(this.now, phase, run);
  }

  start(process: Process, phase: Phase): void {
    drive(this, process, phase);
  }

  guard(call: () => void): () => void {
    return call;
  }

  /**
   * Runs at most `budget` pending calls. True while more is pending before the horizon; false when the run is over,
   * with `now` at the horizon.
   */
  advance(budget: number): boolean {
    for (let left = budget; left > 0; left--) {
      const timer = this.next();
      if (!timer) break;
      this.take(timer);
      this.now = timer.at;
      timer.run();
    }
    if (this.next()) return true;
    this.now = this.horizon;
    return false;
  }

  /** The next pending call, which stays pending; those that will not run any more are gone. */
  private next(): Timer | undefined {
    for (;;) {
      const timer = this.first();
      if (!timer || timer.at >= this.horizon) return undefined;
      if (!timer.cancelled && timer.process.isAlive) return timer;
      this.take(timer);
    }
  }

  /** A call that waited for this instant, one of this round, one of the next round, or one that waits for another instant. */
  private first(): Timer | undefined {
    if (this.place < this.round.length) return this.round[this.place];
    if (this.posted.length === 0 || this.queue.firstAt === this.now) return this.queue.first;
    const done = this.round;
    this.round = inPhaseOrder(this.posted);
    this.place = 0;
    done.length = 0;
    this.posted = done;
    return this.round[0];
  }

  /** Takes away what `first` has found. */
  private take(first: Timer): void {
    if (this.round[this.place] === first) this.place++;
    else this.queue.pop();
  }
}

/** The part of virtual time that belongs to one operating-system process: once it has stopped, nothing of it runs any more. */
export class ProcessScheduler implements Scheduler {
  private readonly kernel: Scheduler;
  private stopped = false;

  constructor(kernel: Scheduler) {
    this.kernel = kernel;
  }

  get now(): Micros {
    return this.kernel.now;
  }

  get isAlive(): boolean {
    return !this.stopped && this.kernel.isAlive;
  }

  /** The process ends: its timers and waits are gone. */
  stop(): void {
    this.stopped = true;
  }

  guard(call: () => void): () => void {
    return () => {
      if (this.isAlive) call();
    };
  }

  at(at: Micros, phase: Phase, run: () => void, process: Living = this): Timer {
    return this.kernel.at(at, phase, run, process);
  }

  after(length: MicrosSpan, phase: Phase, run: () => void): Timer {
    return this.at(later(this.now, length), phase, run);
  }

  post(phase: Phase, run: () => void): Timer {
    return this.at(this.now, phase, run);
  }

  start(process: Process, phase: Phase): void {
    drive(this, process, phase);
  }
}

/** What every generator inherits: asked of each for itself, the method is looked up in as many prototypes as there are processes. */
const { next } = Object.getPrototypeOf(function* () {}).prototype as Process;

/** Runs a process wait by wait while its scheduler is alive. */
function drive(scheduler: Scheduler, process: Process, phase: Phase): void {
  const step = (): void => {
    while (scheduler.isAlive) {
      const { done, value } = next.call(process);
      if (done) return;
      if (typeof value !== 'number') return value.wait(step);
      if (value > 0) {
        scheduler.after(value, phase, step);
        return;
      }
    }
  };
  step();
}
