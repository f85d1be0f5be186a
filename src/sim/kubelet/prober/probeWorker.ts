import { later, MICROS_PER_SECOND, type Micros, type MicrosSpan } from '../../../base/units.ts';
import { containerOf, type PodStatus } from '../../api/podStatus.ts';
import { Gate, type Timer } from '../../kernel/kernel.ts';
import type { Step } from '../../kernel/machineTable.ts';
import type { ContainerInput, PodInput, ProbeKind, ProbeSpec } from '../../scenario.ts';
import { NO_REF, type Ref } from '../../trace/ref.ts';
import { type KubeletContext, subjectOf } from '../context.ts';
import type { ContainerRuntime } from '../runtime/containerRuntime.ts';
import type { SettledStatuses } from '../status/settledStatuses.ts';
import { type Coast, Coasting, coastAfter } from './coasting.ts';
import { type Attempt, runAttempt } from './prober.ts';
import {
  type ProbeResult,
  probeCommands,
  probeWorkerTable,
  stepProbed,
  stepStop,
  stepTurn,
  type TurnFacts,
} from './probeWorkerMachine.ts';
import type { ResultsManager } from './resultsManager.ts';
import { Ticker } from './ticker.ts';
import { turnFacts } from './turnFacts.ts';
import { type Standing, type Turn, type TurnCause, TurnLog } from './turnLog.ts';

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

/** What a select can take. */
type Ready = 'stop' | 'ticker' | 'manual';

