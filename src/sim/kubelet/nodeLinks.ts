import type { Micros } from '../../base/units.ts';

/** What a node reaches: the API server, and the network of its Pods (K-003). Cuts may overlap; the latest end counts. */
export class NodeLinks {
  private apiBack = 0;
  private networkBack = 0;
  private writesBack = 0;
  private reachableFrom = 0;

  cutApi(until: Micros): void {
    this.apiBack = Math.max(this.apiBack, until);
  }

  refuseWrites(until: Micros): void {
    this.writesBack = Math.max(this.writesBack, until);
  }

  /** The node reaches nobody, and nobody reaches it. */
  cutNode(until: Micros): void {
    this.cutApi(until);
    this.reachableFrom = Math.max(this.reachableFrom, until);
  }

  /** Whether what runs on the node can be reached from others. */
  nodeReachable(t: Micros): boolean {
    return t >= this.reachableFrom;
  }

  cutPodNetwork(until: Micros): void {
    this.networkBack = Math.max(this.networkBack, until);
  }

  apiReachable(t: Micros): boolean {
    return t >= this.apiBack;
  }

  /** Whether the API server takes what the kubelet writes. */
  writesTaken(t: Micros): boolean {
    return t >= this.writesBack;
  }

  networkReady(t: Micros): boolean {
    return t >= this.networkBack;
  }

  /** When a watch event that was committed at `t`, or a list that is asked for then, can set out, µs. */
  watchOpen(t: Micros): Micros {
    return Math.max(t, this.apiBack) as Micros;
  }
}
