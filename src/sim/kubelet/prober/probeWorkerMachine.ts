import { assign, type SnapshotFrom, setup } from 'xstate';
import { MachineTable, type Step } from '../../kernel/machineTable.ts';
import type { ProbeKind } from '../../scenario.ts';

export type ProbeResult = 'success' | 'failure' | 'unknown';
export type AttemptResult = 'success' | 'failure' | 'error';
/** What a turn came to, in the words of the recordings. */
export type TurnOutcome =
  | 'attempt'
  | 'onHold'
  | 'noStatus'
  | 'noContainer'
  | 'notRunning'
  | 'podTerminated'
  | 'deletionRequested'
  | 'skipped';

/** State of the container in the cached status; the last two are a terminated one that the restart rule revives or not. */
export type ContainerCondition = 'running' | 'waiting' | 'ended' | 'endedForGood';
const CONTAINER_CONDITIONS: readonly ContainerCondition[] = ['running', 'waiting', 'ended', 'endedForGood'];

/** What a turn finds in the status manager's cache, as the booleans that doProbe asks for. */
export interface TurnFacts {
  readonly hasStatus: boolean;
  /** Cached phase Succeeded or Failed. */
  readonly terminal: boolean;
  readonly hasContainer: boolean;
  /** The container id differs from the worker's. */
  readonly newContainer: boolean;
  /** The container is older than the kubelet: its result is not set to the initial value (K-123). */
  readonly isOld: boolean;
  /** A sidecar that has started already, seen by its startup worker: counts as a success first (K-123). */
  readonly isStartedSidecar: boolean;
  readonly container: ContainerCondition;
  /** deletionTimestamp in the worker's own copy of the Pod. */
  readonly deletionRequested: boolean;
  readonly delayOver: boolean;
  readonly started: boolean;
}

type Event = ({ type: 'TURN' } & TurnFacts) | { type: 'PROBED'; result: AttemptResult } | { type: 'STOP' };

interface Input {
  readonly kind: ProbeKind;
  readonly successThreshold: number;
  readonly failureThreshold: number;
  /** Whether startup holds after its success too (K-133; since about 1.28). */
  readonly holdsAfterSuccess: boolean;
}
interface Context extends Input {
  readonly lastResult: 'success' | 'failure';
  /** Stops where no rule can tell any more: K-131 asks only `<`. Keeps the chart finite. */
  readonly resultRun: number;
}

const INITIAL_RESULT: Readonly<Record<ProbeKind, ProbeResult>> = {
  readiness: 'failure',
  liveness: 'success',
  startup: 'unknown',
};

const runAfter = (context: Context, result: AttemptResult): number =>
  context.lastResult === result
    ? Math.min(context.resultRun + 1, Math.max(context.successThreshold, context.failureThreshold))
    : 1;
const crosses = (context: Context, result: AttemptResult): boolean =>
  runAfter(context, result) >= (result === 'failure' ? context.failureThreshold : context.successThreshold);

const isTurn = (event: Event, test: (facts: TurnFacts) => boolean): boolean => event.type === 'TURN' && test(event);
const resultOf = (event: Event): AttemptResult => (event.type === 'PROBED' ? event.result : 'error');

/** What the result of a new container is set to, one after the other. */
function firstResults(context: Context, event: Event): readonly ProbeResult[] {
  if (event.type !== 'TURN') return [];
  const seed: readonly ProbeResult[] = context.kind === 'startup' && event.isStartedSidecar ? ['success'] : [];
  return event.isOld ? seed : [...seed, INITIAL_RESULT[context.kind]];
}

/** K-123: a container not seen before; its result starts anew, and a hold ends. */
const ADOPT = {
  type: 'adopt',
  params: ({ context, event }: { readonly context: Context; readonly event: Event }) => ({
    results: firstResults(context, event),
  }),
} as const;
/** Every turn first looks whether the container is a new one. */
const TAKE_TURN = [
  { guard: 'newContainer', target: 'deciding', actions: ADOPT, description: 'K-123' },
  { target: 'deciding', description: 'K-117' },
] as const;
/** K-132. Only after a success or failure. */
const PUBLISH_PROBED = {
  type: 'publish',
  params: ({ event }: { readonly event: Event }) => ({ result: resultOf(event) as 'success' | 'failure' }),
} as const;
const report = (outcome: TurnOutcome) => ({ type: 'report', params: { outcome } }) as const;
const publish = (result: ProbeResult) => ({ type: 'publish', params: { result } }) as const;

