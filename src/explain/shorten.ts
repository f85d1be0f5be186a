/** What single change would shorten a wait: candidates as data, to be run by the caller, and what each of them came to. */
import { type Micros, type MicrosSpan, seconds } from '../base/units.ts';
import {
  type ContainerInput,
  type PodInput,
  type ProbeKind,
  type Scenario,
  servingContainersOf,
} from '../sim/scenario.ts';
import type { TraceEvent } from '../sim/trace/reader.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import type { Because } from './answer.ts';
import {
  applyEdit,
  BATCH_PERIOD,
  type Edit,
  MIN_SYNC_PERIOD,
  minReadyOf,
  type ProbeField,
  workloadOf,
} from './applyEdit.ts';
import { backendChanges, isBackend, serviceViewAt } from './backendAt.ts';
import { eventsOfKind, subjectsOfPod } from './lookUp.ts';
import { podsOf } from './podsOf.ts';
import type { LinkKind, Why } from './why.ts';

/** A stretch of a run in which a Pod is not a backend and shall be, or is one and shall not be. */
export interface Wait {
  /** What is waited for: being a backend, or being one no more. */
  readonly wanted: 'joined' | 'left';
  readonly from: Micros;
  /** The run's end where it does not come. */
  readonly to: Micros;
  readonly comes: boolean;
}

/** An edit that was run. */
export interface TriedEdit {
  readonly edit: Edit;
  /** When the wait is over; null: not before it was over without the edit. */
  readonly at: Micros | null;
  /** By how much sooner that is. */
  readonly gain: MicrosSpan;
}

/** Nothing that is tried here brings these about. */
const OUT_OF_REACH: readonly LinkKind[] = ['exists', 'kept', 'scheduled', 'node', 'selected', 'init', 'gate'];

/** No probe has a part in these. */
const OF_A_NODE: readonly Because['kind'][] = ['nodeSilent', 'nodeTrouble'];

/** What is as it is by the Service's own words, and waits for nothing. */
const NO_WAIT: readonly (string | undefined)[] = ['leftOut', 'notWritten', 'published'];

/** The wait that an answer is about. Null: it waits for nothing, or for nothing that an edit could bring. */
export function waitOf(run: FinishedRun, why: Why): Wait | null {
  const { at, answer, cannotTell, links, missing, comesTrueAt } = why;
  if (cannotTell !== null || NO_WAIT.includes(answer.backend?.kind)) return null;
  if (OF_A_NODE.includes(answer.because.kind)) return null;
  const { horizon } = run.reader.data;
  const changes = backendChanges(run, why.pod, why.service, why.node);
  if (why.isBackend) {
    const broken = links.filter(({ kind, matters, says }) => matters && says === 'no' && kind !== 'request');
    const since = broken.flatMap((link) => link.since ?? []);
    if (since.length === 0) return null;
    const left = changes.find((change) => change.at > at && !change.isBackend);
    const from = Math.min(...since) as Micros;
    return { wanted: 'left', from, to: left?.at ?? horizon, comes: left !== undefined };
  }
  if (comesTrueAt === null && (missing === null || OUT_OF_REACH.includes(missing.kind))) return null;
  const left = changes.findLast((change) => change.at <= at && !change.isBackend);
  const from = left?.at ?? (Math.min(at, why.pod.createdAt) as Micros);
  return { wanted: 'joined', from, to: comesTrueAt ?? horizon, comes: comesTrueAt !== null };
}

/** Changes that people make to shorten such a wait, whether they help or not: only a run tells. */
export function candidateEdits({ reader, scenario }: FinishedRun, { pod, missing }: Why, wait: Wait): readonly Edit[] {
  const containers = servingContainersOf(pod).flatMap((container) => {
    if (wait.wanted === 'left') return toLeave(pod, container);
    const ofContainer = subjectsOfPod(reader, pod.identity, (subject) => subject.container === container.name);
    const probesOf = (events: readonly TraceEvent[]): readonly string[] => events.map(({ subject }) => subject.probe);
    const failing = eventsOfKind(reader, ofContainer, 'resultSet').filter(
      ({ payload }) => payload.result === 'failure',
    );
    const tooSlow = eventsOfKind(reader, ofContainer, 'probeRun').filter((turn) => isCut(container, turn));
    return toJoin(pod, container, probesOf(failing), probesOf(tooSlow));
  });
  const { proxies = [], controllers } = scenario.cluster ?? {};
  const rest = Math.max(0, ...proxies.map(({ minSyncPeriod }) => minSyncPeriod)) / 1e6;
  const batch = (controllers?.endpointslices.batchPeriod ?? 0) / 1e6;
  const isThere = missing?.kind !== 'exists';
  return [
    ...containers,
    // A Pod that is not made yet waits for those before it.
    ...(isThere ? [] : minReady(scenario, workloadOf(pod.identity))),
    { setting: MIN_SYNC_PERIOD, from: rest, to: 0 },
    { setting: BATCH_PERIOD, from: batch, to: 0 },
  ].filter(({ from, to }) => from !== to);
}

