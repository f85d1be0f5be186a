import type { ApiServer } from '../api/apiServer.ts';
import { keyOf } from '../api/objects.ts';
import type { ScriptedWrite, StoredInput } from '../clusterInput.ts';
import type { ClusterContext } from '../controllers/context.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';

/** Plays what a script writes to the API server: objects, and the status of Pods that no kubelet runs. */
export class Script {
  private readonly context: ClusterContext;
  private readonly api: ApiServer;

  constructor(context: ClusterContext, api: ApiServer) {
    this.context = context;
    this.api = api;
  }

  /** Stores what exists from the start, and queues the writes. */
  play(): void {
    const { kernel, input } = this.context;
    for (const stored of input.existing) this.store(stored, NO_REF);
    for (const write of input.writes) kernel.at(write.at, 'app', () => this.take(write));
  }

  private take(write: ScriptedWrite): void {
    const ref = this.happens(write);
    switch (write.do) {
      case 'create':
      case 'replace':
        return this.store(write.stored, ref);
      default:
        return;
    }
  }

  private store(stored: StoredInput, ref: Ref): void {
    if (stored.resource === 'pods') return this.api.create(stored.object.input, ref, stored.object.status);
    const { store } = this.context;
    const { object, resource } = stored;
    const key = resource === 'nodes' ? object.meta.name : keyOf(object);
    store.put(resource, key, (resourceVersion) => ({ ...object, meta: { ...object.meta, resourceVersion } }), ref);
  }

  /** The event of a write; its detail is what the recordings show of it. */
  private happens(write: ScriptedWrite): Ref {
    const { trace, kernel } = this.context;
    const subject = trace.subjectOf({
      component: 'world',
      node: 'node' in write ? write.node : '',
      pod: 'pod' in write ? write.pod : '',
      container: '',
      probe: '',
      object: 'service' in write ? write.service : 'name' in write ? write.name : '',
    });
    const ready = 'ready' in write && write.ready !== null ? String(write.ready) : '';
    return trace.event('action', kernel.now, subject, { action: write.do, detail: ready });
  }
}
