import { later, MICROS_PER_SECOND, type Micros, type MicrosSpan } from '../../../base/units.ts';
import { containerOf, type PodStatus } from '../../api/podStatus.ts';
import type { Timer } from '../../kernel/kernel.ts';
import type { Step } from '../../kernel/machineTable.ts';
import type { ContainerInput, PodInput, ProbeKind, ProbeSpec } from '../../scenario.ts';
import { NO_REF, type Ref } from '../../trace/ref.ts';
import { type KubeletContext, subjectOf } from '../context.ts';
import type { ContainerRuntime } from '../runtime/containerRuntime.ts';
import type { SettledStatuses } from '../status/settledStatuses.ts';
import { type Attempt, runAttempt } from './prober.ts';
import {
  probeCommands,
  probeWorkerTable,
  stepProbed,
  stepStop,
  stepTurn,
  type TurnFacts,
  type TurnOutcome,
} from './probeWorkerMachine.ts';
import type { ResultsManager } from './resultsManager.ts';
import { turnFacts } from './turnFacts.ts';

/** What a worker needs of the kubelet around it. */
export interface WorkerHost {
  readonly context: KubeletContext;
  readonly runtime: ContainerRuntime;
  readonly results: ResultsManager;
  readonly settled: SettledStatuses;
  /** The status manager's cached status. */
  status(pod: PodInput): PodStatus | undefined;
  /** Records a Kubernetes event about the container. */
  record(pod: PodInput, eventType: string, reason: string, message: string, cause: Ref): void;
}

type Cause = 'first' | 'ticker' | 'manual';
/** What a select can take. */
type Ready = 'stop' | 'ticker' | 'manual';

/** What a coasting worker repeats, tick after tick. */
interface Coast {
  /** Begin of the turn that is repeated: what changes after it may change the next one. */
  readonly since: Micros;
  readonly outcome: TurnOutcome;
  readonly attempt: Attempt | null;
  /** Length of a turn, µs. */
  readonly length: number;
  readonly facts: TurnFacts;
  /** Ends the watch over the container's process. */
  readonly stopWatching: () => void;
}

/** The turn that is going on. Its event is written when something needs to point at it, at the latest at its end. */
interface Turn {
  readonly at: Micros;
  readonly cause: Cause;
  readonly causes: readonly Ref[];
  readonly armed: Ref;
  readonly period: number;
  outcome: TurnOutcome;
  ref: Ref;
}

/**
 * One probe worker goroutine: its ticker, its two channels of capacity 1, and the turns they lead to. What a turn decides
 * is the machine's business (probeWorkerMachine.ts); this carries out the machine's commands in virtual time.
 *
 *     W0 ─sleep─▶ ticker made, turn ─▶ wait ─tick or poke─▶ turn (─▶ attempt) ─▶ wait …
 *
 * A worker whose last turn changed nothing *coasts*: its ticks are not queued, as each can only repeat that turn until
 * the status, the process or the app's script changes. Whatever is about to change calls `settle` first, which writes the
 * turns that have come since, and puts the worker back in the middle of one if need be.
 *
 * Source: pkg/kubelet/prober/worker.go, run (K-115 to K-119).
 */
export class ProbeWorker {
  readonly pod: PodInput;
  readonly container: ContainerInput;
  readonly kind: ProbeKind;
  private readonly host: WorkerHost;
  private readonly spec: ProbeSpec;
  private readonly table: ReturnType<typeof probeWorkerTable>;
  private readonly subject: number;
  private readonly drawName: string;
  /** From waking to acting, µs. */
  private readonly turnDelay: MicrosSpan;
  private readonly onExit: () => void;
  private node: number;
  private containerID = '';
  private nextTick: Micros = 0 as Micros;
  private pendingPoke: Ref | null = null;
  /** The trigger that the coming turn has received: the channel is empty again. */
  private receivedPoke: Ref | null = null;
  private pendingStop: Ref | null = null;
  private wake: Timer | null = null;
  private turn: Turn | null = null;
  private exited = false;
  private lastRef: Ref;
  private lastTurnAt: Micros | null = null;
  private coast: Coast | null = null;
  private isUnseen = false;
  /** Machine node and facts at the begin of the present turn. */
  private nodeBefore = -1;
  private turnFacts: TurnFacts | null = null;

