import * as z from 'zod';
import type { ProbeKind } from '../../sim/scenario.ts';
import type {
  Attempt,
  Deletion,
  EndpointState,
  FirstProbe,
  Observations,
  Request,
  SeenResult,
  Silence,
  SliceWrite,
  StatusPatch,
  Sync,
} from './observations.ts';
import { jsonLines, klogLines, type LogLine, needed, type ReadFile, valueIn, wallTime } from './recordingFiles.ts';
import type { World } from './world.ts';

/** The prober logs a result at most so long before the syncLoop takes it up, µs; an initial result has no such line. */
const RESULT_TRANSIT = 5_000;
/** kube-proxy may hear of a slice before the operator's watch shows it, by up to this much, µs. */
const HEARD_BEFORE = 5_000;
const CONTROLLERS = 'system:serviceaccount:kube-system:';
const SERVICE_NAME = 'kubernetes.io/service-name';

/** What a recording shows. Throws a RecordingError that says what is wrong with a file. */
export function readObservations(read: ReadFile, world: World): Observations {
  const since = (at: number): number => at - world.t0Us;
  const audit = jsonLines(needed(read, 'audit.jsonl'), 'audit.jsonl', auditEvent, isAudited).map((event) => ({
    ...event,
    receivedAt: since(event.requestReceivedTimestamp),
    answeredAt: since(event.stageTimestamp),
  }));
  const kubeletLog = klogLines(needed(read, 'kubelet.log'), ['"Probe ', '"SyncLoop (probe)"'], world.t0Us).map(
    ({ at, text }) => ({ at: since(at), text }),
  );
  const probes = kubeletLog.flatMap(probeOf);
  return {
    firstProbes: firstProbesOf(world, probes),
    results: kubeletLog.flatMap((line) => resultOf(line, probes)),
    patches: patchesOf(audit, seenBy(read, 'pods-watch.jsonl', since)),
    deletions: audit
      .filter(({ verb, objectRef, user }) => verb === 'delete' && objectRef.resource === 'pods' && !isKubelet(user))
      .map(deletionOf),
    sliceWrites: sliceWritesOf(audit, seenBy(read, 'endpointslices-watch.jsonl', since)),
    syncs: syncsOf(needed(read, 'kube-proxy.log'), world),
    attempts: attemptsOf(read, world),
    silences: silencesOf(read, world),
  };
}

const auditEvent = z.object({
  verb: z.string(),
  user: z.object({ username: z.string() }),
  objectRef: z.object({ resource: z.string(), subresource: z.string().default(''), name: z.string().default('') }),
  responseStatus: z.object({ code: z.number().default(0) }).default({ code: 0 }),
  requestObject: z.looseObject({}).nullish(),
  responseObject: z
    .looseObject({ metadata: z.object({ resourceVersion: z.string().default('') }).nullish() })
    .nullish(),
  requestReceivedTimestamp: wallTime,
  stageTimestamp: wallTime,
});
type AuditEvent = z.output<typeof auditEvent> & { readonly receivedAt: number; readonly answeredAt: number };

const options = z.object({ gracePeriodSeconds: z.number() });

const deletionOf = (event: AuditEvent): Deletion => ({
  ...requestOf(event),
  isByController: event.user.username.startsWith(CONTROLLERS),
  graceSeconds: options.safeParse(event.requestObject).data?.gracePeriodSeconds ?? null,
});

/** Pods and EndpointSlices are what is read of the audit log. */
const isAudited = (line: string): boolean =>
  line.includes('"resource":"pods"') || line.includes('"resource":"endpointslices"');
const isKubelet = ({ username }: AuditEvent['user']): boolean => username.startsWith('system:node:');
const isDone = ({ responseStatus: { code } }: AuditEvent): boolean => code >= 200 && code < 300;
const requestOf = ({ objectRef, receivedAt, answeredAt }: AuditEvent): Request => ({
  pod: objectRef.name,
  receivedAt,
  answeredAt,
});

const watchEvent = z.object({
  received: wallTime,
  object: z.object({ metadata: z.object({ resourceVersion: z.string() }) }),
});

/** When the operator's watch showed each resource version. */
function seenBy(read: ReadFile, file: string, since: (at: number) => number): ReadonlyMap<string, number> {
  const events = jsonLines(needed(read, file), file, watchEvent);
  return new Map(events.map(({ received, object }) => [object.metadata.resourceVersion, since(received)]));
}

const versionOf = ({ responseObject }: AuditEvent): string => responseObject?.metadata?.resourceVersion ?? '';

function patchesOf(audit: readonly AuditEvent[], seen: ReadonlyMap<string, number>): readonly StatusPatch[] {
  const status = z.object({
    status: z.object({
      conditions: z.array(z.looseObject({ type: z.string(), status: z.string().optional() })).default([]),
    }),
  });
  return audit
    .filter((event) => event.verb === 'patch' && event.objectRef.subresource === 'status' && isKubelet(event.user))
    .filter(isDone)
    .map((event): StatusPatch => {
      const { data } = status.safeParse(event.requestObject);
      const ready = data?.status.conditions.find(({ type }) => type === 'Ready')?.status;
      return {
        ...requestOf(event),
        seenAt: seen.get(versionOf(event)) ?? null,
        ready: ready === undefined ? null : ready === 'True',
      };
    })
    .sort((a, b) => a.receivedAt - b.receivedAt);
}

