import { fnv1a64 } from '../../base/hash.ts';
import { later, type Micros, type MicrosSpan, milliseconds, seconds } from '../../base/units.ts';
import { type ApiPod, isPodReady } from '../api/apiPod.ts';
import { Informer } from '../api/informer.ts';
import { isTerminal, type PodCondition, type PodPhase, type PodStatus } from '../api/podStatus.ts';
import { WorkloadClient } from '../controllers/workloads/client.ts';
import { hop, type WorkloadContext } from '../controllers/workloads/context.ts';
import type { Task, Timer } from '../kernel/kernel.ts';
import type { Ref } from '../trace/ref.ts';
import type { AgentBehaviour, AgentsInput } from '../workloadsInput.ts';
import { NodeReporter } from './nodeReporter.ts';
import type { ScriptedNode } from './scriptedNode.ts';

/** What a Pod does for an image that nobody has described: at once, and for ever. */
const PROMPT: AgentBehaviour = {
  start: 0 as MicrosSpan,
  ready: 0 as MicrosSpan,
  spread: 0,
  flaps: [],
  fail: null,
  drain: 0 as MicrosSpan,
};

/** How long a Pod takes to end that does not run yet. */
const NOT_RUNNING_DRAIN = milliseconds(30);

interface Held {
  pod: ApiPod;
  readonly behaviour: AgentBehaviour;
  readonly timers: Timer[];
  phase: PodPhase;
  ready: boolean;
  readonly address: string;
  /** '' until it runs. */
  ip: string;
  isDraining: boolean;
}

/**
 * Stands for a node's kubelet where none runs: writes the statuses of its Pods after lengths that their image gives, and
 * deletes them when they have ended.
 */
export class NodeAgent implements ScriptedNode {
  private readonly context: WorkloadContext;
  private readonly agents: AgentsInput;
  readonly name: string;
  private readonly subnet: string;
  private readonly client: WorkloadClient;
  private readonly held = new Map<string, Held>();
  private readonly reporter: NodeReporter;
  private readonly pods: Informer<'pods'>;
  private isConnected = true;
  private addresses = 1;

  /** `subnet`: its Pods' addresses but for the last part, such as `10.244.0`. */
  constructor(context: WorkloadContext, agents: AgentsInput, node: string, subnet: string) {
    this.context = context;
    this.agents = agents;
    this.name = node;
    this.subnet = subnet;
    this.client = new WorkloadClient(context, `kubelet/${node}`, 'kubelet');
    this.reporter = new NodeReporter(context, agents, node);
    const { kernel, trace, store } = context;
    const nowhere = { component: 'nodeAgent', pod: '', container: '', probe: '' } as const;
    this.pods = new Informer({
      kernel,
      trace,
      store,
      resource: 'pods',
      latency: hop(context, 'watch/kubelet/pods'),
      removalExtra: hop(context, 'watch/removal'),
      listExtra: hop(context, 'listExtra'),
      subject: trace.subjectOf({ ...nowhere, node, object: 'pods' }),
      phase: 'kubelet',
      selects: ({ input }) => input.node === node,
    });
  }

  /** Watches its Pods from now on, and reports for its node once that is there. */
  start(): void {
    this.pods.onEvent(({ key, now, ref }) => {
      if (!this.isConnected) return;
      if (now) this.see(key, now, ref);
      else this.forget(key);
    });
    this.pods.start(() => {});
    this.reporter.start();
  }

  /** The node loses its connection, and with `powerOff` all that runs on it. */
  stop(powerOff: boolean): void {
    this.isConnected = false;
    this.reporter.disconnect();
    if (!powerOff) return;
    for (const key of [...this.held.keys()]) this.forget(key);
  }

  /** The node is back: it sees what happens from now on, and a while later what it has missed. */
  comeBack(ref: Ref): void {
    this.isConnected = true;
    this.reporter.reconnect(ref);
    this.context.kernel.after(this.agents.back.pods, 'kubelet', () => {
      if (this.isConnected) this.lookAtAll(ref);
    });
  }

