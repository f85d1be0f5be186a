/** Who sees the Pod as ready, from the app outwards: facts only; panels say them in words. */
import type { Micros } from '../base/units.ts';
import type { ProbeKind } from '../sim/scenario.ts';
import { conditionOf } from '../sim/trace/podObject.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { backendAt, meantOf, type ServiceView } from './backendAt.ts';
import { type ClientView, clientViewAt, hasClients } from './clientView.ts';
import { hasKubelet } from './podsOf.ts';
import { readySince } from './readySince.ts';
import type { AppState, PodState, WorkerState } from './stateAt.ts';

export interface Party {
  readonly kind: 'app' | 'worker' | 'kubelet' | 'api' | 'slice' | 'rules' | 'request';
  /** '' for those that speak of the whole Pod. */
  readonly container: string;
  /** Of slice, rules and request: `namespace/name`; else ''. */
  readonly service: string;
  /** Null for all but workers. */
  readonly probe: ProbeKind | null;
  readonly says: 'yes' | 'no' | 'unknown';
  /** What it says in its own terms: a state of the app, a result, a version, a status, the state of an
   * endpoint, `2/3` nodes with a rule, an outcome of T-010 or `notSent`; '' for nothing. */
  readonly value: string;
  readonly since: Micros | null;
  /** Ready depends on it; of a liveness probe it does not. */
  readonly matters: boolean;
}

/** The parties in the order in which the news travels. `views`: the Services to speak of; all that ever list the Pod unless given. */
export function whoSees(
  run: FinishedRun,
  state: PodState,
  views: readonly ServiceView[] = backendAt(run, state.pod, state.at),
): readonly Party[] {
  const whole = { container: '', service: '', probe: null, matters: true } as const;
  const { kubelet, api } = state;
  const ready = api === null ? null : (conditionOf(api.status, 'Ready')?.status ?? null);
  return [
    ...state.apps.map(appParty),
    ...state.workers.map(workerParty),
    ...(hasKubelet(state.pod) ? [kubeletParty(kubelet)] : []),
    {
      ...whole,
      kind: 'api',
      says: api === null ? 'unknown' : ready === 'True' ? 'yes' : 'no',
      value: api?.isDeleted ? `${ready}, deleted` : (ready ?? ''),
      since: readySince(run, state.pod, state.at),
    },
    ...views.flatMap((view) => [...serviceParties(view), ...requestParty(run, state, view)]),
  ];
}

function kubeletParty(kubelet: PodState['kubelet']): Party {
  const isReady = kubelet !== null && conditionOf(kubelet.status, 'Ready')?.status === 'True';
  return {
    kind: 'kubelet',
    container: '',
    service: '',
    probe: null,
    matters: true,
    says: kubelet === null ? 'unknown' : isReady ? 'yes' : 'no',
    value: kubelet === null ? '' : `${kubelet.version}`,
    since: kubelet?.since ?? null,
  };
}

const OUTSIDE: readonly Party['kind'][] = ['api', 'slice', 'rules', 'request'];

/** The first party that the Pod's traffic depends on and that does not say yes; null when the API and all behind it do. */
export function firstMissing(parties: readonly Party[]): Party | null {
  if (parties.every(({ kind, says }) => says === 'yes' || !OUTSIDE.includes(kind))) return null;
  return parties.find(({ matters, says }) => matters && says !== 'yes') ?? null;
}

/** States of an app that does not serve, and did. */
const NO_MORE: readonly string[] = ['failing', 'stopping', 'exited'];

/** The last party that still says yes, while one before it has let go of the Pod or its app does not serve any more; null when none does. */
export function lastToLetGo(parties: readonly Party[], state: PodState): Party | null {
  const isLeaving = state.api?.isDeleted === true || state.apps.some((app) => NO_MORE.includes(app.state));
  const holding = parties.filter(({ matters, kind }) => matters && kind !== 'request');
  const last = holding.findLast(({ says }) => says === 'yes') ?? null;
  const isLast = last !== null && holding.slice(0, holding.indexOf(last)).some(({ says }) => says !== 'yes');
  return isLeaving && isLast ? last : null;
}

/** What a client last met at the Pod. None in a run without clients of the Service. */
function requestParty(
  { reader }: FinishedRun,
  { pod, at }: PodState,
  { service, slice, proxies }: ServiceView,
): readonly Party[] {
  if (!hasClients(reader, service)) return [];
  const isSent = proxies.length === 0 || proxies.some(({ value }) => value);
  const view = clientViewAt(reader, service, pod.identity, at, heldSince(slice, proxies));
  return [
    { kind: 'request', container: '', service, probe: null, matters: true, ...requestSays(view, isSent, proxies) },
  ];
}

/** Since when connections go to it: by the rules of any node; where none are written, by the slices. Null: they do not. */
function heldSince(slice: ServiceView['slice'], proxies: ServiceView['proxies']): Micros | null {
  if (proxies.length === 0) return slice.value === 'ready' ? slice.since : null;
  const held = proxies.flatMap(({ value, since }) => (value && since !== null ? [since] : []));
  return held.length > 0 ? (Math.min(...held) as Micros) : null;
}

/** An answer counts as long as the rules still send connections there. */
function requestSays(
  view: ClientView | null,
  isSent: boolean,
  proxies: ServiceView['proxies'],
): Pick<Party, 'says' | 'value' | 'since'> {
  if (view === null) return { says: 'unknown', value: '', since: null };
  if (view.outcome !== 'served') return { says: 'no', value: view.outcome, since: view.since };
  if (isSent) return { says: 'yes', value: view.outcome, since: view.since };
  const since = Math.max(...proxies.map((proxy) => proxy.since ?? 0)) as Micros;
  return { says: 'no', value: 'notSent', since };
}

/** One Service: what its slices say, and on how many nodes the rules have the Pod. */
function serviceParties(view: ServiceView): readonly Party[] {
  const { service, slice, proxies } = view;
  const whole = { container: '', service, probe: null, matters: true } as const;
  const meant = meantOf(view);
  const asked = meant.length > 0 ? meant : proxies;
  const holding = asked.filter(({ value }) => value).length;
  const isAbsent = slice.value === 'absent';
  const times = asked.map(({ since }) => since ?? 0);
  const parties: Party[] = [
    {
      ...whole,
      kind: 'slice',
      says: isAbsent ? 'unknown' : slice.value === 'ready' ? 'yes' : 'no',
      value: slice.value,
      since: slice.since,
    },
  ];
  if (proxies.length === 0) return parties;
  const isEverywhere = holding === asked.length;
  return [
    ...parties,
    {
      ...whole,
      kind: 'rules',
      says: isEverywhere ? 'yes' : 'no',
      value: `${holding}/${asked.length}`,
      since: asked.every(({ since }) => since !== null) ? (Math.max(...times) as Micros) : null,
    },
  ];
}

const appParty = ({ container, state, since }: AppState): Party => ({
  kind: 'app',
  container,
  service: '',
  probe: null,
  says: state === 'serving' ? 'yes' : state === 'waiting' ? 'unknown' : 'no',
  value: state,
  since,
  matters: true,
});

const workerParty = ({ container, probe, result }: WorkerState): Party => ({
  kind: 'worker',
  container,
  service: '',
  probe,
  says: result?.value === 'success' ? 'yes' : result?.value === 'failure' ? 'no' : 'unknown',
  value: result?.value ?? '',
  since: result?.since ?? null,
  matters: probe !== 'liveness',
});
