import { later, MICROS_PER_SECOND, type Micros, type MicrosSpan } from '../../../base/units.ts';
import { containerOf, isTerminal, type PodStatus } from '../../api/podStatus.ts';
import type { Timer } from '../../kernel/kernel.ts';
import type { Step } from '../../kernel/machineTable.ts';
import type { ContainerInput, PodInput, ProbeKind, ProbeSpec } from '../../scenario.ts';
import { NO_REF, type Ref } from '../../trace/ref.ts';
import { isOldContainer, type KubeletContext, subjectOf } from '../context.ts';
import type { ContainerRuntime } from '../runtime/containerRuntime.ts';
import { restartsAfterExit } from '../runtime/restartRule.ts';
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

/** What a worker needs of the kubelet around it. */
export interface WorkerHost {
  readonly context: KubeletContext;
  readonly runtime: ContainerRuntime;
  readonly results: ResultsManager;
  /** The status manager's cached status. */
  status(pod: PodInput): PodStatus | undefined;
  /** Records a Kubernetes event about the container. */
  record(pod: PodInput, eventType: string, reason: string, message: string, cause: Ref): void;
}

type Cause = 'first' | 'ticker' | 'manual';
/** What a select can take. */
type Ready = 'stop' | 'ticker' | 'manual';

/** Facts of a turn before any of them is known to hold. */
const NO_FACTS: TurnFacts = {
  hasStatus: false,
  terminal: false,
  hasContainer: false,
  newContainer: false,
  isOld: false,
  isStartedSidecar: false,
  container: 'waiting',
  deletionRequested: false,
  delayOver: false,
  started: false,
};

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
  private pendingStop: Ref | null = null;
  private wake: Timer | null = null;
  private turn: Turn | null = null;
  private exited = false;
  private lastRef: Ref;
  private lastTurnAt: Micros | null = null;

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
    if (this.pendingPoke !== null) return false;
    this.pendingPoke = ref;
    if (this.idle) this.wakeNow('manual');
    return true;
  }

  /** Non-blocking send on the stop channel; read only between turns (K-115). */
  stop(ref: Ref): void {
    if (this.pendingStop !== null) return;
    this.pendingStop = ref;
    if (this.idle) this.leave();
  }

  /** Writes the turn that the horizon cut off, if any. */
  flush(): void {
    if (this.turn && this.turn.ref === NO_REF) this.writeTurn(this.turn, null, NaN);
  }

  private get period(): MicrosSpan {
    return (this.spec.periodSeconds * MICROS_PER_SECOND) as MicrosSpan;
  }

  /** In the select, with nothing received yet. A tick that is due was received at its instant, although the turn comes later. */
  private get idle(): boolean {
    return (
      !this.exited &&
      this.turn === null &&
      this.wake !== null &&
      this.host.context.kernel.now < this.nextTick &&
      !this.waking
    );
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
  private wakeNow(cause: Cause): void {
    const { kernel } = this.host.context;
    if (this.wake) this.wake.cancelled = true;
    if (cause === 'manual') this.nextTick = later(kernel.now, this.period);
    else this.receiveTick(kernel.now);
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

  private begin(cause: Cause): void {
    const { kernel } = this.host.context;
    const at = kernel.now;
    this.wake = null;
    this.waking = false;
    const causes = cause === 'manual' && this.pendingPoke !== null ? [this.pendingPoke] : [];
    if (cause === 'manual') this.pendingPoke = null;
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
    this.follow(stepTurn(this.table, this.node, this.facts()));
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
          const ref = this.turnRef();
          if (this.containerID) results.remove(this.pod, this.container.name, this.kind, this.containerID, ref);
          this.containerID = this.seenContainerID();
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
    if (probing) return this.attempt();
    const ref = this.endTurn(attempt);
    if (attempt?.unhealthy) this.host.record(this.pod, 'Warning', 'Unhealthy', attempt.unhealthy, ref);
    for (const result of publishes)
      results.set(this.pod, this.container.name, this.kind, this.containerID, result, ref);
    if (exits) this.exit(ref);
    else this.select(attempt !== null);
  }

  private attempt(): void {
    const { context, runtime } = this.host;
    runAttempt(context, runtime, this.containerID, this.kind, this.spec, (attempt) =>
      this.follow(stepProbed(this.table, this.node, attempt.result), attempt),
    );
  }

  /** After a turn: what is pending is taken at once, one of it by chance (G-2); else the next tick is awaited. */
  private select(afterCommand: boolean): void {
    const { kernel, draws } = this.host.context;
    const ready: Ready[] = [];
    if (this.nextTick <= kernel.now) ready.push('ticker');
    if (this.pendingPoke !== null) ready.push('manual');
    if (this.pendingStop !== null) {
      if (ready.length === 0) return this.leave();
      ready.push('stop');
    }
    if (ready.length === 0) return this.awaitTick();
    // A draw is made after each command, and wherever there is something to choose.
    const isDrawn = afterCommand || ready.length > 1;
    const at = later(kernel.now, this.turnDelay);
    const taken = isDrawn ? draws.choice(`prober/select/${this.drawName}`, at, ready) : (ready[0] as Ready);
    if (taken === 'stop') this.leave();
    else this.wakeNow(taken);
  }

  /** What doProbe finds at this instant (K-120 to K-128). */
  private facts(): TurnFacts {
    const { kernel, wall } = this.host.context;
    const status = this.host.status(this.pod);
    if (!status) return NO_FACTS;
    if (isTerminal(status.phase)) return { ...NO_FACTS, hasStatus: true, terminal: true };
    const container = containerOf(status, this.container.name);
    if (!container?.containerID) return { ...NO_FACTS, hasStatus: true };
    const newContainer = container.containerID !== this.containerID;
    const { state } = container;
    const facts = { ...NO_FACTS, hasStatus: true, hasContainer: true, newContainer };
    if (state.is === 'waiting') return facts;
    if (state.is === 'terminated') {
      const revives = this.container.isSidecar || restartsAfterExit(this.pod, state.exitCode);
      return { ...facts, container: revives ? 'ended' : 'endedForGood' };
    }
    const delayOver = wall.secondsSince(state.startedAt, kernel.now) >= this.spec.initialDelaySeconds;
    const { started } = container;
    const isOld = isOldContainer(this.host.context, state.startedAt);
    return {
      ...facts,
      container: 'running',
      delayOver,
      started,
      isOld,
      isStartedSidecar: this.container.isSidecar && started,
    };
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
