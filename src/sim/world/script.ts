import { later, type MicrosSpan } from '../../base/units.ts';
import type { ApiServer } from '../api/apiServer.ts';
import { type Endpoint, LABEL } from '../api/objects.ts';
import type { Stored } from '../api/store.ts';
import { decideWrite, undecided, type Verb, type WrittenResource } from '../api/writes.ts';
import type { ScriptedPod, ScriptedWrite, StoredInput } from '../clusterInput.ts';
import type { ClusterContext } from '../controllers/context.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';
import { ScriptedStatus } from './scriptedStatus.ts';

/** A write that changes one Pod and nothing else. */
type PodWrite = Extract<ScriptedWrite, { readonly pod: string }>;
type ObjectWrite = Exclude<ScriptedWrite, PodWrite>;

/** Plays what a script writes to the API server: objects, and the status of Pods that no kubelet runs. */
export class Script {
  private readonly context: ClusterContext;
  private readonly api: ApiServer;
  private readonly status: ScriptedStatus;
  private readonly subject: number;

  constructor(context: ClusterContext, api: ApiServer) {
    this.context = context;
    this.api = api;
    this.status = new ScriptedStatus(context, api);
    const nowhere = { node: '', pod: '', container: '', probe: '' } as const;
    this.subject = context.trace.subjectOf({ component: 'api', ...nowhere, object: 'script' });
  }

  /** Stores what exists from the start, and queues the writes. */
  play(): void {
    const { kernel, input } = this.context;
    for (const stored of input.existing) this.store('create', stored, NO_REF);
    for (const write of input.writes) kernel.at(write.at, 'app', () => this.take(write));
  }

  private take(write: ScriptedWrite): void {
    const ref = this.happens(write);
    if ('pod' in write) this.takeOnPod(write, ref);
    else this.takeOnObjects(write, ref);
  }

  private takeOnPod(write: PodWrite, ref: Ref): void {
    const { api, status } = this;
    switch (write.do) {
      case 'setReady':
        return status.setReady(write.pod, write.ready, ref);
      case 'setPhase':
        return status.setPhase(write.pod, write.phase, write.ready, ref);
      case 'setPodIPs':
        return status.setPodIPs(write.pod, write.podIPs, ref);
      case 'labelPod':
        return api.setLabels(write.pod, write.labels, ref);
      case 'annotatePod':
        return api.annotate(write.pod, write.annotations, ref);
      case 'deletePod':
        return api.markDeleted(write.pod, write.graceSeconds, ref);
      case 'removePod':
        return api.remove(write.pod, ref);
    }
  }

  private takeOnObjects(write: ObjectWrite, ref: Ref): void {
    const { store } = this.context;
    switch (write.do) {
      case 'create':
        return this.store('create', write.stored, ref);
      case 'replace':
        return this.store('update', write.stored, ref);
      case 'createSet':
        return this.inSteps(write.pods, write.step, (pod) => this.create(pod, ref));
      case 'setReadyRange':
        return this.inSteps(write.pods, write.step, (pod) => this.status.setReady(pod, write.ready, ref));
      case 'patchSelector': {
        const service = store.get('services', write.service);
        const spec = service && { ...service.spec, selector: { ...service.spec.selector, ...write.labels } };
        return this.edit('update', 'services', service, ref, spec && { spec });
      }
      case 'deleteService':
        return this.edit('delete', 'services', store.get('services', write.service), ref);
      case 'deleteEndpoints':
        return this.edit('delete', 'endpoints', store.get('endpoints', write.name), ref);
      case 'dropEndpointsAddresses':
        return this.edit('update', 'endpoints', store.get('endpoints', write.name), ref, { subsets: [] });
      case 'deleteSlices':
        for (const slice of this.slicesOf(write.service)) this.edit('delete', 'endpointslices', slice, ref);
        return;
      case 'touchSlice':
        return this.touchSlice(write, ref);
      case 'flipSlice': {
        const times = Array.from({ length: write.count }, (_, i) => i);
        return this.inSteps(times, write.every, () => this.flip(write.slice, ref));
      }
      case 'labelNode': {
        const node = store.get('nodes', write.node);
        return this.edit('update', 'nodes', node, ref, node && { meta: { ...node.meta, labels: write.labels } });
      }
      case 'nodeReady':
        return this.edit('update', 'nodes', store.get('nodes', write.node), ref, {
          ready: write.ready ? 'True' : 'False',
        });
    }
  }

