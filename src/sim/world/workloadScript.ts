import { asDisruptionTarget } from '../api/disruptionTarget.ts';
import { keyOf } from '../api/objects.ts';
import { undecided } from '../api/writes.ts';
import { raisesGeneration } from '../controllers/workloads/client.ts';
import type { WorkloadContext } from '../controllers/workloads/context.ts';
import type { Ref } from '../trace/ref.ts';
import type { WorkloadAction } from '../workloadsInput.ts';
import { judgeEviction, paidBudget } from './eviction.ts';
import type { NodeAgent } from './nodeAgent.ts';
import { NodeScript } from './nodeScript.ts';
import type { ScriptedNode } from './scriptedNode.ts';
import { ScriptRequests } from './scriptRequests.ts';

type On<D extends WorkloadAction['do']> = Extract<WorkloadAction, { readonly do: D }>;

/** Plays what somebody does to workloads and nodes. */
export class WorkloadScript {
  private readonly context: WorkloadContext;
  private readonly agents: readonly NodeAgent[];
  private readonly requests: ScriptRequests;
  private readonly nodes: NodeScript;

  /** `agents`: those of `nodes` that stand for kubelets. */
  constructor(context: WorkloadContext, nodes: readonly ScriptedNode[], agents: readonly NodeAgent[]) {
    this.context = context;
    this.agents = agents;
    this.requests = new ScriptRequests(context);
    this.nodes = new NodeScript(context, nodes, this.requests, (pod, ref) => this.tryEviction(pod, ref));
  }

  /** Queues the actions. */
  play(): void {
    const { kernel, workloads } = this.context;
    for (const action of workloads.actions) kernel.at(action.at, 'app', () => this.take(action));
  }

  private take(action: WorkloadAction): void {
    switch (action.do) {
      case 'patch':
        return this.patch(action);
      case 'deletePod':
        return this.deletePod(action);
      case 'evict':
        return this.evict(action);
      case 'setReady':
        return this.setReady(action);
      case 'patchPod':
        return this.patchPod(action);
      case 'refused':
        return this.refused(action);
      default:
        return this.nodes.take(action);
    }
  }

  private patch({ resource, key, spec, note }: On<'patch'>): void {
    const { store } = this.context;
    const name = key.slice(key.indexOf('/') + 1);
    const ref = this.requests.happens('patch', { object: `${resource}/${key}`, detail: note });
    const stored = store.get(resource, key);
    if (!stored) return;
    const next = { ...stored, spec } as typeof stored;
    const raised = raisesGeneration(resource, stored, next) ? 1 : 0;
    this.requests.write({ verb: 'patch', resource, name }, ref, (write) => {
      if (!raised) return false;
      const generation = stored.meta.generation + raised;
      store.put(
        resource,
        key,
        (resourceVersion) => ({ ...next, meta: { ...next.meta, generation, resourceVersion } }),
        write,
      );
      return true;
    });
  }

  private deletePod({ pod: identity, graceSeconds }: On<'deletePod'>): void {
    const { api } = this.context;
    const ref = this.requests.happens('deletePod', { pod: identity });
    const pod = api.get(identity);
    if (!pod) return;
    this.requests.write({ verb: 'delete', resource: 'pods', name: pod.input.name }, ref, (write) => {
      api.delete(identity, graceSeconds, write, true);
      return true;
    });
  }

  private evict({ pod: identity }: On<'evict'>): void {
    const ref = this.requests.happens('evict', { pod: identity });
    for (const { input } of this.context.api.meant(identity)) this.tryEviction(input.identity, ref);
  }

  /** Evicts a Pod if it may be evicted now; false: it was refused (C-014). */
  private tryEviction(identity: string, cause: Ref): boolean {
    const { api, store, trace, kernel, wall } = this.context;
    const pod = api.get(identity);
    if (!pod) return true;
    const { name } = pod.input;
    const { code, budget, why, pays } = judgeEviction(this.context.store.list('poddisruptionbudgets'), pod);
    const basis = JSON.stringify({ ...(budget && { pdb: budget.meta.name }), why });
    const asked = { actor: 'script', verb: 'create', resource: 'pods', subresource: 'eviction', name, basis };
    const payload = { ...undecided({ ...asked, committedAt: kernel.now }), code };
    const ref = trace.event('apiWrite', kernel.now, this.requests.subject, payload, [cause]);
    if (code >= 400) return false;
    if (budget && pays) {
      const paid = paidBudget(this.context, budget, pod);
      this.requests.write(
        { verb: 'update', subresource: 'status', resource: 'poddisruptionbudgets', name: budget.meta.name },
        ref,
        (write) => {
          const stamp = (resourceVersion: number) => ({ ...paid, meta: { ...paid.meta, resourceVersion } });
          store.put('poddisruptionbudgets', keyOf(budget), stamp, write);
          return true;
        },
      );
    }
    this.requests.write({ verb: 'patch', subresource: 'status', resource: 'pods', name }, ref, (write) => {
      const now = wall.seconds(kernel.now);
      api.replace(asDisruptionTarget(pod, 'EvictionByEvictionAPI', 'Eviction API: evicting', now), write);
      return true;
    });
    this.requests.write({ verb: 'delete', resource: 'pods', name }, ref, (write) => {
      const before = api.get(identity);
      api.delete(identity, null, write, true);
      return api.get(identity) !== before;
    });
    return true;
  }

  private setReady({ pod, ready }: On<'setReady'>): void {
    const ref = this.requests.happens('setReady', { pod });
    for (const agent of this.agents) agent.setReady(pod, ready, ref);
  }

  private patchPod({ pod: identity, annotations, labels, note }: On<'patchPod'>): void {
    const pod = this.context.api.get(identity);
    if (!pod) return;
    const { name } = pod.input;
    const ref = this.requests.happens('patchPod', { pod: identity, detail: note });
    this.requests.write({ verb: 'patch', resource: 'pods', name }, ref, (write) => {
      const next = {
        ...pod,
        annotations: { ...pod.annotations, ...annotations },
        labels: { ...pod.labels, ...labels },
      };
      this.context.api.replace(next, write);
      return true;
    });
  }

  private refused({ verb, resource, name, note, code, error }: On<'refused'>): void {
    const ref = this.requests.happens(verb, { object: `${resource}/default/${name}`, detail: note });
    const { trace, kernel } = this.context;
    const asked = { actor: 'script', verb, resource, name, committedAt: kernel.now };
    const payload = { ...undecided(asked), code, error };
    trace.event('apiWrite', kernel.now, this.requests.subject, payload, [ref]);
  }
}
