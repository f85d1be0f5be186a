import { capitalised, formatInstant } from '../../base/format.ts';
import type { TraceEvent } from '../../sim/trace/reader.ts';
import type { Because } from '../answer.ts';
import type { PendingInit } from '../initContainers.ts';
import type { Trouble } from '../nodeReach.ts';
import { backendText } from './backendEn.ts';
import type { Words } from './words.ts';

export const en: Words = {
  verdict: ({ verdict, because, backend }, pod) => {
    if (because.kind === 'removed') return `${pod} does not exist any more`;
    if (verdict === 'absent') return `${pod} does not exist yet`;
    // A Pod that is Ready and leaves is being deleted.
    const isGoing = because.kind === 'deleting';
    const state = isGoing
      ? 'being deleted'
      : verdict !== 'ready'
        ? 'not Ready'
        : STAYS.includes(backend?.kind ?? '')
          ? 'being deleted'
          : 'Ready';
    return `${pod} is ${state}${POOL[backend?.kind ?? ''] ?? ' in the API'}`;
  },
  because: ({ because }) => becauseText(because),
  backend: ({ backend }) => (backend === null ? '' : backendText(backend)),
  action: (payload) => `Action: ${payload.action}${actionDetail(payload)}`,
  state: (word) => word,
};

const POOL: Readonly<Record<string, string>> = {
  waitingForSlice: ', but not in the pool',
  notWritten: ', but not in the pool',
  leftOut: ', but not in the pool',
  waitingForRules: ', but not yet everywhere in the pool',
  inRules: ' and in the pool',
  published: ', but in the pool',
  leaving: ', but in the pool',
  fallback: ', but in the pool',
};
const STAYS: readonly string[] = ['leaving', 'fallback'];

const nextAttemptText = (at: number | null): string =>
  at === null ? 'it does not run again before this run ends' : `it runs next at ${formatInstant(at)}`;

const APP_STATE: Readonly<Record<string, string>> = { exited: 'has exited', waiting: 'does not run' };
const appText = (container: string, state: string): string =>
  `the app in ${container} ${APP_STATE[state] ?? `is ${state}`}`;
const NOT_SERVING: Readonly<Record<string, string>> = {
  starting: ': its probes do not succeed yet',
  failing: ': its probes do not succeed any more',
};

function becauseText(because: Because): string {
  switch (because.kind) {
    case 'notCreated':
      return `It is created at ${formatInstant(because.at)}.`;
    case 'removed':
      return `It was removed from the API at ${formatInstant(because.at)}.`;
    case 'settled':
      return `The app serves, and the kubelet's status v${because.version} says the same.`;
    case 'stillReady':
      return `But ${appText(because.container, because.app)}: the API has not heard of it yet.`;
    case 'notAsked':
      return `But ${appText(because.container, because.app)}, and no readiness probe asks it.`;
    case 'noListener':
      return `But none of its containers listens on port ${because.port}: requests to it are refused.`;
    case 'appWaiting':
      return `Container ${because.container} does not run${because.reason === '' ? '' : ` (${because.reason})`}${because.notBefore === null ? '' : `: back-off until ${formatInstant(because.notBefore)}`}.`;
    case 'deleting': {
      const app = because.app === '' ? '' : `, and ${appText(because.container, because.app)}`;
      return `It is being deleted since ${formatInstant(because.since)}${app}.`;
    }
    case 'unscheduled':
      return because.reason === '' ? 'No node has been chosen for it yet.' : `No node takes it: ${because.reason}`;
    case 'initContainer':
      return initText(because);
    case 'appNotServing':
      return `${capitalised(appText(because.container, because.app))}${NOT_SERVING[because.app] ?? ''}.`;
    case 'startupFailed':
      return `The startup probe of ${because.container} has failed for good: the kubelet kills the container.`;
    case 'belowThreshold':
      return `${because.run} of ${because.threshold} successes of the ${because.probe} probe of ${because.container} in a row; ${nextAttemptText(because.nextAttempt)}.`;
    case 'probing':
      return `The ${because.probe} probe of ${because.container} is running now.`;
    case 'waitingForProbe':
      return `The app serves, but the ${because.probe} probe of ${because.container} has not seen it: ${nextAttemptText(because.nextAttempt)}.`;
    case 'gate':
      return `The containers are ready, but nobody has set the readiness gate ${because.condition} to True.`;
    case 'waitingForSync':
      return because.probed
        ? 'The probes have passed; the kubelet has not put that into a status yet.'
        : 'The containers run; the kubelet has not put that into a status yet.';
    case 'nodeSilent':
      return `Its containers are ready. Nothing was heard of ${because.node}: at ${formatInstant(because.since)} the node controller gave it up and marked its Pods not Ready. No probe has failed.`;
    case 'nodeTrouble':
      return troubleText(because);
    case 'waitingForPatch':
      return because.committedAt === null
        ? `The kubelet knows (status v${because.version}); the PATCH has not been sent yet.`
        : `The kubelet knows (status v${because.version}); its PATCH lands at ${formatInstant(because.committedAt)}.`;
  }
}

function initText({ container, state, exitCode, notBefore }: PendingInit): string {
  const name = `Init container ${container}`;
  if (state === 'running') return `${name} runs: the others start after it has ended.`;
  const until = notBefore === null ? '' : `: back-off until ${formatInstant(notBefore)}`;
  return state === 'failed'
    ? `${name} has failed with exit code ${exitCode}${until}.`
    : `${name} does not run yet${until}.`;
}

const TROUBLE: Readonly<Record<Trouble, (node: string) => string>> = {
  off: (node) => `${node} has had no power`,
  cut: (node) => `nobody has reached ${node}`,
  apiCut: (node) => `${node} has not reached the API server`,
  kubeletDown: (node) => `the kubelet of ${node} has been down`,
};
const SERVES_ON: readonly Trouble[] = ['apiCut', 'kubeletDown'];

function troubleText({ node, trouble, since, givenUp, isReady }: Extract<Because, { kind: 'nodeTrouble' }>): string {
  const what = `since ${formatInstant(since)} ${TROUBLE[trouble](node)}`;
  if (givenUp !== null)
    return `${capitalised(what)}: at ${formatInstant(givenUp)} the node controller gave it up and marked its Pods not Ready. No probe has failed.`;
  if (!isReady) return `${capitalised(what)}.`;
  return `But ${what}${SERVES_ON.includes(trouble) ? ': its Pods serve on, unwatched' : ''}. A silent node is given up only after its grace period.`;
}

/** The grace of a deletion; else as it is. */
const actionDetail = ({ action, detail }: TraceEvent<'action'>['payload']): string => {
  if (detail === '') return '';
  return action === 'deletePod' || action === 'evictPod' ? `, grace ${detail}\u00a0s` : ` (${detail})`;
};
