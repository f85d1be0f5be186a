import { formatDuration, formatInstant } from '../../base/format.ts';
import type { BackendAnswer, Hops } from '../backendAnswer.ts';
import type { LeftOut } from '../leftOut.ts';

const nodesText = (nodes: number): string => (nodes === 1 ? '1 node' : `${nodes} nodes`);

const hopsText = ({ toReady, toSlice, toRules }: Hops): string =>
  `, ${formatDuration(toReady + toSlice + toRules)} after the app could answer: ${formatDuration(toReady)} to Ready in the API, ${formatDuration(toSlice)} to the slice, ${formatDuration(toRules)} to the rules`;

/** Why rules are rightly without it. */
const WHY_LEFT_OUT: Readonly<Record<LeftOut, string>> = {
  noFrontend: 'the Service is gone, or has no cluster IP of that family',
  otherProxy: 'the label service.kubernetes.io/service-proxy-name leaves the Service to another proxy',
  noPort:
    'the slices list it under no port of the Service, as with a targetPort whose name none of its containers declares',
  local: 'internalTrafficPolicy Local keeps traffic on its node',
  hints: 'the hints in the slices keep traffic in its node or zone',
};

const lackingText = (ports: readonly string[]): string =>
  ports.length === 0
    ? ''
    : ` Not of ${ports.length === 1 ? 'port' : 'ports'} ${ports.join(', ')}: no container of it has what targetPort names.`;

/** Whether a Pod is a backend, as one sentence. */
export function backendText(answer: BackendAnswer): string {
  const { service } = answer;
  switch (answer.kind) {
    case 'waitingForSlice':
      return `The slices of ${service} do not list it as ready yet${answer.until === null ? '' : `: that comes at ${formatInstant(answer.until)}`}.`;
    case 'notWritten':
      return `${service} has no selector: its backends are those that somebody writes into Endpoints or slices, and it is none of them.`;
    case 'leftOut':
      return `The rules of ${service} on ${nodesText(answer.nodes)} are without it: ${WHY_LEFT_OUT[answer.by]}.`;
    case 'waitingForRules':
      return `The slices of ${service} list it, but ${answer.missing} of ${nodesText(answer.nodes)} ${answer.missing === 1 ? 'has' : 'have'} no rule for it yet${answer.until === null ? '' : `: that comes at ${formatInstant(answer.until)}`}.`;
    case 'inRules':
      return `It is a backend of ${service}${answer.nodes === 1 && answer.leftOut === null ? '' : ` on ${nodesText(answer.nodes)}`} since ${formatInstant(answer.since)}${answer.hops === null ? '' : hopsText(answer.hops)}.${answer.leftOut === null ? '' : ` Other nodes are without it: ${WHY_LEFT_OUT[answer.leftOut]}.`}${lackingText(answer.lackingPorts)}`;
    case 'inSlices':
      return `The slices of ${service} list it as ready since ${formatInstant(answer.since)}, and no rules are written: clients find it by the name of the Service.`;
    case 'published':
      return `${service} publishes addresses that are not Ready (publishNotReadyAddresses): ${answer.nodes === 0 ? 'its slices list it as ready' : `the rules of ${nodesText(answer.nodes)} send connections to it`}.`;
    case 'leaving':
      return `The rules of ${service} on ${nodesText(answer.nodes)} still send connections to it${answer.until === null ? '' : ` until ${formatInstant(answer.until)}`}.`;
    case 'fallback':
      return `${service} has no ready endpoint left: the rules fall back to this one, which is being deleted and still serves. Endpoints has dropped it.`;
    case 'dropped':
      return `The rules of ${service} are without it. Its slice keeps it as serving and terminating, Endpoints does not.`;
  }
}
