import { microsSpan, seconds } from '../../base/units.ts';
import type { NodeObject } from '../api/objects.ts';
import type { WorkloadContext } from '../controllers/workloads/context.ts';
import type { Task } from '../kernel/kernel.ts';
import type { Ref } from '../trace/ref.ts';
import type { NodeAction } from '../workloadsInput.ts';
import type { ScriptedNode } from './scriptedNode.ts';
import type { ScriptRequests } from './scriptRequests.ts';

/** From one eviction of a drain to the next, and from a refusal to the next attempt. */
const DRAIN_STEP = microsSpan(7300);
const DRAIN_RETRY = seconds(5);

/** Plays what somebody does to nodes. */
export class NodeScript {
  private readonly context: WorkloadContext;
  private readonly nodes: readonly ScriptedNode[];
  private readonly requests: ScriptRequests;
  /** Evicts a Pod (identity); false: it was refused. */
  private readonly evict: (pod: string, ref: Ref) => boolean;

  constructor(
    context: WorkloadContext,
    nodes: readonly ScriptedNode[],
    requests: ScriptRequests,
    evict: (pod: string, ref: Ref) => boolean,
  ) {
    this.context = context;
    this.nodes = nodes;
    this.requests = requests;
    this.evict = evict;
  }

  take(action: NodeAction): void {
    const { node } = action;
    const scripted = this.nodes.find(({ name }) => name === node);
    if (action.do === 'patchNode') return this.patch(action);
    const detail = 'note' in action ? action.note : '';
    const ref = this.requests.happens(action.do, { node, detail });
    switch (action.do) {
      case 'stopNode':
        return scripted?.stop(action.powerOff, ref);
      case 'startNode':
        return scripted?.comeBack(ref);
      case 'nodeReady':
        return scripted?.setNodeReady(action.ready, ref);
      case 'addTaint':
        return this.edit(node, ref, ({ taints }) => ({ taints: [...taints, action.taint] }));
      case 'removeTaint': {
        const { key, effect } = action.taint;
        const isOther = (one: NodeObject['taints'][number]): boolean => one.key !== key || one.effect !== effect;
        return this.edit(node, ref, ({ taints }) => ({ taints: taints.filter(isOther) }));
      }
      case 'deleteNode':
        return this.remove(node, ref);
      case 'drain':
        return this.drain(node, ref);
    }
  }

  private patch({ node, note, unschedulable, taints }: Extract<NodeAction, { readonly do: 'patchNode' }>): void {
    const ref = this.requests.happens('patch', { object: `nodes/${node}`, detail: note });
    this.edit(node, ref, (stored) => ({
      unschedulable: unschedulable ?? stored.unschedulable,
      taints: taints ?? stored.taints,
    }));
  }

  private edit(name: string, ref: Ref, change: (node: NodeObject) => Partial<NodeObject>): void {
    const { store } = this.context;
    const stored = store.get('nodes', name);
    if (!stored) return;
    const next = { ...stored, ...change(stored) };
    this.requests.write({ verb: 'patch', resource: 'nodes', name }, ref, (write) => {
      store.put('nodes', name, (resourceVersion) => ({ ...next, meta: { ...next.meta, resourceVersion } }), write);
      return true;
    });
  }

  private remove(name: string, ref: Ref): void {
    this.requests.write({ verb: 'delete', resource: 'nodes', name }, ref, (write) =>
      this.context.store.remove('nodes', name, write),
    );
  }

  /** Cordons the node and evicts its Pods one after the other, but for static ones and those of DaemonSets. */
  private drain(node: string, ref: Ref): void {
    const { store, kernel } = this.context;
    this.edit(node, ref, () => ({ unschedulable: true }));
    const pods = store
      .list('pods')
      .filter(({ input }) => input.node === node && !input.isStatic && input.owner?.kind !== 'DaemonSet')
      .map(({ input }) => input.identity)
      .sort();
    pods.forEach((pod, place) => {
      const wait = microsSpan((place + 1) * DRAIN_STEP);
      kernel.after(wait, 'app', () => kernel.start(this.evictAtLast(pod, ref), 'app'));
    });
  }

  private *evictAtLast(pod: string, ref: Ref): Task<void> {
    while (!this.evict(pod, ref)) yield DRAIN_RETRY;
  }
}