/**
 * One worker of the prober manager: startup, readiness and liveness alike.
 *
 * Holds no time, id or name: the kernel decides when a turn comes and what it finds, and carries out the named commands
 * (`report`, `adopt`, `probe`, `publish`, `exit`). `deciding` is the ladder of doProbe; it is left at once.
 *
 * Source: pkg/kubelet/prober/worker.go, run and doProbe (K-112, K-117 to K-133); pkg/kubelet/prober/prober_manager.go.
 * Left out: a panic (K-134).
 */
export const probeWorkerMachine = setup({
  types: { context: {} as Context, input: {} as Input, events: {} as Event },
  guards: {
    noStatus: ({ event }) => isTurn(event, (facts) => !facts.hasStatus),
    podTerminated: ({ event }) => isTurn(event, (facts) => facts.terminal),
    noContainer: ({ event }) => isTurn(event, (facts) => !facts.hasContainer),
    newContainer: ({ event }) => isTurn(event, (facts) => facts.newContainer),
    endedForGood: ({ event }) => isTurn(event, (facts) => facts.container === 'endedForGood'),
    notRunning: ({ event }) => isTurn(event, (facts) => facts.container !== 'running'),
    deletionRequested: ({ context, event }) =>
      context.kind !== 'readiness' && isTurn(event, (facts) => facts.deletionRequested),
    delayNotOver: ({ event }) => isTurn(event, (facts) => !facts.delayOver),
    gatedByStartup: ({ context, event }) => isTurn(event, (facts) => facts.started === (context.kind === 'startup')),
    proberError: ({ event }) => resultOf(event) === 'error',
    crossesAndHolds: ({ context, event }) =>
      crosses(context, resultOf(event)) &&
      (resultOf(event) === 'failure'
        ? context.kind !== 'readiness'
        : context.kind === 'startup' && context.holdsAfterSuccess),
    crosses: ({ context, event }) => crosses(context, resultOf(event)),
  },
  actions: {
    count: assign(({ context, event }) => {
      const result = resultOf(event);
      return result === 'error' ? {} : { lastResult: result, resultRun: runAfter(context, result) };
    }),
    resetRun: assign({ resultRun: 0 }),
    report: (_, _params: { readonly outcome: TurnOutcome }) => {},
    adopt: (_, _params: { readonly results: readonly ProbeResult[] }) => {},
    probe: () => {},
    publish: (_, _params: { readonly result: ProbeResult }) => {},
    exit: () => {},
  },
}).createMachine({
  id: 'probeWorker',
  context: ({ input }) => ({ ...input, lastResult: 'success', resultRun: 0 }),
  initial: 'startSleep',
  states: {
    startSleep: {
      description: 'K-116: a worker younger than its period first sleeps a random part of it.',
      on: { TURN: TAKE_TURN },
    },
    waiting: {
      description: 'Waits for a tick or a manual trigger (K-117). Named after what the last turn came to.',
      initial: 'settled',
      states: {
        noStatus: { description: 'K-120: the status manager does not know the Pod yet.' },
        noContainer: { description: 'K-122: the cached status has no id for the container.' },
        notRunning: { description: 'K-125: the container is not running, and may run again.' },
        delayed: { description: 'K-127: initialDelaySeconds is not over.' },
        gated: { description: 'K-128: startup is done, or startup is not done and this is another probe.' },
        settled: { description: 'K-129 to K-132: the last turn probed.' },
      },
      on: {
        TURN: TAKE_TURN,
        STOP: { target: 'stopped', description: 'K-118' },
      },
    },
    deciding: {
      description: 'doProbe, the first match wins; left at once.',
      always: [
        { guard: 'noStatus', target: 'waiting.noStatus', actions: report('noStatus'), description: 'K-120' },
        { guard: 'podTerminated', target: 'stopped', actions: report('podTerminated'), description: 'K-121' },
        { guard: 'noContainer', target: 'waiting.noContainer', actions: report('noContainer'), description: 'K-122' },
        {
          guard: 'endedForGood',
          target: 'stopped',
          actions: [report('notRunning'), publish('failure')],
          description: 'K-125: ended, and the restart rule says no',
        },
        {
          guard: 'notRunning',
          target: 'waiting.notRunning',
          actions: [report('notRunning'), publish('failure')],
          description: 'K-125',
        },
        {
          guard: 'deletionRequested',
          target: 'stopped',
          actions: [report('deletionRequested'), publish('success')],
          description: 'K-126',
        },
        { guard: 'delayNotOver', target: 'waiting.delayed', actions: report('skipped'), description: 'K-127' },
        { guard: 'gatedByStartup', target: 'waiting.gated', actions: report('skipped'), description: 'K-128' },
        {
          target: 'probing',
          actions: [report('attempt'), { type: 'probe' }],
          description: 'K-129: nothing stands against it',
        },
      ],
    },
    probing: {
      description: 'The prober runs, up to three tries (K-135). A stop waits until it is done (K-115).',
      on: {
        PROBED: [
          { guard: 'proberError', target: 'waiting.settled', description: 'K-129: nothing changes' },
          {
            guard: 'crossesAndHolds',
            target: 'onHold',
            actions: ['count', PUBLISH_PROBED, 'resetRun'],
            description: 'K-130 to K-133',
          },
          {
            guard: 'crosses',
            target: 'waiting.settled',
            actions: ['count', PUBLISH_PROBED],
            description: 'K-130 to K-132',
          },
          { target: 'waiting.settled', actions: 'count', description: 'K-131: below the threshold' },
        ],
      },
    },
    onHold: {
      description: 'K-133: startup has its verdict, or liveness has failed: no probing until a new container (K-124).',
      on: {
        TURN: [
          { guard: 'noStatus', actions: report('noStatus'), description: 'K-120' },
          { guard: 'podTerminated', target: 'stopped', actions: report('podTerminated'), description: 'K-121' },
          { guard: 'noContainer', actions: report('noContainer'), description: 'K-122' },
          TAKE_TURN[0],
          { actions: report('onHold'), description: 'K-124' },
        ],
        STOP: { target: 'stopped', description: 'K-118' },
      },
    },
    stopped: { type: 'final', entry: 'exit', description: 'K-118' },
  },
});

