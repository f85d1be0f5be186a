import type { WorkloadContext } from '../controllers/workloads/context.ts';
import type { NodeMachine } from '../kubelet/nodeMachine.ts';
import type { Ref } from '../trace/ref.ts';
import type { KubeletReportsInput } from '../workloadsInput.ts';
import { KubeletReports, type ReportingNode } from './kubeletReports.ts';
import type { ScriptedNode } from './scriptedNode.ts';

/** A node with a kubelet, which tells the API server of it while its process runs. */
export class KubeletNode implements ScriptedNode {
  private readonly context: WorkloadContext;
  private readonly input: KubeletReportsInput;
  private readonly machine: NodeMachine;
  private reports: KubeletReports | null = null;
  private isReady = true;

  constructor(context: WorkloadContext, input: KubeletReportsInput, machine: NodeMachine) {
    this.context = context;
    this.input = input;
    this.machine = machine;
  }

  get name(): string {
    return this.machine.node;
  }

  /** Follows the kubelet's processes from now on. */
  start(): void {
    this.machine.onProcess = (isRunning) => {
      this.reports?.stop();
      this.reports = null;
      if (isRunning) this.report(true);
    };
    if (this.machine.isRunning) this.report(false);
  }

  /** Its power goes off, whatever `powerOff` says: what only cuts a node off has an end of its own (`cutNode`). */
  stop(_powerOff: boolean, ref: Ref): void {
    this.machine.powerOff(ref);
  }

  comeBack(): void {
    this.machine.powerOn();
  }

  setNodeReady(ready: boolean): void {
    this.isReady = ready;
  }

  private report(isNew: boolean): void {
    const about: ReportingNode = {
      node: this.name,
      reachesApi: () => this.machine.reachesApi(),
      isReady: () => this.isReady && this.machine.networkReady(),
    };
    this.reports = new KubeletReports(this.context, this.input, about);
    this.reports.start(isNew);
  }
}
