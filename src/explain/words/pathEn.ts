import { formatInstant } from '../../base/format.ts';
import { isDoubt } from '../answer.ts';
import type { CannotTell } from '../cannotTell.ts';
import type { Held } from '../heldAt.ts';
import type { HopNumber, PathPart } from '../hops.ts';
import type { LostRequest } from '../lostRequests.ts';
import type { Link, LinkKind, Why } from '../why.ts';
import { editEn } from './editEn.ts';
import { en } from './en.ts';
import type { PathWords } from './pathWords.ts';

const HOP: Readonly<Record<PathPart, string>> = {
  1: 'wait for probe',
  2: 'probe',
  gate: 'readiness gate',
  3: 'syncLoop',
  4: 'PATCH',
  5: 'slice write',
  silence: 'node not given up',
  fallback: 'kept as fall-back',
  6: 'rule sync',
  7: 'next attempt',
};

const LINK: Readonly<Record<LinkKind, string>> = {
  exists: 'exists in the API',
  kept: 'is not being deleted',
  scheduled: 'has a node',
  node: 'its node is in touch',
  selected: 'is selected by the Service',
  address: 'has an address in the API',
  init: 'init containers have ended',
  app: 'app serves',
  probe: 'probe has succeeded',
  gate: 'readiness gate is open',
  kubelet: 'kubelet says Ready',
  api: 'Ready in the API',
  slice: 'listed as ready in the slice',
  rules: 'in the rules',
  request: 'a request was served',
};

const CANNOT_TELL: Readonly<Record<CannotTell, string>> = {
  outside: 'The model cannot tell: the run does not cover that instant.',
  noServices:
    'This text has no Service in its namespace, so nothing has it as a backend: add one that selects its labels.',
  noService: 'The model cannot tell: this scenario has no such Service.',
  externalName:
    'It is of type ExternalName: DNS answers with another name, no Pod is ever its backend, and no rules are written.',
  noSlices:
    'The Service has no selector, and nobody writes Endpoints or EndpointSlices for it here: it has no backends.',
  noProxies: 'The model cannot tell: no kube-proxy runs there in this scenario.',
};

/** Why a node is not; else its name. */
const TROUBLE: Readonly<Record<string, string>> = {
  off: 'no power',
  cut: 'nobody reaches it',
  apiCut: 'does not reach the API server',
  kubeletDown: 'kubelet is down',
};

const nameOf = (key: string): string => key.slice(key.indexOf('/') + 1);

export const pathEn: PathWords = {
  ...editEn,
  hop: (hop) => HOP[hop],
  leftBefore: (hop) => `left while waiting for: ${HOP[hop]}`,
  unfinished: (hop) => (hop === 'fallback' ? `still ${HOP.fallback}` : `still waiting for: ${HOP[hop]}`),
  lost: lostText,
  question: ({ pod, service, node, at, isBackend }) =>
    `Why is ${pod.name} ${isBackend ? '' : 'not '}a backend${service === '' ? '' : ` of ${nameOf(service)}`}${node === null ? '' : ` on ${node}`} at ${formatInstant(at)}?`,
  answer: answerText,
  link: ({ kind, container, probe }) =>
    kind === 'probe'
      ? `${probe} ${LINK.probe} (${container})`
      : `${LINK[kind]}${container === '' ? '' : ` (${container})`}`,
  value: valueText,
  comes: ({ says, comesAt }) =>
    says === 'yes' ? '' : comesAt === null ? 'not before this run ends' : `comes at ${formatInstant(comesAt)}`,
};

