/** The links of the chain from a Pod object to its first served request, as they stand at an instant. */
import type { Micros } from '../base/units.ts';
import { conditionOf, podStatusOf } from '../sim/trace/podObject.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { backendChanges, type ServiceView } from './backendAt.ts';
import { endpointHistoryOf } from './endpointHistory.ts';
import type { HopNumber } from './hops.ts';
import { eventsOfKind, lasting, subjectsOfPod } from './lookUp.ts';
import { preconditions } from './preconditions.ts';
import { readyChanges } from './readySince.ts';
import { requestLink } from './requestLink.ts';
import { type PodState, resultAt } from './stateAt.ts';
import { type Party, whoSees } from './whoSees.ts';
import type { Link, LinkKind, WhyQuestion } from './why.ts';

/** All links in the order in which they come true: preconditions, what the ladder has, and the first request. */
export function linksAt(run: FinishedRun, question: WhyQuestion, state: PodState, view: ServiceView): readonly Link[] {
  const { conditions, gates } = preconditions(run, question, state.apps);
  // The ladder tells what a client met last; the last link is whether one was ever served.
  const ladder = whoSees(run, state, [view])
    .filter(isOfPath)
    // Asked of no Service there is no slice to speak of.
    .filter(({ kind }) => question.service !== '' || !BEHIND_API.includes(kind))
    .map((party) => linkOf(run, question, party));
  const kubelet = ladder.findIndex(({ kind }) => kind === 'kubelet' || kind === 'api');
  return [
    ...conditions,
    ...ladder.slice(0, kubelet),
    ...gates,
    ...ladder.slice(kubelet),
    ...requestLink(run, question),
  ];
}

const BEHIND_API: readonly Party['kind'][] = ['slice', 'rules'];

type PathParty = Party & { readonly kind: Exclude<Party['kind'], 'request'> };
const isOfPath = (party: Party): party is PathParty => party.kind !== 'request';

/** The link and the hop that a row of the ladder is. */
export const LINK_OF: Readonly<Record<Party['kind'], readonly [kind: LinkKind, hop: HopNumber | null]>> = {
  app: ['app', null],
  worker: ['probe', 2],
  kubelet: ['kubelet', 3],
  api: ['api', 4],
  slice: ['slice', 5],
  rules: ['rules', 6],
  request: ['request', 7],
};

/** A row of the ladder as a link: the same word, and when it says yes next. */
function linkOf(run: FinishedRun, question: WhyQuestion, party: PathParty): Link {
  const [kind, ends] = LINK_OF[party.kind];
  const { container, probe, says, value, since, matters } = party;
  // The hops know the probe that makes the Pod Ready; startup only lets it begin.
  const hop = probe === null || probe === 'readiness' ? ends : null;
  const comesAt = says === 'yes' ? null : nextYes(run, question, party);
  return { kind, hop, container, probe, says, value, since, comesAt, matters };
}

function nextYes(run: FinishedRun, { pod, node, at }: WhyQuestion, party: PathParty): Micros | null {
  const { reader } = run;
  const { kind, container, probe, service } = party;
  switch (kind) {
    case 'app': {
      const states = eventsOfKind(
        reader,
        subjectsOfPod(reader, pod.identity, (s) => s.container === container),
        'appState',
      );
      return lasting(states).find((set) => set.at > at && set.payload.state === 'serving')?.at ?? null;
    }
    case 'worker': {
      const subjects = subjectsOfPod(reader, pod.identity, (s) => s.container === container && s.probe === probe);
      const isStored = (set: { readonly at: Micros }): boolean =>
        probe !== null && resultAt(reader, pod, container, probe, set.at)?.value === 'success';
      return eventsOfKind(reader, subjects, 'resultSet').find((set) => set.at > at && isStored(set))?.at ?? null;
    }
    case 'kubelet': {
      const sets = lasting(eventsOfKind(reader, subjectsOfPod(reader, pod.identity), 'statusSet'));
      const isReadySet = ({ object }: { readonly object: number }): boolean =>
        object >= 0 && isReady(podStatusOf(reader, object));
      return sets.find((set) => set.at > at && isReadySet(set.payload))?.at ?? null;
    }
    case 'api':
      return readyChanges(run, pod).find((change) => change.at > at && change.ready)?.at ?? null;
    case 'slice': {
      const history = endpointHistoryOf(reader, pod.uid, service, null);
      return history?.steps.find((step) => step.at > at && step.state === 'ready')?.at ?? null;
    }
    case 'rules':
      return backendChanges(run, pod, service, node).find((change) => change.at > at && change.isBackend)?.at ?? null;
  }
}

const isReady = (status: Parameters<typeof conditionOf>[0]): boolean => conditionOf(status, 'Ready')?.status === 'True';