  constructor(
    host: WorkerHost,
    pod: PodInput,
    container: ContainerInput,
    kind: ProbeKind,
    index: number,
    added: Ref,
    onExit: () => void,
  ) {
    this.host = host;
    this.pod = pod;
    this.container = container;
    this.kind = kind;
    this.onExit = onExit;
    this.spec = container.probes[kind] as ProbeSpec;
    this.table = probeWorkerTable({
      kind,
      successThreshold: this.spec.successThreshold,
      failureThreshold: this.spec.failureThreshold,
      holdsAfterSuccess: host.context.behaviour.holdsAfterStartupSuccess,
    });
    this.node = this.table.initial.node;
    this.subject = subjectOf(host.context, 'probeWorker', pod, container.name, kind);
    this.drawName = `${pod.identity}/${container.name}/${kind}`;
    const { workerTurn, workerTurnStep } = host.context.latency;
    this.turnDelay = (workerTurn + index * workerTurnStep) as MicrosSpan;
    this.lastRef = added;
    this.start();
  }

  /** Non-blocking send on the manual-trigger channel. False when one is pending already. */
  poke(ref: Ref): boolean {
    this.settle();
    if (this.pendingPoke !== null) return false;
    this.pendingPoke = ref;
    if (this.idle) this.wakeNow('manual');
    return true;
  }

  /** Non-blocking send on the stop channel; read only between turns (K-115). */
  stop(ref: Ref): void {
    this.settle();
    if (this.pendingStop !== null) return;
    this.pendingStop = ref;
    if (this.idle) this.leave();
  }

  /** Writes the turn that the horizon cut off, if any. */
  flush(): void {
    this.settle();
    if (this.turn && this.turn.ref === NO_REF) this.writeTurn(this.turn, null, NaN);
  }

  private get period(): MicrosSpan {
    return (this.spec.periodSeconds * MICROS_PER_SECOND) as MicrosSpan;
  }

  /** In the select, with nothing received yet. A tick that is due was received at its instant, although the turn comes later. */
  private get idle(): boolean {
    return !this.exited && this.turn === null && this.host.context.kernel.now < this.nextTick && !this.waking;
  }
  private waking = false;

  /** K-116: a worker younger than its period first sleeps a random part of it; nothing interrupts that. */
  private start(): void {
    const { kernel, draws, trace, startedAt } = this.host.context;
    const uptime = kernel.now - startedAt;
    const sleep = draws.number(`prober/startSleep/${this.drawName}`, kernel.now, (u) =>
      this.period > uptime ? Math.floor(u * this.period) : 0,
    ) as MicrosSpan;
    if (sleep > 0)
      this.lastRef = trace.event('startSleep', kernel.now, this.subject, { length: sleep }, [], this.lastRef, sleep);
    const woken = later(kernel.now, sleep);
    this.nextTick = later(woken, this.period);
    this.waking = true;
    this.wake = kernel.at(later(woken, this.turnDelay), 'probeWorker', () => this.begin('first'));
  }

  /** The select took something at this instant: the turn comes after the worker's delay. */
  private wakeNow(cause: 'ticker' | 'manual'): void {
    const { kernel, behaviour } = this.host.context;
    if (this.wake) this.wake.cancelled = true;
    if (cause === 'ticker') this.receiveTick(kernel.now);
    else {
      this.receivedPoke = this.pendingPoke;
      this.pendingPoke = null;
      if (behaviour.pokeRestartsTicker) this.nextTick = later(kernel.now, this.period);
    }
    this.waking = true;
    this.wake = kernel.after(this.turnDelay, 'probeWorker', () => this.begin(cause));
  }