  /** The kubelet itself finds its node ready or not. */
  setNodeReady(ready: boolean, ref: Ref): void {
    this.reporter.setReady(ready, ref);
  }

  /** What was missed, in the order of a list: Pods that are gone, new ones, deletions, and what could not be written. */
  private lookAtAll(ref: Ref): void {
    for (const key of [...this.held.keys()]) if (!this.pods.get(key)) this.forget(key);
    const pods = [...this.pods.values()].toSorted((a, b) => (a.input.identity < b.input.identity ? -1 : 1));
    for (const pod of pods) {
      const { identity } = pod.input;
      const known = this.held.get(identity);
      const wasDraining = known?.isDraining === true;
      this.see(identity, pod, ref);
      if (known && (wasDraining || !known.isDraining)) this.catchUp(known, pod, ref);
    }
  }

  /** Writes what the API server does not know of a Pod, and takes away one that has ended meanwhile. */
  private catchUp(held: Held, { status }: ApiPod, ref: Ref): void {
    const isOver = held.isDraining && isTerminal(held.phase);
    if (isOver && status.phase === held.phase) this.remove(held, ref);
    else if (isOver) this.context.kernel.start(this.endCalls(held, ref), 'kubelet');
    else if (held.phase !== status.phase || held.ready !== isPodReady(held.pod)) this.write(held, ref);
  }

  /** The Pod becomes ready or not ready, whatever its image says. */
  setReady(identity: string, ready: boolean, ref: Ref): void {
    const held = this.held.get(identity);
    if (held) this.turn(held, ready, ref);
  }

  private see(key: string, pod: ApiPod, ref: Ref): void {
    const known = this.held.get(key);
    if (known) known.pod = pod;
    else this.take(key, pod, ref);
    const held = this.held.get(key);
    if (pod.deletionTimestamp !== null && held && !held.isDraining) this.drain(held, ref);
  }

  private forget(key: string): void {
    const held = this.held.get(key);
    if (held) cancelAll(held);
    this.held.delete(key);
  }

  private take(key: string, pod: ApiPod, ref: Ref): void {
    const behaviour = this.agents.behaviours[pod.input.containers[0]?.image ?? ''] ?? PROMPT;
    const address = pod.status.podIPs[0] ?? `${this.subnet}.${++this.addresses}`;
    const { phase, podIPs } = pod.status;
    const isOver = isTerminal(phase);
    const held: Held = {
      pod,
      behaviour,
      timers: [],
      phase: isOver ? phase : 'Pending',
      ready: false,
      address,
      ip: podIPs[0] ?? '',
      isDraining: false,
    };
    this.held.set(key, held);
    if (!isOver) this.after(held, behaviour.start, () => this.run(held, ref));
  }

  /** It runs, and shows its address from now on. */
  private run(held: Held, ref: Ref): void {
    held.phase = 'Running';
    held.ip = held.address;
    this.context.kernel.start(this.runCalls(held, ref), 'kubelet');
  }

  /** What follows counts from the answer to the first write. */
  private *runCalls(held: Held, ref: Ref): Task<void> {
    yield* this.patch(held, ref);
    if (held.isDraining || isTerminal(held.phase)) return;
    const { ready, spread, fail } = held.behaviour;
    const own = spread > 0 ? Number(fnv1a64(held.pod.input.name) % BigInt(spread)) : 0;
    if (ready !== null) this.after(held, (ready + own) as MicrosSpan, () => this.becomeReady(held, ref));
    if (fail !== null) this.after(held, fail, () => this.end(held, 'Failed', ref));
  }

  private becomeReady(held: Held, ref: Ref): void {
    held.ready = true;
    this.context.kernel.start(this.readyCalls(held, ref), 'kubelet');
  }

  private *readyCalls(held: Held, ref: Ref): Task<void> {
    yield* this.patch(held, ref);
    if (held.isDraining || isTerminal(held.phase)) return;
    this.flap(held, 0, ref);
  }

