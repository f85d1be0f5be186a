import { MICROS_PER_SECOND } from '../../../base/units.ts';
import type { Component } from '../../../sim/trace/kinds.ts';
import type { TraceEvent, TraceReader } from '../../../sim/trace/reader.ts';
import { WORKLOAD_CONTROLLERS, type WorkloadController } from '../../../sim/workloadsInput.ts';
import { nameOf, type Placed, placed, type TraceEventOf, unlessEmpty } from '../controlplane/placed.ts';
import type { RecordedEvent } from '../event.ts';
import { changedFields, ObjectSummaries, type Summary } from './summaries.ts';

/** The state of all objects: resource → name → summary. */
export type WorkloadState = Readonly<Record<string, Readonly<Record<string, Summary>>>>;

/** What a run shows in the schema of `traces/workloads`. */
export interface WorkloadsShown {
  readonly events: readonly RecordedEvent[];
  readonly initial: WorkloadState;
  readonly final: WorkloadState;
}

/** Resources whose writes are shown. */
const SHOWN: ReadonlySet<string> = new Set([
  'nodes',
  'pods',
  'deployments',
  'replicasets',
  'statefulsets',
  'daemonsets',
  'controllerrevisions',
  'poddisruptionbudgets',
]);

/** A trace in the schema of `traces/workloads`; what happens before t = 0 goes into `initial`. */
export function projectWorkloads(reader: TraceReader): WorkloadsShown {
  const projection = new Projection(reader);
  const all: (Placed & { readonly made: number })[] = [];
  for (let row = 0; row < reader.data.rows; row++)
    for (const one of projection.project(reader.event({ row, ordinal: 0 })))
      all.push(Object.assign(one, { made: all.length }));
  const events = all
    .filter((one) => !('replaced' in one && one.replaced))
    .filter(({ event }) => event.t >= 0 && event.t < reader.data.horizon)
    .sort((a, b) => a.event.t - b.event.t || a.rank - b.rank || a.made - b.made)
    .map(({ event }) => event);
  return { events, initial: projection.initial, final: projection.state() };
}

type State = Map<string, Map<string, Summary>>;

class Projection {
  private readonly reader: TraceReader;
  private readonly epoch: number;
  private readonly summaries: ObjectSummaries;
  private readonly objects: State = new Map();
  /** Requests whose commit is still to come, by row. */
  private readonly requests = new Map<number, TraceEventOf<'apiWrite'>>();
  /** What was shown of each request. */
  private readonly shown = new Map<number, Placed & { replaced: boolean }>();
  /** The last resource version of each object. */
  private readonly versions = new Map<string, number>();
  private atZero: WorkloadState | null = null;

  constructor(reader: TraceReader) {
    this.reader = reader;
    this.epoch = reader.data.wallClock;
    this.summaries = new ObjectSummaries(this.epoch);
  }

  get initial(): WorkloadState {
    return this.atZero ?? this.state();
  }

  state(): WorkloadState {
    return Object.fromEntries(
      [...this.objects].flatMap(([resource, byName]) =>
        byName.size > 0 ? [[resource, Object.fromEntries(byName)]] : [],
      ),
    );
  }

  project(event: TraceEvent): Placed[] {
    if (event.at >= 0 && this.atZero === null) this.atZero = this.state();
    switch (event.kind) {
      case 'action':
        return this.action(event);
      case 'apiWrite':
        return this.request(event);
      case 'stored':
        return this.stored(event);
      case 'controllerSync':
        return this.sync(event);
      case 'controllerLog':
        return this.log(event);
      case 'controllerEvent':
        return this.kubeEvent(event);
      default:
        return [];
    }
  }

