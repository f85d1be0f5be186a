import {
  type AnyStateMachine,
  type EventFromLogic,
  type ExecutableActionsFrom,
  type InputFrom,
  initialTransition,
  type SnapshotFrom,
  transition,
} from 'xstate';

/** A command that a step of the machine hands to the kernel: the name of its action, and the parameters. */
export interface Command {
  readonly type: string;
  readonly params: unknown;
}

/** One edge of the table. */
export interface Step {
  readonly node: number;
  readonly commands: readonly Command[];
}

/**
 * An XState machine stepped by look-up. Every (state value, context) becomes a small integer, its node; `next[node][event]`
 * is asked of XState once and remembered. Worth it because a pure `transition` costs about 15 µs; possible because
 * context holds no time, id or name, and so stays finite.
 */
export class MachineTable<M extends AnyStateMachine> {
  private readonly machine: M;
  private readonly snapshots: SnapshotFrom<M>[] = [];
  private readonly keys = new Map<string, number>();
  private readonly next: (Step | undefined)[][] = [];
  private readonly describe: (snapshot: SnapshotFrom<M>) => string;
  private readonly labels: string[] = [];
  readonly initial: Step;

  /** `describe` gives a node's text for the trace; it must differ between nodes. */
  constructor(machine: M, input: InputFrom<M>, describe: (snapshot: SnapshotFrom<M>) => string) {
    this.machine = machine;
    this.describe = describe;
    const [snapshot, actions] = initialTransition(machine, input);
    this.initial = { node: this.intern(snapshot), commands: commandsOf(actions) };
  }

  /** Follows the edge of `event`; `eventNumber` is the event's own small integer, the same for equal events. */
  step(node: number, eventNumber: number, event: () => EventFromLogic<M>): Step {
    const row = this.next[node] as (Step | undefined)[];
    const known = row[eventNumber];
    if (known) return known;
    const [snapshot, actions] = transition(this.machine, this.snapshots[node] as SnapshotFrom<M>, event());
    const made: Step = { node: this.intern(snapshot), commands: commandsOf(actions) };
    row[eventNumber] = made;
    return made;
  }

  /** The text that `describe` gave the node. */
  label(node: number): string {
    return this.labels[node] as string;
  }

  /** Number of nodes met so far. */
  get size(): number {
    return this.snapshots.length;
  }

  private intern(snapshot: SnapshotFrom<M>): number {
    const key = this.describe(snapshot);
    const known = this.keys.get(key);
    if (known !== undefined) return known;
    const node = this.snapshots.length;
    this.keys.set(key, node);
    this.snapshots.push(snapshot);
    this.labels.push(key);
    this.next.push([]);
    return node;
  }
}

const commandsOf = <M extends AnyStateMachine>(actions: readonly ExecutableActionsFrom<M>[]): readonly Command[] =>
  actions.filter((action) => !action.type.startsWith('xstate.')).map(({ type, params }) => ({ type, params }));
