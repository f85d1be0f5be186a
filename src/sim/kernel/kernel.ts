import TinyQueue from 'tinyqueue';
import { later, type Micros, type MicrosSpan } from '../../base/units.ts';
import { compareScheduled, PHASE, type Phase, type Scheduled } from './order.ts';

/** A pending call. `cancelled` is the only part that changes. */
export interface Timer extends Scheduled {
  readonly run: () => void;
  cancelled: boolean;
}

/**
 * A sequential activity: yields how long to wait, µs, or a Gate to wait on; goes on when that is over.
 * The components' passes are written in this form, so that they read like the Go code they mirror.
 */
export type Process = Task<void>;
/** A part of a process that gives a result to whoever delegates to it with `yield*`. */
export type Task<T> = Generator<MicrosSpan | Gate, T, void>;

/** Virtual time as the parts of the simulator see it. */
export interface Scheduler {
  readonly now: Micros;
  /** Calls `run` at `at`, µs. An instant in the past is a RangeError: nothing may change what has been. */
  at(at: Micros, phase: Phase, run: () => void): Timer;
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
  private readonly waiting: (() => void)[] = [];
  private opened = false;

  get isOpen(): boolean {
    return this.opened;
  }

  /** Opens the gate. A second call does nothing. */
  open(): void {
    if (this.opened) return;
    this.opened = true;
    for (const resume of this.waiting.splice(0)) resume();
  }

  /** Calls `resume` once the gate is open; at once if it is already. */
  wait(resume: () => void): void {
    if (this.opened) resume();
    else this.waiting.push(resume);
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

/**
 * Virtual time: a queue of pending calls in a total order. It never reads a clock, and an instant is left only when
 * nothing is pending in it any more.
 */
export class Kernel implements Scheduler {
  private readonly queue = new TinyQueue<Timer>([], compareScheduled);
  private readonly horizon: Micros;
  private seq = 0;
  private round = 0;
  now: Micros;

  /** The run begins at `start` and ends before `horizon`, both µs. */
  constructor(start: Micros, horizon: Micros) {
    this.now = start;
    this.horizon = horizon;
  }

  at(at: Micros, phase: Phase, run: () => void): Timer {
    if (at < this.now) throw new RangeError(`cannot schedule at ${at}: it is ${this.now} already`);
    const round = at === this.now ? this.round + 1 : 0;
    const timer: Timer = { at, round, phase: PHASE[phase], seq: this.seq++, run, cancelled: false };
    this.queue.push(timer);
    return timer;
  }

  after(length: MicrosSpan, phase: Phase, run: () => void): Timer {
    return this.at(later(this.now, length), phase, run);
  }

  post(phase: Phase, run: () => void): Timer {
    return this.at(this.now, phase, run);
  }

  start(process: Process, phase: Phase): void {
    drive(this, process, phase, () => true);
  }

  guard(call: () => void): () => void {
    return call;
  }

  /** Instant of the next pending call; null when none is left before the horizon. */
  nextAt(): Micros | null {
    for (;;) {
      const timer = this.queue.peek();
      if (!timer || timer.at >= this.horizon) return null;
      if (!timer.cancelled) return timer.at;
      this.queue.pop();
    }
  }

  /**
   * Runs at most `budget` pending calls. True while more is pending before the horizon; false when the run is over,
   * with `now` at the horizon.
   */
  advance(budget: number): boolean {
    for (let left = budget; left > 0; ) {
      const timer = this.queue.peek();
      if (!timer || timer.at >= this.horizon) {
        this.now = this.horizon;
        return false;
      }
      this.queue.pop();
      if (timer.cancelled) continue;
      this.now = timer.at;
      this.round = timer.round;
      timer.run();
      left--;
    }
    if (this.nextAt() !== null) return true;
    this.now = this.horizon;
    return false;
  }
}

/** The part of virtual time that belongs to one operating-system process: once it has stopped, nothing of it runs any more. */
export class ProcessScheduler implements Scheduler {
  private readonly kernel: Scheduler;
  private alive = true;

  constructor(kernel: Scheduler) {
    this.kernel = kernel;
  }

  get now(): Micros {
    return this.kernel.now;
  }

  /** The process ends: its timers and waits are gone. */
  stop(): void {
    this.alive = false;
  }

  guard(call: () => void): () => void {
    return () => {
      if (this.alive) call();
    };
  }

  at(at: Micros, phase: Phase, run: () => void): Timer {
    return this.kernel.at(at, phase, this.guard(run));
  }

  after(length: MicrosSpan, phase: Phase, run: () => void): Timer {
    return this.at(later(this.now, length), phase, run);
  }

  post(phase: Phase, run: () => void): Timer {
    return this.at(this.now, phase, run);
  }

  start(process: Process, phase: Phase): void {
    drive(this, process, phase, () => this.alive);
  }
}

/** Runs a process wait by wait while `isAlive`. */
function drive(scheduler: Scheduler, process: Process, phase: Phase, isAlive: () => boolean): void {
  const step = (): void => {
    while (isAlive()) {
      const next = process.next();
      if (next.done) return;
      if (next.value instanceof Gate) return next.value.wait(step);
      if (next.value > 0) {
        scheduler.after(next.value, phase, step);
        return;
      }
    }
  };
  step();
}