/** `minReadySeconds` of the Deployment, where it has any. */
function minReady({ cluster }: Scenario, workload: string): readonly Edit[] {
  const created = (cluster?.writes ?? []).flatMap((write) => (write.do === 'create' ? [write.stored] : []));
  const own = [...(cluster?.existing ?? []), ...created].find(
    ({ resource, object }) => resource === 'deployments' && `${object.meta.namespace}/${object.meta.name}` === workload,
  );
  if (own?.resource !== 'deployments') return [];
  return [{ setting: minReadyOf(workload), from: own.object.spec.minReadySeconds, to: 0 }];
}

/** The attempt lasted to its timeout. */
function isCut({ probes }: ContainerInput, { at, end, subject }: TraceEvent): boolean {
  const spec = subject.probe === '' ? null : probes[subject.probe];
  return spec !== null && end - at >= seconds(spec.timeoutSeconds);
}

function toJoin(
  pod: PodInput,
  container: ContainerInput,
  failing: readonly string[],
  tooSlow: readonly string[],
): readonly Edit[] {
  const edit = editsOf(pod, container);
  const { startup, readiness } = container.probes;
  const sooner = (['startup', 'readiness'] as const).flatMap((probe) => [
    ...edit(probe, 'initialDelaySeconds', () => 0),
    ...edit(probe, 'periodSeconds', aFifth),
    ...(tooSlow.includes(probe) ? edit(probe, 'timeoutSeconds', fiveTimes) : []),
  ]);
  const patient = (['startup', 'liveness'] as const)
    .filter((probe) => failing.includes(probe))
    .flatMap((probe) => edit(probe, 'failureThreshold', fiveTimes));
  const added = { setting: settingOf(pod, container, 'startup', 'periodSeconds'), from: null, to: 1 };
  return [
    ...sooner,
    ...patient,
    ...edit('readiness', 'successThreshold', () => 1),
    ...(startup === null && readiness !== null ? [added] : []),
  ];
}

function toLeave(pod: PodInput, container: ContainerInput): readonly Edit[] {
  const edit = editsOf(pod, container);
  return [
    ...edit('readiness', 'periodSeconds', aFifth),
    ...edit('readiness', 'failureThreshold', () => 1),
    ...edit('readiness', 'timeoutSeconds', () => 1),
  ];
}

const aFifth = (from: number): number => Math.max(1, Math.round(from / 5));
const fiveTimes = (from: number): number => 5 * from;

const settingOf = (pod: PodInput, { name }: ContainerInput, probe: string, field: ProbeField): string =>
  `${workloadOf(pod.identity)}/${name}/${probe}/${field}`;

/** An edit of a number of a probe that the container has. */
const editsOf =
  (pod: PodInput, container: ContainerInput) =>
  (probe: ProbeKind, field: ProbeField, change: (from: number) => number): readonly Edit[] => {
    const spec = container.probes[probe];
    if (spec === null) return [];
    const from = spec[field];
    return [{ setting: settingOf(pod, container, probe, field), from, to: change(from) }];
  };

/** What is to be run for an edit: to the end of the wait, and without clients, who change nothing. `scenario`: that of the run as it was started. */
export function trialOf(scenario: Scenario, { to }: Wait, edit: Edit): Scenario {
  const edited = applyEdit(scenario, edit);
  const { cluster } = edited;
  const duration = Math.min(scenario.duration, to) as MicrosSpan;
  return { ...edited, duration, cluster: cluster && { ...cluster, clients: [] } };
}

/** What the run of `trialOf` came to. */
export function triedEdit({ pod, service, node }: Why, wait: Wait, edit: Edit, trial: FinishedRun): TriedEdit {
  const { from, to, wanted } = wait;
  const own = podsOf(trial.scenario).get(pod.identity);
  if (own === undefined) return { edit, at: null, gain: 0 as MicrosSpan };
  const view = serviceViewAt(trial, own, service, from);
  const first = isBackend({ ...view, proxies: view.proxies.filter((proxy) => node === null || proxy.node === node) });
  const later = backendChanges(trial, own, service, node).filter(({ at }) => at > from);
  const steps = [{ at: from, isBackend: first }, ...later];
  const last = steps.at(-1);
  if (last === undefined || last.isBackend !== (wanted === 'joined')) return { edit, at: null, gain: 0 as MicrosSpan };
  return { edit, at: last.at, gain: (to - last.at) as MicrosSpan };
}

/** The two that help most, and one that does not help; with none of that, a third. */
export function rankedEdits(tried: readonly TriedEdit[]): readonly TriedEdit[] {
  const sorted = tried.toSorted((a, b) => b.gain - a.gain);
  const helping = sorted.filter(({ gain }) => gain > 0);
  const idle = sorted.find(({ gain }) => gain === 0);
  return idle === undefined ? helping.slice(0, 3) : [...helping.slice(0, 2), idle];
}