  /** The changes of readiness one after the other: each counts from the answer to the one before. */
  private flap(held: Held, place: number, ref: Ref): void {
    const { flaps } = held.behaviour;
    const next = flaps[place];
    if (!next) return;
    const wait = (next.at - (flaps[place - 1]?.at ?? 0)) as MicrosSpan;
    this.after(held, wait, () => {
      held.ready = next.ready;
      this.context.kernel.start(this.flapCalls(held, place, ref), 'kubelet');
    });
  }

  private *flapCalls(held: Held, place: number, ref: Ref): Task<void> {
    yield* this.patch(held, ref);
    if (!held.isDraining && !isTerminal(held.phase)) this.flap(held, place + 1, ref);
  }

  private turn(held: Held, ready: boolean, ref: Ref): void {
    held.ready = ready;
    this.write(held, ref);
  }

  private drain(held: Held, ref: Ref): void {
    // Nothing is left to do for a Pod that is taken away at once.
    if (held.pod.deletionGracePeriodSeconds === 0) return;
    held.isDraining = true;
    if (isTerminal(held.phase)) return this.remove(held, ref);
    const grace = seconds(held.pod.deletionGracePeriodSeconds ?? 0);
    const takes = held.phase === 'Running' ? held.behaviour.drain : NOT_RUNNING_DRAIN;
    cancelAll(held);
    this.after(held, Math.min(takes, grace) as MicrosSpan, () => this.end(held, 'Succeeded', ref));
  }

  /** What its image would still do is over, too. */
  private end(held: Held, phase: PodPhase, ref: Ref): void {
    cancelAll(held);
    held.phase = phase;
    held.ready = false;
    this.context.kernel.start(this.endCalls(held, ref), 'kubelet');
  }

  private *endCalls(held: Held, ref: Ref): Task<void> {
    yield* this.patch(held, ref);
    if (held.isDraining) yield* this.removeCalls(held, ref);
  }

  private remove(held: Held, ref: Ref): void {
    this.context.kernel.start(this.removeCalls(held, ref), 'kubelet');
  }

  private *removeCalls(held: Held, ref: Ref): Task<void> {
    yield this.agents.finalDelete;
    if (this.isConnected) yield* this.client.deletePod(held.pod, 0, ref);
  }

  private write(held: Held, ref: Ref): void {
    this.context.kernel.start(this.patch(held, ref), 'kubelet');
  }

  /** Writes the status as it is at the call. */
  private *patch(held: Held, ref: Ref): Task<void> {
    if (!this.isConnected) return;
    const { kernel, wall } = this.context;
    const { phase, ready, ip } = held;
    const skew = this.agents.clockSkew[this.name] ?? 0;
    const now = wall.seconds((kernel.now + skew) as Micros);
    yield* this.client.changePod('patch', 'status', held.pod, ref, (stored) => ({
      ...stored,
      status: statusOf(stored.status, { phase, ready, ip }, now),
    }));
  }

  private after(held: Held, length: MicrosSpan, run: () => void): void {
    const { kernel } = this.context;
    held.timers.push(kernel.at(later(kernel.now, length) as Micros, 'kubelet', run));
  }
}

function cancelAll({ timers }: Held): void {
  for (const timer of timers) timer.cancelled = true;
}

const OWN_CONDITIONS = ['Initialized', 'Ready', 'ContainersReady'] as const;

/** The status with what an agent says. `now`: wall-clock seconds. */
function statusOf(
  before: PodStatus,
  { phase, ready, ip }: { readonly phase: PodPhase; readonly ready: boolean; readonly ip: string },
  now: number,
): PodStatus {
  const conditions = OWN_CONDITIONS.map((type): PodCondition => {
    const status = type === 'Initialized' || ready ? 'True' : 'False';
    const known = before.conditions.find((condition) => condition.type === type);
    return known?.status === status ? known : { type, status, reason: '', message: '', lastTransitionTime: now };
  });
  const others = before.conditions.filter(({ type }) => !OWN_CONDITIONS.some((own) => own === type));
  return { ...before, phase, podIPs: ip ? [ip] : [], conditions: [...conditions, ...others] };
}
