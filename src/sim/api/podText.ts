/** The texts of Pods and of their statuses, in pieces of which most are those of the version before. */
import { memoizedWeakly } from '../../base/memoized.ts';
import { rfc3339 } from '../../base/rfc3339.ts';
import type { PodInput } from '../scenario.ts';
import type { ApiPod } from './apiPod.ts';
import { furtherFields } from './jsonPieces.ts';
import { annotationsText, labelsText, ownerJson } from './metaText.ts';
import type { ContainerState, ContainerStatus, PodCondition, PodStatus } from './podStatus.ts';

/** The Pod as `kubectl get pod -o json` shows it, without the spec that was given. */
export function podPieces(pod: ApiPod): readonly string[] {
  const { input, resourceVersion, generation, creationTimestamp, labels, annotations } = pod;
  const pieces = [headText(input), String(resourceVersion), '","generation":', String(generation)];
  pieces.push(
    ',"creationTimestamp":"',
    rfc3339(creationTimestamp),
    '"',
    labelsText(labels),
    annotationsText(annotations),
  );
  if (pod.deletionTimestamp !== null) {
    pieces.push(',"deletionTimestamp":"', rfc3339(pod.deletionTimestamp), '","deletionGracePeriodSeconds":');
    pieces.push(String(pod.deletionGracePeriodSeconds));
  }
  pieces.push(specText(input));
  addStatus(pod.status, pieces);
  pieces.push('}');
  return pieces;
}

/** A status as the status manager keeps it. */
export function cachedStatusPieces(version: number, status: PodStatus): readonly string[] {
  const pieces = ['{"version":', String(version), ',"status":'];
  addStatus(status, pieces);
  pieces.push('}');
  return pieces;
}

/** The status as `kubectl get pod -o json` shows it; empty fields are left out. */
function addStatus(status: PodStatus, pieces: string[]): void {
  pieces.push('{"phase":"', status.phase, '"');
  if (status.reason) pieces.push(',"reason":', JSON.stringify(status.reason));
  if (status.message) pieces.push(',"message":', JSON.stringify(status.message));
  addList('conditions', status.conditions, conditionText, pieces);
  if (status.initContainerStatuses.length > 0)
    addList('initContainerStatuses', status.initContainerStatuses, containerText, pieces);
  addList('containerStatuses', status.containerStatuses, containerText, pieces);
  if (status.podIPs.length > 0) pieces.push(addressesText(status.podIPs));
  if (status.startTime !== null) pieces.push(',"startTime":"', rfc3339(status.startTime), '"');
  if (status.observedGeneration > 0) pieces.push(',"observedGeneration":', String(status.observedGeneration));
  pieces.push('}');
}

/** One more field of an object, a list. */
function addList<T>(name: string, items: readonly T[], textOf: (item: T) => string, pieces: string[]): void {
  pieces.push(',"', name, '":[');
  for (const [place, item] of items.entries()) {
    if (place > 0) pieces.push(',');
    pieces.push(textOf(item));
  }
  pieces.push(']');
}

/** Up to the resource version. */
const headText = memoizedWeakly(({ name, namespace, uid }: PodInput) => {
  const json = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, uid, resourceVersion: '' } };
  return JSON.stringify(json).slice(0, -'"}}'.length);
});

/** From the owner up to the status. */
const specText = memoizedWeakly(({ owner, node, target, isStatic, containers }: PodInput) => {
  const owners = owner && { ownerReferences: [ownerJson(`${owner.kind}/${owner.name}`, owner.uid)] };
  const spec = {
    ...(node && { nodeName: node }),
    ...(target && { target }),
    ...((owner || isStatic) && { containers: containers.map(({ name, image }) => ({ name, image })) }),
  };
  return `${furtherFields({ ...owners })}},"spec":${JSON.stringify(spec)},"status":`;
});

const addressesText = memoizedWeakly((podIPs: readonly string[]) =>
  furtherFields({ podIP: podIPs[0], podIPs: podIPs.map((ip) => ({ ip })) }),
);

const conditionText = memoizedWeakly(({ type, status, reason, message, lastTransitionTime }: PodCondition) =>
  JSON.stringify({
    type,
    status,
    ...(reason && { reason }),
    ...(message && { message }),
    lastTransitionTime: timeText(lastTransitionTime),
  }),
);

const containerText = memoizedWeakly((container: ContainerStatus) =>
  JSON.stringify({
    name: container.name,
    image: container.image,
    ...(container.containerID && { containerID: container.containerID }),
    ready: container.ready,
    started: container.started,
    restartCount: container.restartCount,
    state: stateToJson(container.state),
    lastState: container.lastState ? stateToJson(container.lastState) : {},
  }),
);

/** A time that was never set is null, as in Go. */
const timeText = (unixSeconds: number): string | null => (unixSeconds === 0 ? null : rfc3339(unixSeconds));

function stateToJson(state: ContainerState): object {
  if (state.is === 'waiting')
    return { waiting: { reason: state.reason, ...(state.message && { message: state.message }) } };
  if (state.is === 'running') return { running: { startedAt: rfc3339(state.startedAt) } };
  return {
    terminated: {
      exitCode: state.exitCode,
      reason: state.reason,
      startedAt: timeText(state.startedAt),
      finishedAt: timeText(state.finishedAt),
    },
  };
}