type Snapshot = SnapshotFrom<typeof probeWorkerMachine>;

/** `state|lastResult|resultRun`, as the trace keeps it. */
const describe = ({ value, context }: Snapshot): string =>
  `${typeof value === 'string' ? value : `waiting.${value.waiting}`}|${context.lastResult}|${context.resultRun}`;

const tables = new Map<string, MachineTable<typeof probeWorkerMachine>>();

/** The table of all workers with these thresholds; made once. */
export function probeWorkerTable(input: Input): MachineTable<typeof probeWorkerMachine> {
  const { kind, successThreshold, failureThreshold, holdsAfterSuccess } = input;
  const key = `${kind}/${successThreshold}/${failureThreshold}/${holdsAfterSuccess}`;
  let table = tables.get(key);
  if (!table) {
    table = new MachineTable(probeWorkerMachine, input, describe);
    tables.set(key, table);
  }
  return table;
}

/** Steps the worker by a turn that finds `facts`. */
export function stepTurn(table: MachineTable<typeof probeWorkerMachine>, node: number, facts: TurnFacts): Step {
  return table.step(node, turnNumber(facts), () => ({ type: 'TURN', ...facts }));
}

const PROBED_NUMBER: Readonly<Record<AttemptResult, number>> = { success: 2048, failure: 2049, error: 2050 };

/** Steps the worker by the end of its attempt. */
export function stepProbed(table: MachineTable<typeof probeWorkerMachine>, node: number, result: AttemptResult): Step {
  return table.step(node, PROBED_NUMBER[result], () => ({ type: 'PROBED', result }));
}

/** Steps the worker by a stop that it has read (K-115). */
export function stepStop(table: MachineTable<typeof probeWorkerMachine>, node: number): Step {
  return table.step(node, 2051, () => ({ type: 'STOP' }));
}

/** Eleven bits: equal facts, equal number. */
const turnNumber = (facts: TurnFacts): number =>
  CONTAINER_CONDITIONS.indexOf(facts.container) |
  (facts.hasStatus ? 4 : 0) |
  (facts.terminal ? 8 : 0) |
  (facts.hasContainer ? 16 : 0) |
  (facts.newContainer ? 32 : 0) |
  (facts.deletionRequested ? 64 : 0) |
  (facts.delayOver ? 128 : 0) |
  (facts.started ? 256 : 0) |
  (facts.isOld ? 512 : 0) |
  (facts.isStartedSidecar ? 1024 : 0);

/** A command of the machine, typed. */
export type ProbeCommand =
  | { readonly type: 'report'; readonly params: { readonly outcome: TurnOutcome } }
  | { readonly type: 'adopt'; readonly params: { readonly results: readonly ProbeResult[] } }
  | { readonly type: 'publish'; readonly params: { readonly result: ProbeResult } }
  | { readonly type: 'probe' | 'exit' };

/** The commands of a step of this machine. */
export const probeCommands = (step: Step): readonly ProbeCommand[] => step.commands as readonly ProbeCommand[];
