/** What happened to each container and to each probe worker, put together from a run's events. */
import type { PodInput } from '../../src/sim/scenario.ts';
import type { TraceEvent } from '../../src/sim/trace/reader.ts';
import type { Observation } from './observation.ts';

/** One container from its creation to its end. Instants are µs; Infinity while it has not happened. */
export interface Instance {
  readonly pod: PodInput;
  readonly name: string;
  readonly id: string;
  readonly attempt: number;
  readonly created: TraceEvent<'createContainer'>;
  /** The real start: the end of the start call. */
  startedAt: number;
  exitedAt: number;
  exitCode: number;
  /** script | sigterm | sigkill; empty while it runs. */
  exitCause: string;
}

export function instancesOf(run: Observation): readonly Instance[] {
  const instances: Instance[] = run.of('createContainer').map((created) => ({
    pod: run.pod(created.subject.pod),
    name: created.subject.container,
    id: created.payload.id,
    attempt: created.payload.attempt,
    created,
    startedAt: Number.POSITIVE_INFINITY,
    exitedAt: Number.POSITIVE_INFINITY,
    exitCode: 0,
    exitCause: '',
  }));
  for (const start of run.of('startContainer')) {
    const started = instances.find(({ id }) => id === start.payload.id);
    if (started) started.startedAt = start.end;
  }
  for (const exit of run.of('containerExit')) {
    const ended = instances.find(
      ({ pod, name, attempt, startedAt, exitedAt }) =>
        pod.identity === exit.subject.pod &&
        name === exit.subject.container &&
        attempt === exit.payload.attempt &&
        startedAt <= exit.at &&
        exitedAt > exit.at,
    );
    if (!ended) throw new Error(`the exit at ${exit.at} belongs to no container`);
    ended.exitedAt = exit.at;
    ended.exitCode = exit.payload.exitCode;
    ended.exitCause = exit.payload.cause;
  }
  return instances;
}

export const runsAt = ({ startedAt, exitedAt }: Instance, at: number): boolean => startedAt <= at && at < exitedAt;

/** Whether a pass stopped that container, be it dead or alive. */
export function isStoppedBy(run: Observation, { pod, name, attempt }: Instance, pass: TraceEvent | null): boolean {
  return run
    .of('stopContainer')
    .some(
      (stop) =>
        stop.subject.pod === pod.identity &&
        stop.subject.container === name &&
        stop.payload.attempt === attempt &&
        run.ancestor(stop, 'syncPod')?.ref.row === pass?.ref.row,
    );
}

/** One probe worker from AddPod to its exit, or to the end of its kubelet process. */
export interface WorkerLife {
  readonly pod: PodInput;
  readonly container: string;
  readonly probe: 'startup' | 'readiness' | 'liveness';
  readonly added: TraceEvent<'workerAdded'>;
  exited: TraceEvent<'workerExited'> | null;
  readonly turns: TraceEvent<'probeRun'>[];
}

export function workerLivesOf(run: Observation): readonly WorkerLife[] {
  const lives: WorkerLife[] = [];
  const present = new Map<number, WorkerLife>();
  for (const event of run.events) {
    const life = present.get(event.subjectIndex);
    if (event.kind === 'workerAdded') {
      const { pod, container, probe } = event.subject;
      const made: WorkerLife = {
        pod: run.pod(pod),
        container,
        probe: probe as WorkerLife['probe'],
        added: event,
        exited: null,
        turns: [],
      };
      lives.push(made);
      present.set(event.subjectIndex, made);
    } else if (event.kind === 'workerExited' && life) life.exited = event;
    else if (event.kind === 'probeRun' && life) life.turns.push(event);
  }
  return lives;
}
