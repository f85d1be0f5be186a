import { formatInstant } from '../../base/format.ts';
import type { CannotTell } from '../cannotTell.ts';
import type { HopNumber } from '../hops.ts';
import type { Link, LinkKind, Why } from '../why.ts';
import { en } from './en.ts';
import type { PathWords } from './pathWords.ts';

const HOP: Readonly<Record<HopNumber, string>> = {
  1: 'wait for probe',
  2: 'probe',
  3: 'syncLoop',
  4: 'PATCH',
  5: 'slice write',
  6: 'rule sync',
  7: 'next attempt',
};

const LINK: Readonly<Record<LinkKind, string>> = {
  exists: 'exists in the API',
  kept: 'is not being deleted',
  scheduled: 'has a node',
  selected: 'is selected by the Service',
  address: 'has an address in the API',
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
  noService: 'The model cannot tell: this scenario has no such Service.',
  noSlices: 'The model cannot tell: nobody makes EndpointSlices for this Service here.',
  noProxies: 'The model cannot tell: no kube-proxy runs there in this scenario.',
};

const nameOf = (key: string): string => key.slice(key.indexOf('/') + 1);

export const pathEn: PathWords = {
  hop: (hop) => HOP[hop],
  question: ({ pod, service, node, at, isBackend }) =>
    `Why is ${pod.name} ${isBackend ? '' : 'not '}a backend of ${nameOf(service)}${node === null ? '' : ` on ${node}`} at ${formatInstant(at)}?`,
  answer: answerText,
  link: ({ kind, container, probe }) =>
    kind === 'probe'
      ? `${probe} ${LINK.probe} (${container})`
      : `${LINK[kind]}${container === '' ? '' : ` (${container})`}`,
  value: valueText,
  comes: ({ says, comesAt }) =>
    says === 'yes' ? '' : comesAt === null ? 'not before this run ends' : `comes at ${formatInstant(comesAt)}`,
};

function valueText({ kind, value }: Link): string {
  if (kind === 'kubelet') return value === '' ? '' : `status v${value}`;
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
  if (said !== '') return said;
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
    case 'scheduled':
      return 'No node has been chosen for it yet.';
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
