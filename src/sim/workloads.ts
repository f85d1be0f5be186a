import type { ApiServer } from './api/apiServer.ts';
import type { ClusterContext } from './controllers/context.ts';
import { DaemonSetController } from './controllers/daemonset/daemonSetController.ts';
import { DeploymentController } from './controllers/deployment/deploymentController.ts';
import { DisruptionController } from './controllers/disruption/disruptionController.ts';
import { NodeLifecycleController } from './controllers/nodelifecycle/nodeLifecycleController.ts';
import { PodGcController } from './controllers/podgc/podGcController.ts';
import { ReplicaSetController } from './controllers/replicaset/replicaSetController.ts';
import { StatefulSetController } from './controllers/statefulset/statefulSetController.ts';
import { TaintEvictionController } from './controllers/tainteviction/taintEvictionController.ts';
import type { WorkloadContext } from './controllers/workloads/context.ts';
import { PodNames } from './controllers/workloads/names.ts';
import { behaviourOf } from './kubelet/behaviour.ts';
import type { NodeMachine } from './kubelet/nodeMachine.ts';
import { SimpleScheduler } from './scheduler/scheduler.ts';
import type { WorkloadController, WorkloadsInput } from './workloadsInput.ts';
import { KubeletNode } from './world/kubeletNode.ts';
import { NodeAgent } from './world/nodeAgent.ts';
import { WorkloadScript } from './world/workloadScript.ts';

/** Starts the controllers of workloads and nodes, the scheduler, and what stands for kubelets or reports for them. */
export function startWorkloads(
  cluster: ClusterContext,
  api: ApiServer,
  machines: readonly NodeMachine[],
  workloads: WorkloadsInput,
): void {
  const { kernel, input, draws } = cluster;
  const names = new PodNames(workloads, draws, kernel);
  const context: WorkloadContext = { ...cluster, api, workloads, names, behaviour: behaviourOf(`1.${cluster.minor}`) };
  const { agents: given } = workloads;
  const agents = given ? given.nodes.map((node, place) => new NodeAgent(context, given, node, `10.244.${place}`)) : [];
  const kubelets = given ? [] : machines.map((machine) => new KubeletNode(context, workloads.reports, machine));
  new WorkloadScript(context, given ? agents : kubelets, agents).play();
  kernel.at(input.start, 'controller', () => {
    for (const controller of workloads.running) CONTROLLERS[controller]?.(context);
    new SimpleScheduler(context).start();
  });
  kernel.at(input.start, 'kubelet', () => {
    for (const node of [...agents, ...kubelets]) node.start();
  });
}

const CONTROLLERS: Readonly<Partial<Record<WorkloadController, (context: WorkloadContext) => void>>> = {
  deployment: (context) => new DeploymentController(context).start(),
  replicaset: (context) => new ReplicaSetController(context).start(),
  statefulset: (context) => new StatefulSetController(context).start(),
  daemonset: (context) => new DaemonSetController(context).start(),
  nodelifecycle: (context) => new NodeLifecycleController(context).start(),
  tainteviction: (context) => new TaintEvictionController(context).start(),
  podgc: (context) => new PodGcController(context).start(),
  disruption: (context) => new DisruptionController(context).start(),
};
