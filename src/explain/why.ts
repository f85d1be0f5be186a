/**
 * Why is this Pod (not) a backend of a Service at an instant: the chain of links from the object to the first request that
 * was served, and the first link that is missing. The ladder (`whoSees`) and the answer (`answerAt`) are its middle part.
 */
import type { Micros } from '../base/units.ts';
import type { ProxyMode } from '../sim/clusterInput.ts';
import type { PodInput, ProbeKind } from '../sim/scenario.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { type Answer, answerAt } from './answer.ts';
import { backendChanges, isBackend as isBackendIn, serviceViewAt } from './backendAt.ts';
import { type CannotTell, cannotTell } from './cannotTell.ts';
import type { HopNumber } from './hops.ts';
import { LINK_OF, linksAt } from './links.ts';
import { selectorAt } from './preconditions.ts';
import { proofOf, proofOfReason } from './proof.ts';
import { stateAt } from './stateAt.ts';
import { firstMissing, type Party, whoSees } from './whoSees.ts';

/** In the order in which they come true. */
export type LinkKind =
  | 'exists'
  /** It is not being deleted. */
  | 'kept'
  | 'scheduled'
  /** Its node is in touch; only where a scenario keeps it from that. */
  | 'node'
  | 'address'
  /** Its init containers have run to their end; only of a Pod that has such. */
  | 'init'
  | 'selected'
  | 'app'
  | 'probe'
  | 'gate'
  | 'kubelet'
  | 'api'
  | 'slice'
  | 'rules'
  | 'request';

export interface Link {
  readonly kind: LinkKind;
  /** The hop that it ends; null for a precondition. */
  readonly hop: HopNumber | null;
  /** '' for those that speak of the whole Pod. */
  readonly container: string;
  readonly probe: ProbeKind | null;
  readonly says: 'yes' | 'no' | 'unknown';
  /** In its own terms: a state, a result, an address, `app=web`; '' for nothing. */
  readonly value: string;
  readonly since: Micros | null;
  /** When it says yes next in this run; null for one that does, or never again. */
  readonly comesAt: Micros | null;
  /** Being a backend depends on it; of a liveness probe it does not. */
  readonly matters: boolean;
}

export interface WhyQuestion {
  readonly pod: PodInput;
  /** `namespace/name`. */
  readonly service: string;
  /** Whose kube-proxy is asked; null: all of them. */
  readonly node: string | null;
  readonly at: Micros;
}

export interface Why extends WhyQuestion {
  /** The rules asked about send new connections to it. */
  readonly isBackend: boolean;
  readonly links: readonly Link[];
  /** The first link that is missing; null for a backend, and where the model cannot tell. */
  readonly missing: Link | null;
  /** When the rules asked about hold it next; null for a backend, or never again in this run. */
  readonly comesTrueAt: Micros | null;
  /** The same in the terms of the answer sentence. */
  readonly answer: Answer;
  /** What the scenario lacks for an answer; null where it has all. */
  readonly cannotTell: CannotTell | null;
  /** Shows the missing link, or of a backend its rules, in a real cluster. */
  readonly proof: string;
}

/** The answer to a question. */
export function whyAt(run: FinishedRun, question: WhyQuestion): Why {
  const { pod, service, node, at } = question;
  const state = stateAt(run, pod, at);
  const whole = serviceViewAt(run, pod, service, at);
  const view = { ...whole, proxies: whole.proxies.filter((proxy) => node === null || proxy.node === node) };
  const links = linksAt(run, question, state, view);
  const isBackend = isBackendIn(view);
  const lacking = cannotTell(run, question);
  const missing = isBackend || lacking !== null ? null : firstMissingLink(links, whoSees(run, state, [view]));
  const next = backendChanges(run, pod, service, node).find((change) => change.at > at && change.isBackend);
  // Of a headless Service the slices are the end of the path.
  const answer = answerAt(run, state, [view]);
  const reason = lacking ?? (answer.backend?.kind === 'leftOut' ? answer.backend.by : null);
  const shown = missing ?? links.findLast(({ kind }) => kind === 'slice' || kind === 'rules');
  const subject = {
    pod,
    service,
    node: node ?? '',
    mode: modeOf(run, node),
    container: shown?.container ?? '',
    value: shown?.value ?? '',
    selector: selectorAt(run, service, at),
  };
  return {
    ...question,
    isBackend: isBackend && lacking === null,
    links,
    missing,
    comesTrueAt: isBackend ? null : (next?.at ?? null),
    answer,
    cannotTell: lacking,
    proof: (reason && proofOfReason(reason, subject)) ?? proofOf(shown?.kind ?? 'exists', subject),
  };
}

const modeOf = ({ scenario }: FinishedRun, node: string | null): ProxyMode =>
  scenario.cluster?.proxies.find((proxy) => node === null || proxy.node === node)?.mode ?? 'iptables';

/** What must hold before the first hop, and beside it. */
export const PRECONDITIONS: readonly LinkKind[] = [
  'exists',
  'kept',
  'scheduled',
  'node',
  'selected',
  'address',
  'init',
];

/** A precondition; else the ladder's first missing row; else, where a gate holds that row back, the gate. */
function firstMissingLink(links: readonly Link[], parties: readonly Party[]): Link | null {
  const condition = links.find(({ kind, says, matters }) => matters && PRECONDITIONS.includes(kind) && says !== 'yes');
  if (condition !== undefined) return condition;
  const party = firstMissing(parties);
  const row =
    party &&
    links.find(
      (link) =>
        link.kind === LINK_OF[party.kind][0] && link.container === party.container && link.probe === party.probe,
    );
  const gate = links.find(({ kind, says }) => kind === 'gate' && says !== 'yes');
  return (row?.kind === 'kubelet' ? gate : undefined) ?? row ?? null;
}
