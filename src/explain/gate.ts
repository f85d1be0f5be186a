/** How long a Pod's readiness gates keep it from being Ready. */
import { apiPodKey, conditionOf, type PodStatus, podStatusOf } from '../sim/trace/podObject.ts';
import { lastSuccess } from './joining.ts';
import type { Gate, Joining, Moment } from './path.ts';
import { apiCommits, attemptBehind, momentOf, type PathSubject, podEvents } from './pathSubject.ts';

/** Null where no gate decides. Up to the first status that says Ready; to the run's end where there is none. */
export function gateOf(subject: PathSubject, { statusVersion }: Joining): Gate | null {
  const { pod, publishesNotReady, run } = subject;
  if (pod.readinessGates.length === 0 || publishesNotReady) return null;
  const opened = lastOpened(subject, statusVersion?.at ?? run.reader.data.horizon);
  return { opened, containersReady: containersReady(subject) };
}

/** The version of the Pod in the API that first has all gates True, the last time up to `until`. */
function lastOpened({ pod, run: { reader } }: PathSubject, until: number): Moment | null {
  const versions = reader.versionsOf(apiPodKey(pod.identity)).filter(({ since }) => since <= until);
  const isOpen = (status: PodStatus): boolean =>
    pod.readinessGates.every((type) => conditionOf(status, type)?.status === 'True');
  const open = versions.map(({ index }) => isOpen(podStatusOf(reader, index)));
  const version = open.at(-1) ? versions[open.lastIndexOf(false) + 1] : undefined;
  return version === undefined ? null : { at: version.since, ref: { row: version.row, ordinal: 0 } };
}

/** What made ContainersReady True in the kubelet's last status before a deletion; null where it is not. */
function containersReady(subject: PathSubject): Gate['containersReady'] {
  const { reader } = subject.run;
  const deleted = apiCommits(subject).find(({ isDeleted }) => isDeleted)?.at ?? Number.POSITIVE_INFINITY;
  const sets = podEvents(subject, 'statusSet').filter(({ at, payload }) => payload.object >= 0 && at < deleted);
  const ready = sets.map(
    ({ payload }) => conditionOf(podStatusOf(reader, payload.object), 'ContainersReady')?.status === 'True',
  );
  const set = ready.at(-1) ? sets[ready.lastIndexOf(false) + 1] : undefined;
  if (set === undefined) return null;
  const result = lastSuccess(subject, set.at);
  return { probe: result && attemptBehind(subject, result), resultSet: momentOf(result) };
}