  /** G-3: at most one tick is owed, and the phase is kept. */
  private receiveTick(at: Micros): void {
    const missed = Math.floor((at - this.nextTick) / this.period);
    this.nextTick = (this.nextTick + (missed + 1) * this.period) as Micros;
  }

  /** Waits for the next tick, which nothing has overtaken yet. */
  private awaitTick(): void {
    const { kernel } = this.host.context;
    const tick = this.nextTick;
    this.waking = false;
    this.wake = kernel.at(later(tick, this.turnDelay), 'probeWorker', () => {
      this.receiveTick(tick);
      this.begin('ticker');
    });
  }

  /**
   * Writes the turns that a coasting worker has taken before this instant, and goes on as if every tick had been queued:
   * in the middle of an attempt, or waiting for the next tick. To be called before anything changes that a turn could see.
   */
  settle(): void {
    const { coast } = this;
    if (!coast) return;
    this.coast = null;
    coast.stopWatching();
    if (this.wake) this.wake.cancelled = true;
    const { now } = this.host.context.kernel;
    const first = later(this.nextTick, this.turnDelay);
    const turns = Math.max(0, Math.ceil((now - first) / this.period));
    const lastAt = (first + (turns - 1) * this.period) as Micros;
    const isCutOff = turns > 0 && lastAt + coast.length > now;
    const whole = isCutOff ? turns - 1 : turns;
    if (whole > 0) this.writeCoasted(coast, first, whole);
    this.nextTick = (this.nextTick + turns * this.period) as Micros;
    if (isCutOff) this.resumeAttempt(coast, lastAt);
    else this.awaitTick();
  }

  private writeCoasted({ outcome, attempt, length }: Coast, first: Micros, times: number): void {
    const turn: Turn = {
      at: first,
      cause: 'ticker',
      causes: [],
      armed: this.lastRef,
      period: this.period,
      outcome,
      ref: NO_REF,
    };
    this.lastRef = this.host.context.trace.repeatingMany(
      'probeRun',
      first,
      this.subject,
      this.payloadOf(turn, attempt),
      turn.armed,
      length,
      this.period,
      times,
    );
    this.lastTurnAt = (first + (times - 1) * this.period) as Micros;
  }

  /** The attempt of a coasted turn that began at `at` is still going on. */
  private resumeAttempt({ facts }: Coast, at: Micros): void {
    this.turn = {
      at,
      cause: 'ticker',
      causes: [],
      armed: this.lastRef,
      period: this.period,
      outcome: 'attempt',
      ref: NO_REF,
    };
    this.wake = null;
    this.nodeBefore = this.node;
    this.turnFacts = facts;
    this.node = stepTurn(this.table, this.node, facts).node;
    this.attempt(at);
  }

  /** After a turn that changed nothing and that the next one can only repeat; null when it could be another. */
  private coastAfter(turn: Turn, attempt: Attempt | null, length: number): Omit<Coast, 'stopWatching'> | null {
    if (turn.cause !== 'ticker' || this.node !== this.nodeBefore || !this.turnFacts) return null;
    const repeats = attempt ? attempt.result === 'success' : turn.outcome === 'onHold' || this.turnFacts.delayOver;
    if (!repeats || (attempt && attempt.tries.length > 1)) return null;
    // The status may have changed while the attempt ran.
    if (!sameFacts(this.turnFacts, this.facts())) return null;
    return { since: turn.at, outcome: turn.outcome, attempt, length, facts: this.turnFacts };
  }