const slice = z.object({
  metadata: z.object({ labels: z.record(z.string(), z.string()).default({}) }),
  endpoints: z
    .array(
      z.object({
        conditions: z.object({
          ready: z.boolean().default(false),
          serving: z.boolean().default(false),
          terminating: z.boolean().default(false),
        }),
        targetRef: z.object({ name: z.string() }),
      }),
    )
    .nullish(),
});

/** The endpoints of a slice by the names of their Pods; null for something else. */
export function endpointsIn(object: unknown): { service: string; endpoints: Map<string, EndpointState> } | null {
  const { data } = slice.safeParse(object);
  if (!data) return null;
  return {
    service: data.metadata.labels[SERVICE_NAME] ?? '',
    endpoints: new Map((data.endpoints ?? []).map(({ targetRef, conditions }) => [targetRef.name, conditions])),
  };
}

function sliceWritesOf(audit: readonly AuditEvent[], seen: ReadonlyMap<string, number>): readonly SliceWrite[] {
  return audit
    .filter((event) => event.objectRef.resource === 'endpointslices' && isDone(event))
    .flatMap((event): SliceWrite[] => {
      const written = endpointsIn(event.requestObject);
      if (!written) return [];
      const { receivedAt, answeredAt } = event;
      const seenAt = seen.get(versionOf(event)) ?? null;
      return [{ ...written, receivedAt, answeredAt, seenAt, heardFrom: (seenAt ?? answeredAt) - HEARD_BEFORE }];
    })
    .sort((a, b) => a.receivedAt - b.receivedAt);
}

/** The end of a probe, as the prober logs it. */
interface Probe {
  readonly pod: string;
  readonly container: string;
  readonly kind: ProbeKind;
  readonly isGood: boolean;
  readonly at: number;
}

const nameOf = (text: string): string => valueIn(text, 'pod').split('/')[1] ?? '';

function probeOf({ at, text }: LogLine): Probe[] {
  const match = /\] "Probe (succeeded|failed|errored)/.exec(text);
  if (!match) return [];
  const kind = valueIn(text, 'probeType').toLowerCase() as ProbeKind;
  return [{ pod: nameOf(text), container: valueIn(text, 'containerName'), kind, isGood: match[1] === 'succeeded', at }];
}

/** A result that the syncLoop takes up, if a probe came to it just before. */
function resultOf({ at, text }: LogLine, probes: readonly Probe[]): SeenResult[] {
  if (!text.includes('"SyncLoop (probe)"')) return [];
  const kind = valueIn(text, 'probe') as ProbeKind;
  const pod = nameOf(text);
  const isGood = ['ready', 'started'].includes(valueIn(text, 'status'));
  const made = probes.findLast(
    (probe) =>
      probe.pod === pod &&
      probe.kind === kind &&
      probe.isGood === isGood &&
      probe.at <= at &&
      at - probe.at < RESULT_TRANSIT,
  );
  return made ? [{ pod, kind, isGood, at: made.at, seenAt: at }] : [];
}

function firstProbesOf({ containers, t0Us }: World, probes: readonly Probe[]): readonly FirstProbe[] {
  return containers.flatMap(({ pod, container, run, startedUs }) => {
    const startedAt = startedUs - t0Us;
    const later = containers.filter(
      (one) => one.pod === pod && one.container === container && one.startedUs > startedUs,
    );
    const until = Math.min(...later.map((one) => one.startedUs - t0Us));
    return (['startup', 'readiness', 'liveness'] as const).flatMap((kind): FirstProbe[] => {
      const first = probes.find(
        (probe) =>
          probe.pod === pod &&
          probe.container === container &&
          probe.kind === kind &&
          probe.at >= startedAt &&
          probe.at < until,
      );
      return first ? [{ pod, container, kind, run, startedAt, at: first.at }] : [];
    });
  });
}

function syncsOf(log: string, { t0Us }: World): readonly Sync[] {
  const syncs: Sync[] = [];
  let startedAt: number | null = null;
  for (const { at, text } of klogLines(log, ['"Syncing ', '"SyncProxyRules complete"'], t0Us)) {
    if (text.includes('"Syncing ')) startedAt = at - t0Us;
    else if (startedAt !== null) {
      syncs.push({ startedAt, completeAt: at - t0Us });
      startedAt = null;
    }
  }
  return syncs;
}

const attempt = z.object({ t: z.number(), o: z.string(), who: z.string().optional() });

/** Attempts of each client, by the Service that it asks. */
function attemptsOf(read: ReadFile, { services, t0Us }: World): ReadonlyMap<string, readonly Attempt[]> {
  return new Map(
    services.flatMap(({ name }): [string, readonly Attempt[]][] => {
      const file = name === 'web' ? 'client.jsonl' : `client-${name}.jsonl`;
      const text = read(file);
      if (text === null) return [];
      const lines = jsonLines(text, file, attempt);
      return [
        [name, lines.map(({ t, o, who }) => ({ at: t - t0Us, pod: o === 'ok' ? (who?.split('/')[0] ?? null) : null }))],
      ];
    }),
  );
}

const appEvent = z.object({ t: z.number(), kind: z.string(), pod: z.string() });

/** The apps tell of the ports that they close and of their ends; the runtime of processes that were killed. */
function silencesOf(read: ReadFile, { containers, t0Us }: World): readonly Silence[] {
  const file = 'app-probes.jsonl';
  const told = jsonLines(needed(read, file), file, appEvent, (line) => /"kind":"(close|exit)"/.test(line));
  const killed = containers.flatMap(({ pod, exitedUs }) => (exitedUs === undefined ? [] : [{ pod, t: exitedUs }]));
  return [...told, ...killed].map(({ pod, t }) => ({ pod, at: t - t0Us }));
}
