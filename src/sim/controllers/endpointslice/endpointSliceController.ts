import type { ClusterContext } from '../context.ts';

export class EndpointSliceController {
  private readonly context: ClusterContext;

  constructor(context: ClusterContext) {
    this.context = context;
  }

  /** Its caches begin to fill now. */
  start(): void {
    this.context.kernel.post('controller', () => {});
  }
}