  /** Waits for the first tick that could differ from the last turn; the ticks before it are not queued. */
  private startCoast(coast: Omit<Coast, 'stopWatching'>): void {
    const { kernel } = this.host.context;
    const { runtime } = this.host;
    const quietUntil = coast.attempt
      ? (runtime.processOf(this.containerID)?.nextChange(this.kind, coast.since) ?? kernel.now)
      : Number.POSITIVE_INFINITY;
    const first = later(this.nextTick, this.turnDelay);
    const turns = Math.ceil((quietUntil - first) / this.period);
    if (turns <= 0) return this.awaitTick();
    this.waking = false;
    const stopWatching = coast.attempt
      ? runtime.beforeChange(
          this.containerID,
          kernel.guard(() => this.settle()),
        )
      : () => {};
    this.coast = { ...coast, stopWatching };
    this.wake = null;
    if (turns === Number.POSITIVE_INFINITY) return;
    // The tick itself is queued again by `settle`.
    this.wake = kernel.at((first + turns * this.period) as Micros, 'probeWorker', () => this.settle());
  }

  private begin(cause: Cause): void {
    const { kernel } = this.host.context;
    const at = kernel.now;
    this.wake = null;
    this.waking = false;
    const causes = this.receivedPoke === null ? [] : [this.receivedPoke];
    this.receivedPoke = null;
    const onGrid = cause === 'ticker' && this.lastTurnAt !== null && at - this.lastTurnAt === this.period;
    this.turn = {
      at,
      cause,
      causes,
      armed: cause === 'manual' ? NO_REF : this.lastRef,
      period: onGrid ? this.period : 0,
      outcome: 'attempt',
      ref: NO_REF,
    };
    this.nodeBefore = this.node;
    this.turnFacts = this.facts();
    this.isUnseen = false;
    this.follow(stepTurn(this.table, this.node, this.turnFacts));
  }

  /** Carries out the commands of a step of the machine. */
  private follow(step: Step, attempt: Attempt | null = null): void {
    this.node = step.node;
    const { results } = this.host;
    let probing = false;
    let exits = false;
    const publishes: ('success' | 'failure' | 'unknown')[] = [];
    for (const command of probeCommands(step)) {
      switch (command.type) {
        case 'report':
          (this.turn as Turn).outcome = command.params.outcome;
          break;
        case 'adopt': {
          const before = this.containerID;
          this.containerID = this.seenContainerID();
          const ref = this.turnRef();
          if (before) results.remove(this.pod, this.container.name, this.kind, before, ref);
          for (const result of command.params.results) {
            results.set(this.pod, this.container.name, this.kind, this.containerID, result, ref);
          }
          break;
        }
        case 'publish':
          publishes.push(command.params.result);
          break;
        case 'probe':
          probing = true;
          break;
        case 'exit':
          exits = true;
          break;
      }
    }
    if (probing) return this.attempt(this.host.context.kernel.now);
    const turn = this.turn as Turn;
    const isPlain = turn.ref === NO_REF && !attempt?.unhealthy;
    const coast = isPlain ? this.coastAfter(turn, attempt, this.host.context.kernel.now - turn.at) : null;
    const ref = this.endTurn(attempt);
    // Before ~1.28 nothing held a startup worker, and a run that was owed came before the syncLoop had made it started.
    const known = results.get(this.kind, this.containerID);
    this.isUnseen =
      this.kind === 'startup' &&
      !this.host.context.behaviour.holdsAfterStartupSuccess &&
      publishes.some((result) => result !== known) &&
      this.nextTick <= this.host.context.kernel.now;
    if (attempt?.unhealthy) this.host.record(this.pod, 'Warning', 'Unhealthy', attempt.unhealthy, ref);
    for (const result of publishes)
      results.set(this.pod, this.container.name, this.kind, this.containerID, result, ref);
    if (exits) this.exit(ref);
    else this.select(attempt !== null, coast);
  }

  private attempt(at: Micros): void {
    const { context, runtime } = this.host;
    runAttempt(context, runtime, this.containerID, this.kind, this.spec, at, (attempt) =>
      this.follow(stepProbed(this.table, this.node, attempt.result), attempt),
    );
  }