  private action({ at, subject, payload }: TraceEventOf<'action'>): Placed[] {
    const [resource = '', ...key] = subject.object.split('/');
    const fields = {
      ...unlessEmpty('pod', nameOf(subject.pod)),
      ...unlessEmpty('node', subject.node),
      ...unlessEmpty('name', key.at(-1) ?? ''),
      ...(payload.action === 'patch' && { resource }),
      ...unlessEmpty('note', payload.detail),
    };
    return [placed(at, 'action', payload.action, fields, RANK.action)];
  }

  /** Requests that store nothing are told here, the others with what they stored. */
  private request(event: TraceEventOf<'apiWrite'>): Placed[] {
    const { payload, ref } = event;
    if (!SHOWN.has(payload.resource)) return [];
    this.requests.set(ref.row, event);
    if (payload.code === 0 || (payload.resourceVersion > 0 && !payload.noop)) return [];
    if (payload.subresource === 'eviction') return [this.eviction(event)];
    const fields = { ...aboutOf(payload), ...answerOf(payload), ...(payload.noop && { noop: true }) };
    return [placed(payload.committedAt, 'api', payload.resource, fields, RANK.api)];
  }

  private eviction({ payload }: TraceEventOf<'apiWrite'>): Placed {
    const { actor, name, code, basis, committedAt } = payload;
    const { pdb, why } = JSON.parse(basis) as { readonly pdb?: string; readonly why: string };
    const fields = { actor, name, code, ...(pdb && { pdb }), why };
    return placed(committedAt, 'api', 'evictions', fields, RANK.api);
  }

  private stored(event: TraceEventOf<'stored'>): Placed[] {
    const { resource, object, resourceVersion } = event.payload;
    if (!SHOWN.has(resource)) return [];
    const key = event.subject.pod || event.subject.object.slice(resource.length + 1);
    const name = nameOf(key);
    const byName = this.objects.get(resource) ?? new Map<string, Summary>();
    this.objects.set(resource, byName);
    const before = byName.get(name);
    const now = object < 0 ? null : this.summaries.of(resource, JSON.parse(this.reader.versionText(object)));
    if (now) byName.set(name, now);
    else byName.delete(name);
    const { row } = this.reader.causesOf(event.ref)[0] ?? { row: -1 };
    const request = this.requests.get(row);
    const last = this.versions.get(`${resource}/${name}`) ?? resourceVersion;
    this.versions.set(`${resource}/${name}`, resourceVersion);
    if (!request) return [];
    const what = !now ? { gone: true } : before ? { changed: changedFields(before, now) } : { object: now };
    const { basis, actor, verb } = request.payload;
    const isDaemonPod = resource === 'pods' && actor === 'daemonset' && verb === 'delete';
    const fields = {
      ...aboutOf(request.payload),
      name,
      ...(isDaemonPod && { node: before?.node ?? before?.target }),
      rv: String(now ? resourceVersion : last),
      ...what,
      ...(basis && { basis: JSON.parse(basis) }),
      ...answerOf(request.payload),
    };
    const shown = placed(event.at, 'api', resource, fields, RANK.api);
    // A deletion with grace 0 stores that first: one request, one event.
    const former = this.shown.get(row);
    if (former) former.replaced = true;
    const one = { ...shown, replaced: false };
    this.shown.set(row, one);
    return [one];
  }

  private sync({ at, end, subject }: TraceEventOf<'controllerSync'>): Placed[] {
    const controller = controllerOf(subject.component);
    if (!controller || !(end > at)) return [];
    const fields = { controller, key: nameOf(subject.object), elapsedUs: end - at };
    return [placed(end, 'controller', 'sync', fields, RANK.controller)];
  }

  private log({ at, subject, payload }: TraceEventOf<'controllerLog'>): Placed[] {
    const { message, values } = payload;
    const given = JSON.parse(values) as Readonly<Record<string, unknown>>;
    if (subject.component === 'scheduler')
      return [placed(at, 'scheduler', message, { pod: nameOf(subject.pod) }, RANK.scheduler)];
    const controller = controllerOf(subject.component);
    if (!controller) return [];
    const key = this.keyOf(controller, message, nameOf(subject.object), given);
    const own = NAMELESS.has(`${controller}/${message}`) ? {} : { controller };
    return [placed(at, 'controller', message, { ...own, ...key, ...this.logged(message, given) }, RANK.controller)];
  }

