import type { FrontendRules } from '../client/client.ts';
import type { ProxyInput } from '../clusterInput.ts';
import type { ClusterContext } from '../controllers/context.ts';

/** One node's kube-proxy. */
export class KubeProxy {
  private readonly context: ClusterContext;
  readonly input: ProxyInput;

  /** `place`: among the scenario's proxies; it lengthens the watch latency. */
  constructor(context: ClusterContext, input: ProxyInput, _place: number) {
    this.context = context;
    this.input = input;
  }

  /** What a new connection to `frontend` (`ip:port/proto`, `nodePort:n/proto`) meets now; null when no rule names it. */
  frontendRules(_frontend: string): FrontendRules | null {
    return null;
  }

  /** The process starts now. */
  start(): void {
    this.context.kernel.post('proxy', () => {});
  }
}