  private flip(key: string, ref: Ref): void {
    const slice = this.context.store.get('endpointslices', key);
    const [first, ...others] = slice?.endpoints ?? [];
    if (!first) return;
    const turned = { ...first, ready: !first.ready, serving: !first.ready };
    this.edit('update', 'endpointslices', slice, ref, { endpoints: [turned, ...others] });
  }

  private touchSlice({ service, annotations }: Extract<ScriptedWrite, { readonly do: 'touchSlice' }>, ref: Ref): void {
    const [slice] = this.slicesOf(service);
    if (!slice) return;
    const { meta, endpoints } = slice;
    const edited = annotations
      ? { meta: { ...meta, annotations: { ...meta.annotations, ...annotations } } }
      : { endpoints: withoutFirst(endpoints) };
    this.edit('update', 'endpointslices', slice, ref, edited);
  }

  private slicesOf(service: string): readonly Stored['endpointslices'][] {
    const slices = this.context.store.list('endpointslices');
    return slices.filter(({ meta }) => `${meta.namespace}/${meta.labels[LABEL.serviceName]}` === service);
  }

  private inSteps<T>(items: readonly T[], step: MicrosSpan, act: (item: T) => void): void {
    const { kernel } = this.context;
    items.forEach((item, i) => {
      kernel.at(later(kernel.now, (i * step) as MicrosSpan), 'app', () => act(item));
    });
  }

  private store(verb: 'create' | 'update', stored: StoredInput, ref: Ref): void {
    if (stored.resource === 'pods') return this.create(stored.object, ref);
    this.write(verb, stored.resource, stored.object, ref);
  }

  private create({ input, status }: ScriptedPod, ref: Ref): void {
    this.api.createScripted(input, status, ref);
  }

  /** Writes `object` with `changes`; what is not there is not written. */
  private edit<R extends WrittenResource>(
    verb: Verb,
    resource: R,
    object: Stored[R] | undefined,
    ref: Ref,
    changes: Partial<Stored[R]> = {},
  ): void {
    if (object) this.write(verb, resource, { ...object, ...changes }, ref);
  }

  /** One request without any latency. */
  private write<R extends WrittenResource>(verb: Verb, resource: R, object: Stored[R], cause: Ref): void {
    const { trace, kernel } = this.context;
    const { name } = object.meta;
    const payload = undecided({ actor: 'script', verb, resource, name, committedAt: kernel.now });
    const ref = trace.event('apiWrite', kernel.now, this.subject, payload, [cause]);
    const decision = decideWrite(this.context, { verb, resource, object }, ref);
    const { code } = decision;
    if ('error' in decision) return trace.end<'apiWrite'>(ref, kernel.now, { code, error: decision.error }, false);
    const { resourceVersion, noop } = decision;
    const generation = decision.object?.meta.generation ?? 0;
    trace.end<'apiWrite'>(ref, kernel.now, { code, resourceVersion, generation, noop: noop ? 1 : 0 }, false);
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
      object: objectOf(write),
    });
    const ready = 'ready' in write && write.ready !== null ? String(write.ready) : '';
    return trace.event('action', kernel.now, subject, { action: write.do, detail: ready });
  }
}

/** Which object a write is about, as `namespace/name`; '' when a Pod or a Node is, or none. */
function objectOf(write: ScriptedWrite): string {
  if ('service' in write) return write.service;
  if ('name' in write) return write.name;
  if ('stored' in write && 'meta' in write.stored.object)
    return `${write.stored.resource}/${write.stored.object.meta.name}`;
  if ('slice' in write) return write.slice;
  return 'set' in write ? write.set : '';
}

/** Without the endpoint of the lowest address: their order in a slice is nobody's business. */
function withoutFirst(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const addresses = endpoints.map((endpoint) => endpoint.addresses[0] ?? '').sort();
  return endpoints.filter((endpoint) => endpoint.addresses[0] !== addresses[0]);
}
