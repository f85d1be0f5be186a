import { describe, expect, it } from 'vitest';
import type { ProbeKind } from '../../scenario.ts';
import {
  type AttemptResult,
  probeCommands,
  probeWorkerTable,
  stepProbed,
  stepStop,
  stepTurn,
  type TurnFacts,
} from './probeWorkerMachine.ts';

const RUNNING: TurnFacts = {
  hasStatus: true,
  terminal: false,
  hasContainer: true,
  newContainer: false,
  container: 'running',
  isOld: false,
  isStartedSidecar: false,
  deletionRequested: false,
  delayOver: true,
  started: true,
};
/** What lets a worker of that kind probe. */
const may = (kind: ProbeKind, over: Partial<TurnFacts> = {}): TurnFacts => ({
  ...RUNNING,
  started: kind !== 'startup',
  ...over,
});

/** A worker that is driven by hand and tells what it did, one word a command. */
class Driven {
  private readonly table;
  private node: number;
  private readonly kind: ProbeKind;

  constructor(kind: ProbeKind, successThreshold: number, failureThreshold: number) {
    this.kind = kind;
    this.table = probeWorkerTable({ kind, successThreshold, failureThreshold, holdsAfterSuccess: true });
    this.node = this.table.initial.node;
  }

  turn(over: Partial<TurnFacts> = {}): string {
    return this.take(stepTurn(this.table, this.node, may(this.kind, over)));
  }

  probed(result: AttemptResult): string {
    return this.take(stepProbed(this.table, this.node, result));
  }

  stop(): string {
    return this.take(stepStop(this.table, this.node));
  }

  get state(): string {
    return this.table.label(this.node);
  }

  private take(step: ReturnType<typeof stepTurn>): string {
    this.node = step.node;
    return probeCommands(step)
      .map((command) => {
        switch (command.type) {
          case 'report':
            return command.params.outcome;
          case 'adopt':
            return `adopt:${command.params.results.join('+') || 'nothing'}`;
          case 'publish':
            return `publish:${command.params.result}`;
          default:
            return command.type;
        }
      })
      .join(' ');
  }
}

describe('a turn of a probe worker', () => {
  it.each<[string, ProbeKind, Partial<TurnFacts>, string, string]>([
    [
      'waits when the status manager does not know the Pod (K-120)',
      'readiness',
      { hasStatus: false },
      'noStatus',
      'waiting.noStatus',
    ],
    [
      'ends when the cached phase is terminal (K-121)',
      'readiness',
      { terminal: true },
      'podTerminated exit',
      'stopped',
    ],
    [
      'waits when the status has no container id (K-122)',
      'liveness',
      { hasContainer: false },
      'noContainer',
      'waiting.noContainer',
    ],
    [
      'starts a new container not ready (K-123)',
      'readiness',
      { newContainer: true },
      'adopt:failure attempt probe',
      'probing',
    ],
    [
      'starts a new container alive (K-123)',
      'liveness',
      { newContainer: true },
      'adopt:success attempt probe',
      'probing',
    ],
    [
      'starts a new container with startup unknown (K-123)',
      'startup',
      { newContainer: true },
      'adopt:unknown attempt probe',
      'probing',
    ],
    [
      'leaves an old container as it was (K-123)',
      'readiness',
      { newContainer: true, isOld: true },
      'adopt:nothing attempt probe',
      'probing',
    ],
    [
      'counts a started sidecar of before as started (K-123)',
      'startup',
      { newContainer: true, isOld: true, isStartedSidecar: true },
      'adopt:success attempt probe',
      'probing',
    ],
    [
      'starts a restarted sidecar anew all the same (K-123)',
      'startup',
      { newContainer: true, isStartedSidecar: true },
      'adopt:success+unknown attempt probe',
      'probing',
    ],
    [
      'publishes Failure for a container that waits (K-125)',
      'readiness',
      { container: 'waiting' },
      'notRunning publish:failure',
      'waiting.notRunning',
    ],
    [
      'publishes Failure for one that ended and may restart (K-125)',
      'liveness',
      { container: 'ended' },
      'notRunning publish:failure',
      'waiting.notRunning',
    ],
    [
      'ends for one that ended for good (K-125)',
      'readiness',
      { container: 'endedForGood' },
      'notRunning publish:failure exit',
      'stopped',
    ],
    [
      'ends liveness with Success when deletion is requested (K-126)',
      'liveness',
      { deletionRequested: true },
      'deletionRequested publish:success exit',
      'stopped',
    ],
    [
      'goes on with readiness when deletion is requested (K-126)',
      'readiness',
      { deletionRequested: true },
      'attempt probe',
      'probing',
    ],
    [
      'is skipped before the initial delay is over (K-127)',
      'readiness',
      { delayOver: false },
      'skipped',
      'waiting.delayed',
    ],
    [
      'of liveness is skipped before startup is done (K-128)',
      'liveness',
      { started: false },
      'skipped',
      'waiting.gated',
    ],
    ['of startup is skipped once started (K-128)', 'startup', { started: true }, 'skipped', 'waiting.gated'],
    [
      'asks for the delay before it asks whether startup is done',
      'readiness',
      { delayOver: false, started: false },
      'skipped',
      'waiting.delayed',
    ],
    [
      'adopts a new container even when it does not probe it',
      'readiness',
      { newContainer: true, delayOver: false },
      'adopt:failure skipped',
      'waiting.delayed',
    ],
  ])('%s', (_name, kind, facts, commands, state) => {
    const worker = new Driven(kind, 1, 3);
    expect(worker.turn(facts)).toBe(commands);
    expect(worker.state.split('|')[0]).toBe(state);
  });
});