function metText({ met, node, service, code }: LostRequest, pod: string): string {
  switch (met) {
    case 'noEndpoints':
      return `Rejected by the rules${node === '' ? '' : ` of ${node}`}: ${nameOf(service)} has no endpoint that it could go to`;
    case 'noRules':
      return `Timed out: ${node === '' ? 'there' : node} has no rules for ${nameOf(service)} yet`;
    case 'dropped':
      return `Timed out: the rules${node === '' ? '' : ` of ${node}`} drop it, as the traffic policy of ${nameOf(service)} leaves no endpoint for it`;
    case 'noName':
      return `No answer from DNS: the name of ${nameOf(service)} has no address`;
    case 'nowhere':
      return 'Not sent: it knows no address to send to';
    case 'noListener':
      return `Refused: nobody listens in ${pod}`;
    case 'noProcess':
      return `Refused: the container of ${pod} does not run`;
    case 'noAddress':
      return `Timed out: nobody has the address of ${pod} any more`;
    case 'noWay':
      return pod === '' ? `Timed out: ${node} cannot be reached` : `Timed out: there is no way to the node of ${pod}`;
    case 'hang':
      return `Timed out: the app of ${pod} takes the connection and never answers`;
    case 'slow':
      return `Timed out: the app of ${pod} answers too late`;
    case 'error':
      return `${pod} answered with ${code}`;
    case 'wrongPod':
      return `Answered by ${pod}, which ${nameOf(service)} does not select`;
    case 'ended':
      return `Reset: the app of ${pod} ended before it had answered`;
  }
}

/** Who has spoken, by the hop that is under way. */
const KNOWN_TO: Readonly<Record<HopNumber, string>> = {
  1: 'the app has not answered',
  2: 'the app has not answered',
  3: 'the kubelet could have known',
  4: 'the status of the kubelet has had it',
  5: 'the API has had it',
  6: 'the slice has been without it',
  7: 'the rules have been without it',
};

function heldText(held: Held): string {
  switch (held.kind) {
    case 'late':
      return `; it stays a backend until ${HOP[held.hop]} (hop ${held.hop}) is over: ${KNOWN_TO[held.hop]} since ${formatInstant(held.since)}`;
    case 'fallback':
      return '; the rules fall back to it while it is being deleted, because no ready endpoint is left';
    case 'published':
      return '; the Service publishes it ready or not';
    case 'connection':
      return `; the client keeps a connection to it since ${formatInstant(held.since)}, and rules decide new ones only`;
    case 'name':
      return `; the client has its address from DNS, though the slice has been without it since ${formatInstant(held.since)}`;
    case 'watcher':
      return `; the client watches slices itself, and has not heeded the one without it of ${formatInstant(held.since)}`;
    case 'flow':
      return `; its packets belong to a flow that the node still tracks, though the slice has been without it since ${formatInstant(held.since)}`;
    case 'silent':
      return '; a node that is silent is given up only after its grace period';
    case 'unasked':
      return '; no readiness probe asks it, so it counts as ready';
    case 'unnoticed':
      return '; its probes do not notice';
    case 'answering':
      return '';
  }
}

function lostText(request: LostRequest, pod: string): string {
  return `${metText(request, pod)}${request.held === null ? '' : heldText(request.held)}.`;
}

function valueText({ kind, value }: Link): string {
  if (kind === 'kubelet') return value === '' ? '' : `status v${value}`;
  if (kind === 'node') return TROUBLE[value] ?? value;
  return kind === 'rules' ? `${value} nodes` : value;
}

function answerText(why: Why): string {
  const { cannotTell, isBackend, missing, comesTrueAt } = why;
  if (cannotTell !== null) return CANNOT_TELL[cannotTell];
  if (isBackend) return backendText(why);
  const then =
    comesTrueAt === null
      ? 'It does not become a backend before this run ends.'
      : `It becomes a backend at ${formatInstant(comesTrueAt)}.`;
  return `${missing === null ? '' : `${missingText(why, missing)} `}${then}`;
}

/** Where nothing is missing: since when, or why it is one all the same. */
function backendText({ answer, links }: Why): string {
  const said = en.backend(answer);
  if (said !== '') return isDoubt(answer.because) ? `${said} ${en.because(answer)}` : said;
  const api = links.find(({ kind }) => kind === 'api');
  return api?.says === 'yes'
    ? 'The rules send new connections to it.'
    : 'It is published although it is not Ready: the Service has publishNotReadyAddresses.';
}

function missingText({ answer, service }: Why, { kind, value, since }: Link): string {
  switch (kind) {
    case 'exists':
      return en.because(answer);
    case 'kept':
      return `It is being deleted${since === null ? '' : ` since ${formatInstant(since)}`}. ${en.backend(answer)}`.trim();
    case 'selected':
      return `Its labels do not match the selector of ${nameOf(service)} (${value}).`;
    case 'address':
      return `It has no address in the API yet. ${en.because(answer)}`;
    case 'slice':
    case 'rules':
      return en.backend(answer);
    default:
      return en.because(answer);
  }
}