/**
 * One probe worker goroutine: its ticker, its two channels of capacity 1, and the turns they lead to. What a turn decides
 * is the machine's business (probeWorkerMachine.ts); this carries out the machine's commands in virtual time.
 *
 *     W0 ─sleep─▶ ticker made, turn ─▶ wait ─tick or poke─▶ turn (─▶ attempt) ─▶ wait …
 *
 * While ticks can only repeat the last turn the worker coasts (see Coasting).
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
  private readonly log: TurnLog;
  private readonly coasting: Coasting;
  private readonly ticker: Ticker;
  private readonly drawName: string;
  /** From waking to acting, µs. */
  private readonly turnDelay: MicrosSpan;
  private readonly onExit: () => void;
  private node: number;
  private containerID = '';
  /** Opens when the present attempt, and all that follow, are cancelled; null when they cannot be. */
  private cancelled: Gate | null = null;
  private pendingPoke: Ref | null = null;
  /** The trigger that the coming turn has received: the channel is empty again. */
  private receivedPoke: Ref | null = null;
  private pendingStop: Ref | null = null;
  private wake: Timer | null = null;
  /** The select has taken something, and the turn comes after the worker's delay. */
  private waking = false;
  private turn: Turn | null = null;
  private exited = false;
  private isUnseen = false;
  /** Machine node and facts at the begin of the present turn. */
  private nodeBefore = -1;
  private turnFacts: TurnFacts | null = null;
  /** What the last status that was looked at said of the container. */
  private seen: { readonly status: PodStatus; readonly containerID: string; readonly facts: TurnFacts } | null = null;

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
    const { latency, trace, kernel } = host.context;
    this.turnDelay = (latency.workerTurn + index * latency.workerTurnStep) as MicrosSpan;
    this.log = new TurnLog(trace, this.subject, added);
    this.coasting = new Coasting(host.context, host.runtime, kind, this.turnDelay, () => this.settle());
    const woken = later(kernel.now, this.startSleep());
    this.ticker = new Ticker(this.period, woken);
    this.waking = true;
    this.wake = kernel.at(later(woken, this.turnDelay), 'probeWorker', () => this.begin('first'));
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

  /** From now on every command ends at once, with an error. */
  cancelCommands(): void {
    this.settle();
    if (this.spec.handler.type !== 'exec') return;
    this.cancelled ??= new Gate();
    this.cancelled.open();
  }

  /** Writes the turn that the horizon cut off, if any. */
  flush(): void {
    this.settle();
    if (this.turn) this.log.cutOff(this.turn, this.standing);
  }

  private get period(): MicrosSpan {
    return (this.spec.periodSeconds * MICROS_PER_SECOND) as MicrosSpan;
  }

  /** In the select, with nothing received yet. A tick that is due was received at its instant, although the turn comes later. */
  private get idle(): boolean {
    return !this.exited && this.turn === null && this.host.context.kernel.now < this.ticker.next && !this.waking;
  }

  private get standing(): Standing {
    return { node: this.table.label(this.node), id: this.containerID };
  }

  /** K-116: a worker younger than its period first sleeps a random part of it; nothing interrupts that. */
  private startSleep(): MicrosSpan {
    const { kernel, draws, startedAt } = this.host.context;
    const uptime = kernel.now - startedAt;
    const sleep = draws.number(`prober/startSleep/${this.drawName}`, kernel.now, (u) =>
      this.period > uptime ? Math.floor(u * this.period) : 0,
    ) as MicrosSpan;
    if (sleep > 0) this.log.startSleep(kernel.now, sleep);
    return sleep;
  }

  /** The select took something at this instant: the turn comes after the worker's delay. */
  private wakeNow(cause: 'ticker' | 'manual'): void {
    const { kernel, behaviour } = this.host.context;
    if (this.wake) this.wake.cancelled = true;
    if (cause === 'ticker') this.ticker.receive(kernel.now);
    else {
      this.receivedPoke = this.pendingPoke;
      this.pendingPoke = null;
      if (behaviour.pokeRestartsTicker) this.ticker.reset(kernel.now);
    }
    this.waking = true;
    const delay = cause === 'manual' ? this.pokedDelay() : this.turnDelay;
    // A turn that takes no time to come overtakes the status of the pass that poked it (K-117).
    if (delay === 0 && cause === 'manual') this.begin(cause);
    else this.wake = kernel.after(delay, 'probeWorker', () => this.begin(cause));
  }

  private pokedDelay(): MicrosSpan {
    const { hops, kernel } = this.host.context;
    return hops.next('pokedTurn', this.drawName, kernel.now, this.turnDelay);
  }

  /** Waits for the next tick, which nothing has overtaken yet. */
  private awaitTick(): void {
    const { kernel } = this.host.context;
    const tick = this.ticker.next;
    this.waking = false;
    this.wake = kernel.at(later(tick, this.turnDelay), 'probeWorker', () => {
      this.ticker.receive(tick);
      this.begin('ticker');
    });
  }

  /**
   * Writes the turns that a coasting worker has taken before this instant, and goes on as if every tick had been queued:
   * in the middle of an attempt, or waiting for the next tick. To be called before anything changes that a turn could see.
   */
  settle(): void {
    const coasted = this.coasting.end(this.ticker);
    if (!coasted) return;
    const { outcome, attempt, length, first, turns, cutOffAt } = coasted;
    const whole = cutOffAt === null ? turns : turns - 1;
    if (whole > 0) this.log.repeat({ ...this.tickTurn(first), outcome }, attempt, length, whole, this.standing);
    if (cutOffAt === null) return this.awaitTick();
    this.turn = this.tickTurn(cutOffAt);
    this.nodeBefore = this.node;
    this.turnFacts = coasted.facts;
    this.node = stepTurn(this.table, this.node, coasted.facts).node;
    this.attempt(cutOffAt);
  }

  /** A turn in a row of such. */
  private tickTurn(at: Micros): Turn {
    return { ...this.log.begin(at, 'ticker', null, this.period), period: this.period };
  }

  private begin(cause: TurnCause): void {
    this.wake = null;
    this.waking = false;
    this.turn = this.log.begin(this.host.context.kernel.now, cause, this.receivedPoke, this.period);
    this.receivedPoke = null;
    this.nodeBefore = this.node;
    this.turnFacts = this.facts();
    this.isUnseen = false;
    this.follow(stepTurn(this.table, this.node, this.turnFacts));
  }

  /** Carries out a step of the machine, and the end of the turn unless an attempt goes on. */
  private follow(step: Step, attempt: Attempt | null = null): void {
    this.node = step.node;
    const publishes: ProbeResult[] = [];
    let exits = false;
    for (const command of probeCommands(step)) {
      switch (command.type) {
        case 'report':
          (this.turn as Turn).outcome = command.params.outcome;
          break;
        case 'adopt':
          this.adopt(command.params.results);
          break;
        case 'publish':
          publishes.push(command.params.result);
          break;
        case 'probe':
          return this.attempt(this.host.context.kernel.now);
        case 'exit':
          exits = true;
          break;
      }
    }
    this.endTurn(attempt, publishes, exits);
  }

  /** K-123: results are those of the container that is seen now. */
  private adopt(results: readonly ProbeResult[]): void {
    const before = this.containerID;
    this.containerID = this.seenContainerID();
    const ref = this.log.refOf(this.turn as Turn, this.standing);
    if (before) this.host.results.remove(this.pod, this.container.name, this.kind, before, ref);
    for (const result of results) this.setResult(result, ref);
  }

  private endTurn(attempt: Attempt | null, publishes: readonly ProbeResult[], exits: boolean): void {
    const { context, results } = this.host;
    const { now } = context.kernel;
    const turn = this.turn as Turn;
    const coast = this.coastAfter(turn, attempt);
    this.turn = null;
    const ref = this.log.end(turn, attempt, now, this.standing);
    // Before ~1.28 nothing held a startup worker, and a run that was owed came before the syncLoop had made it started.
    const known = results.get(this.kind, this.containerID);
    this.isUnseen =
      this.kind === 'startup' &&
      !context.behaviour.holdsAfterStartupSuccess &&
      publishes.some((result) => result !== known) &&
      this.ticker.next <= now;
    if (attempt?.event) this.host.record(this.pod, 'Warning', attempt.event.reason, attempt.event.message, ref);
    for (const result of publishes) this.setResult(result, ref);
    if (exits) this.exit(ref);
    else this.select(attempt !== null, coast);
  }

  /** What the next ticks repeat; null when they may not. */
  private coastAfter(turn: Turn, attempt: Attempt | null): Coast | null {
    const { context } = this.host;
    const changedNothing = turn.ref === NO_REF && !attempt?.event && this.node === this.nodeBefore;
    if (context.everyTick || !changedNothing || !this.turnFacts) return null;
    return coastAfter(turn, attempt, context.kernel.now - turn.at, this.turnFacts, this.facts());
  }

  private attempt(at: Micros): void {
    const { context, runtime } = this.host;
    const { containerID, kind, spec } = this;
    if (context.behaviour.cancelsProbeCommands && !this.cancelled?.isOpen) this.cancelled = new Gate();
    const { cancelled } = this;
    runAttempt(context, runtime, { containerID, kind, spec, at, cancelled }, (attempt) =>
      this.follow(stepProbed(this.table, this.node, attempt.result), attempt),
    );
  }

  /** After a turn: what is pending is taken at once, one of it by chance (G-2); else the next tick is awaited. */
  private select(afterCommand: boolean, coast: Coast | null): void {
    const { kernel, draws } = this.host.context;
    const ready: Ready[] = [];
    if (this.ticker.next <= kernel.now) ready.push('ticker');
    if (this.pendingPoke !== null) ready.push('manual');
    if (this.pendingStop !== null) {
      if (ready.length === 0) return this.leave();
      ready.push('stop');
    }
    if (ready.length === 0) {
      if (!coast || !this.coasting.start(coast, this.containerID, this.ticker)) this.awaitTick();
      return;
    }
    // A draw is made after each command, and wherever there is something to choose.
    const isDrawn = afterCommand || ready.length > 1;
    const at = later(kernel.now, this.turnDelay);
    const name = `prober/select/${this.drawName}`;
    // Recordings write down turns: a worker that took the stop had none.
    const unwritten = this.pendingStop === null ? null : 'stop';
    const taken = isDrawn ? draws.choice(name, at, ready, unwritten) : (ready[0] as Ready);
    if (taken === 'stop') this.leave();
    else this.wakeNow(taken);
  }

  private facts(): TurnFacts {
    const facts = this.factsOf(this.host.status(this.pod));
    return this.isUnseen ? { ...facts, started: false } : facts;
  }

  /** What the status says; of one that was looked at before only the delay may have changed, until it is over. */
  private factsOf(status: PodStatus | undefined): TurnFacts {
    const { pod, container, spec, containerID, seen } = this;
    if (seen !== null && seen.status === status && seen.containerID === containerID && seen.facts.delayOver)
      return seen.facts;
    const facts = turnFacts({ context: this.host.context, pod, container, spec, containerID }, status);
    if (status) this.seen = { status, containerID, facts };
    return facts;
  }

  private seenContainerID(): string {
    const status = this.host.status(this.pod);
    return (status && containerOf(status, this.container.name)?.containerID) ?? '';
  }

  private setResult(result: ProbeResult, cause: Ref): void {
    this.host.results.set(this.pod, this.container.name, this.kind, this.containerID, result, cause);
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
