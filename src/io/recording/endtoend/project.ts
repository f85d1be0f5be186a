import type { TraceEvent, TraceReader } from '../../../sim/trace/reader.ts';
import { projectControlPlane } from '../controlplane/project.ts';
import type { RecordedEvent } from '../event.ts';
import { projectKubelet } from '../kubelet/project.ts';

/** What the script does, shown in the lane `action`; the rest of it is in `world`. */
const SCRIPT_ACTIONS: ReadonlySet<string> = new Set(['rollingReplace', 'flipSlice']);

/**
 * A trace in the schema of `traces/endtoend`, from the very start: the kubelets' events, the control plane's, and the
 * clients'.
 */
export function projectEndToEnd(reader: TraceReader): readonly RecordedEvent[] {
  const podName = (identity: string): string => identity.slice(identity.indexOf('/') + 1);
  const kubelets = projectKubelet(reader, podName, true).filter(
    ({ lane, type }) => lane !== 'world' || !SCRIPT_ACTIONS.has(type),
  );
  const controlPlane = projectControlPlane(reader, new Set()).filter(
    ({ lane, type }) => lane !== 'queue' && (lane !== 'action' || type === 'flipSlice'),
  );
  const rollouts = reader.events().flatMap((event) => (event.kind === 'action' ? rolloutOf(event) : []));
  const clients = reader.events().flatMap((event) => (event.kind === 'clientAttempt' ? attemptOf(event) : []));
  return [...kubelets, ...rollouts, ...controlPlane, ...clients].sort((a, b) => a.t - b.t);
}

/** A rollout names the Pods that it makes and those that it takes away. */
function rolloutOf({ at, payload }: Extract<TraceEvent, { readonly kind: 'action' }>): RecordedEvent[] {
  if (payload.action !== 'rollingReplace') return [];
  const [added = '', removed = ''] = payload.detail.split(' / ');
  return [{ t: at, lane: 'action', type: 'rollingReplace', new: added.split(', '), old: removed.split(', ') }];
}

type Attempt = Extract<TraceEvent, { readonly kind: 'clientAttempt' }>;

/** An attempt whose outcome is known. */
function attemptOf({ at, end, subject, payload }: Attempt): RecordedEvent[] {
  if (Number.isNaN(end)) return [];
  const { n, backend, of, pod, outcome, code } = payload;
  const met = backend && { backend, of };
  const owner = pod && { pod: pod.slice(pod.indexOf('/') + 1) };
  const answer = code > 0 && { code };
  return [
    {
      t: end,
      lane: 'client',
      type: 'attempt',
      client: subject.object,
      n,
      startT: at,
      outcome,
      ...met,
      ...owner,
      ...answer,
    },
  ];
}
