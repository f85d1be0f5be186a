/** Who sees the Pod as ready, from the app outwards: facts only; panels say them in words. */
import type { Micros } from '../base/units.ts';
import type { ProbeKind } from '../sim/scenario.ts';
import { conditionOf } from '../sim/trace/podObject.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { backendAt, type ServiceView } from './backendAt.ts';
import { readySince } from './readySince.ts';
import type { AppState, PodState, WorkerState } from './stateAt.ts';

export interface Party {
  readonly kind: 'app' | 'worker' | 'kubelet' | 'api' | 'slice' | 'rules';
  /** '' for those that speak of the whole Pod. */
  readonly container: string;
  /** Of slice and rules: `namespace/name`; else ''. */
  readonly service: string;
  /** Null for all but workers. */
  readonly probe: ProbeKind | null;
  readonly says: 'yes' | 'no' | 'unknown';
  /** What it says in its own terms: a state of the app, a result, a version, a status, the state of an
   * endpoint, `2/3` nodes with a rule; '' for nothing. */
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
  const kubeletReady = kubelet !== null && conditionOf(kubelet.status, 'Ready')?.status === 'True';
  const ready = api === null ? null : (conditionOf(api.status, 'Ready')?.status ?? null);
  return [
    ...state.apps.map(appParty),
    ...state.workers.map(workerParty),
    {
      ...whole,
      kind: 'kubelet',
      says: kubelet === null ? 'unknown' : kubeletReady ? 'yes' : 'no',
      value: kubelet === null ? '' : `${kubelet.version}`,
      since: kubelet?.since ?? null,
    },
    {
      ...whole,
      kind: 'api',
      says: api === null ? 'unknown' : ready === 'True' ? 'yes' : 'no',
      value: ready ?? '',
      since: readySince(run, state.pod, state.at),
    },
    ...views.flatMap(serviceParties),
  ];
}

const OUTSIDE: readonly Party['kind'][] = ['api', 'slice', 'rules'];

/** The first party that the Pod's traffic depends on and that does not say yes; null when the API and all behind it do. */
export function firstMissing(parties: readonly Party[]): Party | null {
  if (parties.every(({ kind, says }) => says === 'yes' || !OUTSIDE.includes(kind))) return null;
  return parties.find(({ matters, says }) => matters && says !== 'yes') ?? null;
}

/** One Service: what its slices say, and on how many nodes the rules have the Pod. */
function serviceParties({ service, slice, proxies }: ServiceView): readonly Party[] {
  const whole = { container: '', service, probe: null, matters: true } as const;
  const holding = proxies.filter(({ value }) => value).length;
  const isAbsent = slice.value === 'absent';
  const times = proxies.map(({ since }) => since ?? 0);
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
  const isEverywhere = holding === proxies.length;
  return [
    ...parties,
    {
      ...whole,
      kind: 'rules',
      says: isEverywhere ? 'yes' : 'no',
      value: `${holding}/${proxies.length}`,
      since: proxies.every(({ since }) => since !== null) ? (Math.max(...times) as Micros) : null,
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
