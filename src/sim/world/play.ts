import type { ApiPod } from '../api/apiPod.ts';
import type { ApiServer } from '../api/apiServer.ts';
import type { Labels } from '../api/objects.ts';
import type { Scheduler } from '../kernel/kernel.ts';
import type { NodeMachine } from '../kubelet/nodeMachine.ts';
import type { Action, PodInput, Scenario } from '../scenario.ts';
import type { Ref } from '../trace/ref.ts';
import type { TraceWriter } from '../trace/writer.ts';

interface World {
  readonly kernel: Scheduler;
  readonly trace: TraceWriter;
  readonly api: ApiServer;
  readonly machines: readonly NodeMachine[];
}

/** Queues everything that comes from outside: Pods that appear, and the scenario's actions. */
export function playWorld({ pods, actions }: Scenario, world: World): void {
  const { kernel, api, machines } = world;
  const happens = (action: string, pod: string, detail: string): Ref => {
    const subject = world.trace.subjectOf({ component: 'world', node: '', pod, container: '', probe: '', object: '' });
    return world.trace.event('action', kernel.now, subject, { action, detail });
  };
  const machineOf = (node: string): NodeMachine | undefined => machines.find((machine) => machine.node === node);
  for (const pod of pods) {
    kernel.at(pod.createdAt, 'app', () => {
      if (pod.isStatic) machineOf(pod.node)?.addStaticPod(pod, happens('addStaticPod', pod.identity, ''));
      else api.create(pod, happens('createPod', pod.identity, ''));
    });
  }
  for (const action of actions) kernel.at(action.at, 'app', () => take(action));

  function take(action: Action): void {
    if ('node' in action) return takeOnNode(action);
    for (const pod of meant(action.pod)) takeOnPod(action, pod);
  }

  /** The Pod of an identity; each Pod that there is of a workload's. */
  function meant(identity: string): readonly PodInput[] {
    const pod = pods.find((one) => one.identity === identity);
    return pod ? [pod] : api.meant(identity).map(({ input }) => input);
  }

  function takeOnNode(action: Extract<Action, { readonly node: string }>): void {
    const { node } = action;
    const subject = world.trace.subjectOf({ component: 'world', node, pod: '', container: '', probe: '', object: '' });
    world.trace.event('action', kernel.now, subject, { action: action.do, detail: '' });
    const machine = machineOf(node);
    switch (action.do) {
      case 'restartKubelet':
        return machine?.restartKubelet(action.down);
      case 'cutNode':
        return machine?.cutNode(action.lasts);
      case 'cutApi':
        return machine?.cutApi(action.lasts);
      case 'refuseWrites':
        return machine?.refuseWrites(action.lasts);
      case 'cutPodNetwork':
        return machine?.cutPodNetwork(action.lasts);
    }
  }

  function takeOnPod(action: Extract<Action, { readonly pod: string }>, pod: PodInput): void {
    const { identity } = pod;
    if (action.do === 'removeStaticPod') {
      machineOf(pod.node)?.removeStaticPod(pod, happens(action.do, identity, ''));
      return;
    }
    if (action.do === 'evictPod') {
      const ref = happens(action.do, identity, String(action.graceSeconds));
      machineOf(pod.node)?.evictPod(pod, action.graceSeconds, ref);
      return;
    }
    if (action.do === 'crash') {
      const { container, exitCode } = action;
      machineOf(pod.node)?.crash(pod, container, exitCode, happens(action.do, identity, container));
      return;
    }
    const stored = api.get(identity);
    switch (action.do) {
      case 'deletePod': {
        const grace = stored
          ? api.graceOf(stored, action.graceSeconds)
          : (action.graceSeconds ?? pod.terminationGracePeriodSeconds);
        return api.delete(identity, grace, happens(action.do, identity, String(grace)));
      }
      case 'patchCondition': {
        const ref = happens(action.do, identity, `${action.condition}=${action.status}`);
        return api.patchCondition(identity, action.condition, action.status, ref);
      }
      case 'labelPod':
        return api.setLabels(identity, labelled(stored, action.labels), happens(action.do, identity, ''));
    }
  }
}

/** The Pod's labels with those added. */
const labelled = (pod: ApiPod | undefined, added: Labels): Labels => ({
  ...pod?.labels,
  ...(Object.keys(added).length > 0 ? added : { touched: String(pod?.resourceVersion) }),
});