  /** What a log line is about: its object, or the first node that it names. */
  private keyOf(
    controller: string,
    message: string,
    name: string,
    { node }: Readonly<Record<string, unknown>>,
  ): object {
    if (KEYLESS.has(message) || KEYLESS.has(`${controller}/${message}`)) return {};
    return unlessEmpty('key', OF_NODES.has(message) ? String(node) : name);
  }

  private logged(message: string, given: Readonly<Record<string, unknown>>): object {
    switch (message) {
      case 'retry':
        return { err: withoutReason(given.error) };
      case 'staleCache':
        return { ...given, read: String(given.read), written: String(given.written) };
      case 'syncError':
        return { error: withoutReason(given.error) };
      case 'failedPodBackoff':
        return { pod: given.pod, currentDelayUs: given.currentDelay };
      case 'tooMany':
        return { ...given, candidates: (given.candidates as readonly Seen[]).map((one) => this.candidate(one)) };
      default:
        return given;
    }
  }

  private candidate({ created, readySince, node, deletionCost, ...seen }: Seen): object {
    const micros = (seconds: number): number => seconds * MICROS_PER_SECOND - this.epoch;
    return {
      ...seen,
      ...(node && { node }),
      ...(deletionCost && { deletionCost }),
      createdUs: micros(created),
      ...(readySince !== null && { readySinceUs: micros(readySince) }),
    };
  }

  private kubeEvent({ at, payload }: TraceEventOf<'controllerEvent'>): Placed[] {
    const { actor, op, about, eventType, reason, message, count } = payload;
    const warning = eventType === 'Warning' ? { eventType } : {};
    return op === 'create'
      ? [placed(at, 'k8sEvent', 'create', { actor, message, object: about, reason, ...warning }, RANK.k8sEvent)]
      : [placed(at, 'k8sEvent', 'repeat', { actor, message, count }, RANK.k8sEvent)];
  }
}

/** Recordings leave out why a conflict is one. */
const withoutReason = (error: unknown): string =>
  String(error).replace(/(Operation cannot be fulfilled on \S+ "[^"]*"): .*/, '$1');

interface Seen {
  readonly created: number;
  readonly readySince: number | null;
  readonly node: string;
  readonly deletionCost: string;
}

const RANK = { action: 0, api: 1, scheduler: 2, controller: 3, k8sEvent: 4 } as const;

/** Log lines that do not say what they are about. */
const KEYLESS: ReadonlySet<string> = new Set(['cleanedUpUnhealthy', 'daemonset/staleCache']);

/** Log lines about a node. */
const OF_NODES: ReadonlySet<string> = new Set(['killFailedPod', 'failedPodBackoff']);

/** Log lines of the ReplicaSet and DaemonSet controllers that do not name them. */
const NAMELESS: ReadonlySet<string> = new Set([
  'replicaset/staleCache',
  'daemonset/staleCache',
  'replicaset/syncError',
]);

const aboutOf = ({ actor, verb, subresource, name }: TraceEventOf<'apiWrite'>['payload']): object => ({
  actor,
  verb,
  name,
  ...unlessEmpty('subresource', subresource),
});

/** What went wrong, also where the write is stored and only the answer is an error; a conflict is told without its text. */
const answerOf = ({ code, error, injected, committed }: TraceEventOf<'apiWrite'>['payload']): object => ({
  ...(code >= 400 && { code, ...(code === 409 ? {} : { error }) }),
  ...(injected && { injected: true }),
  ...(committed && { committed: true }),
});

const controllerOf = (component: Component): WorkloadController | undefined =>
  WORKLOAD_CONTROLLERS.find((controller) => controller === component);