describe('the thresholds', () => {
  // One letter an attempt: S success, F failure, E error. Published: S, F, or '-' for nothing.
  it.each<[string, ProbeKind, number, number, string, string]>([
    ['readiness fails on the third failure in a row', 'readiness', 1, 3, 'SFFF', 'S--F'],
    ['a success in between restarts the failure count', 'readiness', 1, 3, 'FFSFF', '--S--'],
    ['beyond the threshold every run sets the same result again', 'readiness', 1, 2, 'FFF', '-FF'],
    ['an error changes no count', 'readiness', 1, 3, 'FFEF', '---F'],
    ['an error does not break a row of successes', 'readiness', 3, 1, 'SSES', '---S'],
    ['a first success counts from nothing although lastResult starts as success', 'readiness', 2, 1, 'SS', '-S'],
    ['readiness needs successThreshold successes', 'readiness', 3, 1, 'SSSFS', '--SF-'],
  ])('%s', (_name, kind, success, failure, attempts, published) => {
    const worker = new Driven(kind, success, failure);
    const seen = [...attempts].map((letter) => {
      worker.turn();
      const commands = worker.probed(letter === 'S' ? 'success' : letter === 'F' ? 'failure' : 'error');
      return /publish:s/.test(commands) ? 'S' : /publish:f/.test(commands) ? 'F' : '-';
    });
    expect(seen.join('')).toBe(published);
  });
});

describe('a worker on hold (K-124, K-133)', () => {
  it.each<[string, ProbeKind, AttemptResult]>([
    ['startup after its success', 'startup', 'success'],
    ['startup after its failure', 'startup', 'failure'],
    ['liveness after its failure', 'liveness', 'failure'],
  ])('%s does not probe until a new container comes', (_name, kind, result) => {
    const worker = new Driven(kind, 1, 1);
    worker.turn();
    worker.probed(result);
    expect(worker.state).toBe(`onHold|${result}|0`);
    expect(worker.turn()).toBe('onHold');
    expect(worker.turn({ hasContainer: false })).toBe('noContainer');
    expect(worker.state).toBe(`onHold|${result}|0`);
    expect(worker.turn({ newContainer: true })).toMatch(/^adopt:\w+ attempt probe$/);
  });

  it('is never entered by readiness', () => {
    const worker = new Driven('readiness', 1, 1);
    worker.turn();
    worker.probed('failure');
    expect(worker.state).toBe('waiting.settled|failure|1');
  });

  it('ends at a terminal phase', () => {
    const worker = new Driven('liveness', 1, 1);
    worker.turn();
    worker.probed('failure');
    expect(worker.turn({ terminal: true })).toBe('podTerminated exit');
  });

  it('counters survive a new container: one failure counts on (K-123)', () => {
    const worker = new Driven('liveness', 1, 3);
    for (let i = 0; i < 2; i++) {
      worker.turn();
      worker.probed('failure');
    }
    worker.turn({ newContainer: true });
    expect(worker.probed('failure')).toBe('publish:failure');
  });
});

describe('the table', () => {
  it('a stop ends a waiting worker and one on hold (K-118)', () => {
    const waiting = new Driven('readiness', 1, 3);
    waiting.turn({ hasStatus: false });
    expect(waiting.stop()).toBe('exit');
    const held = new Driven('startup', 1, 1);
    held.turn();
    held.probed('success');
    expect(held.stop()).toBe('exit');
  });

  it('stays small: states times results times counts, however long the worker runs', () => {
    const worker = new Driven('readiness', 2, 5);
    for (let i = 0; i < 400; i++) {
      worker.turn({
        newContainer: i % 17 === 0,
        delayOver: i % 13 !== 0,
        container: i % 11 === 0 ? 'waiting' : 'running',
      });
      if (worker.state.startsWith('probing'))
        worker.probed((['success', 'failure', 'error'] as const)[(i * 7) % 3] as AttemptResult);
    }
    const table = probeWorkerTable({
      kind: 'readiness',
      successThreshold: 2,
      failureThreshold: 5,
      holdsAfterSuccess: true,
    });
    expect(table.size).toBeLessThanOrEqual(10 * 2 * 6);
  });
});