  /** After a turn: what is pending is taken at once, one of it by chance (G-2); else the next tick is awaited. */
  private select(afterCommand: boolean, coast: Omit<Coast, 'stopWatching'> | null): void {
    const { kernel, draws } = this.host.context;
    const ready: Ready[] = [];
    if (this.nextTick <= kernel.now) ready.push('ticker');
    if (this.pendingPoke !== null) ready.push('manual');
    if (this.pendingStop !== null) {
      if (ready.length === 0) return this.leave();
      ready.push('stop');
    }
    if (ready.length === 0) return coast && !this.host.context.everyTick ? this.startCoast(coast) : this.awaitTick();
    // A draw is made after each command, and wherever there is something to choose.
    const isDrawn = afterCommand || ready.length > 1;
    const at = later(kernel.now, this.turnDelay);
    const taken = isDrawn ? draws.choice(`prober/select/${this.drawName}`, at, ready) : (ready[0] as Ready);
    if (taken === 'stop') this.leave();
    else this.wakeNow(taken);
  }

  private facts(): TurnFacts {
    const { context } = this.host;
    const { pod, container, spec, containerID } = this;
    const facts = turnFacts({ context, pod, container, spec, containerID }, this.host.status(pod));
    return this.isUnseen ? { ...facts, started: false } : facts;
  }

  private seenContainerID(): string {
    const status = this.host.status(this.pod);
    return (status && containerOf(status, this.container.name)?.containerID) ?? '';
  }

  /** The turn's event, written now if it was not yet. */
  private turnRef(): Ref {
    const turn = this.turn as Turn;
    if (turn.ref === NO_REF) {
      const { trace } = this.host.context;
      turn.ref = trace.event(
        'probeRun',
        turn.at,
        this.subject,
        this.payloadOf(turn, null),
        turn.causes,
        turn.armed,
        NaN,
      );
    }
    return turn.ref;
  }

  private endTurn(attempt: Attempt | null): Ref {
    const turn = this.turn as Turn;
    const { kernel, trace } = this.host.context;
    this.turn = null;
    this.lastTurnAt = turn.at;
    if (turn.ref === NO_REF) {
      this.lastRef = this.writeTurn(turn, attempt, kernel.now - turn.at);
    } else {
      trace.end<'probeRun'>(turn.ref, kernel.now, this.payloadOf(turn, attempt), true);
      this.lastRef = turn.ref;
    }
    return this.lastRef;
  }

  private writeTurn(turn: Turn, attempt: Attempt | null, length: number): Ref {
    const { trace } = this.host.context;
    return trace.repeating(
      'probeRun',
      turn.at,
      this.subject,
      this.payloadOf(turn, attempt),
      turn.causes,
      turn.armed,
      length,
      turn.period,
    );
  }

  private payloadOf(turn: Turn, attempt: Attempt | null) {
    const many = attempt !== null && attempt.tries.length > 1;
    return {
      cause: turn.cause,
      outcome: turn.outcome,
      result: attempt?.result ?? '',
      tries: attempt?.tries.join(',') ?? '',
      tryEnds: many ? attempt.tryEnds.map((end) => end - turn.at).join(',') : '',
      node: this.table.label(this.node),
      id: this.containerID,
    };
  }

  private leave(): void {
    const ref = this.pendingStop ?? NO_REF;
    this.node = stepStop(this.table, this.node).node;
    this.exit(ref);
  }

  /** K-118: the result goes first, then the worker. */
  private exit(cause: Ref): void {
    const { trace, kernel } = this.host.context;
    if (this.wake) this.wake.cancelled = true;
    this.exited = true;
    const ref = trace.event('workerExited', kernel.now, this.subject, {}, [cause]);
    if (this.containerID) this.host.results.remove(this.pod, this.container.name, this.kind, this.containerID, ref);
    this.onExit();
  }
}

/** Whether a turn would find the same; a delay that is over stays over. */
const sameFacts = (a: TurnFacts, b: TurnFacts): boolean =>
  (Object.keys(a) as (keyof TurnFacts)[]).every((fact) => fact === 'delayOver' || a[fact] === b[fact]);
