import type { TraceReader } from '../../../sim/trace/reader.ts';
import { watcherOf } from '../../../sim/trace/watchers.ts';
import { nameOf, type Placed, placed, type TraceEventOf, unlessEmpty } from './placed.ts';
import { endpointsFields, podFields, serviceOfSlice, sliceFields } from './projectObjects.ts';

/** Lanes action, api, endpoints, endpointslices and watch. */
export class ApiProjection {
  private readonly reader: TraceReader;
  private readonly epoch: number;
  /** Resource version of each Pod, and Service of each slice, as last stored. */
  private readonly podVersions = new Map<string, number>();
  private readonly sliceServices = new Map<string, string>();

  constructor(reader: TraceReader) {
    this.reader = reader;
    this.epoch = reader.data.wallClock;
  }

  action({ at, subject, payload }: TraceEventOf<'action'>): Placed[] {
    const { action, detail } = payload;
    const object = nameOf(subject.object);
    const field = OBJECT_FIELD[action] ?? 'service';
    const fields = {
      ...unlessEmpty('pod', nameOf(subject.pod)),
      ...unlessEmpty('node', subject.node),
      // These recordings do not say what was created or replaced.
      ...(action !== 'create' && action !== 'replace' && unlessEmpty(field, object)),
      ...(detail && { ready: detail === 'true' }),
    };
    return [placed(at, 'action', action, fields)];
  }

  write({ payload }: TraceEventOf<'apiWrite'>): Placed[] {
    const { actor, verb, resource, name, generateName, committedAt, code, resourceVersion, generation } = payload;
    // The request is still on its way when the run ends.
    if (code === 0) return [];
    const { error, injected, committed, noop } = payload;
    const fields = {
      actor,
      verb,
      resource,
      name,
      code,
      ...unlessEmpty('generateName', generateName),
      ...(resourceVersion > 0 && { rv: String(resourceVersion) }),
      ...(generation > 0 && { generation }),
      ...unlessEmpty('error', error),
      ...(injected && { injected: true }),
      ...(committed && { committed: true }),
      ...(noop && { noop: true }),
    };
    return [placed(committedAt, 'api', 'write', fields)];
  }

  stored({ at, subject, payload }: TraceEventOf<'stored'>): Placed[] {
    const { resource, object, resourceVersion } = payload;
    const rv = String(resourceVersion);
    const key = subject.pod || subject.object.slice(resource.length + 1);
    if (object < 0) return this.deleted(at, resource, key);
    if (resource === 'pods') {
      this.podVersions.set(key, resourceVersion);
      return [placed(at, 'api', 'pod', { ...podFields(this.json(object), this.epoch), rv })];
    }
    if (resource === 'endpoints')
      return [placed(at, 'endpoints', 'object', { ...endpointsFields(this.json(object), this.epoch), rv })];
    if (resource !== 'endpointslices') return [];
    const json = this.json(object);
    this.sliceServices.set(key, serviceOfSlice(json));
    return [placed(at, 'endpointslices', 'object', { ...sliceFields(json, this.epoch), rv })];
  }

  list({ at, subject, payload: { resource, count } }: TraceEventOf<'watchList'>): Placed[] {
    return [placed(at, 'watch', 'list', { to: watcherOf(subject), resource, count })];
  }

  deliver({ at, subject, payload }: TraceEventOf<'watchEvent'>): Placed[] {
    const { resource, type, name, resourceVersion } = payload;
    const fields = { to: watcherOf(subject), resource, event: type, name, rv: String(resourceVersion) };
    return [placed(at, 'watch', 'deliver', fields)];
  }

  private deleted(at: number, resource: string, key: string): Placed[] {
    const name = nameOf(key);
    switch (resource) {
      case 'pods':
        return [placed(at, 'api', 'pod', { name, rv: String(this.podVersions.get(key)), gone: true })];
      case 'endpoints':
        return [placed(at, 'endpoints', 'deleted', { name })];
      case 'endpointslices':
        return [placed(at, 'endpointslices', 'deleted', { name, service: this.sliceServices.get(key) })];
      default:
        return [];
    }
  }

  private json(version: number): unknown {
    return JSON.parse(this.reader.versionText(version));
  }
}

/** How an action's object is called, where it is no Service. */
const OBJECT_FIELD: Readonly<Record<string, string>> = {
  deleteEndpoints: 'name',
  dropEndpointsAddresses: 'name',
  createSet: 'set',
  flipSlice: 'name',
  setReadyRange: 'set',
};
