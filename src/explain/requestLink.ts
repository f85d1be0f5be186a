/** The last link: whether a client was ever served by the Pod since the rules hold it. */
import type { Micros } from '../base/units.ts';
import type { ProxyInput } from '../sim/clusterInput.ts';
import type { PodInput } from '../sim/scenario.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { backendChanges } from './backendAt.ts';
import { attemptsOf, clientsOf, subjectOf } from './pathSubject.ts';
import type { Link, WhyQuestion } from './why.ts';

/** None where no client of the asked nodes calls the Service. */
export function requestLink(run: FinishedRun, { pod, service, node, at }: WhyQuestion): readonly Link[] {
  const proxies = (run.scenario.cluster?.proxies ?? []).filter((proxy) => node === null || proxy.node === node);
  if (proxies.every(({ name }) => clientsOf(run, service, null, name).size === 0)) return [];
  const subject = subjectOf(run, pod, service, null);
  const held = heldBy(run, pod, service, proxies);
  const since = held.since(at);
  const served =
    subject === null
      ? []
      : proxies
          .flatMap(({ name }) => attemptsOf(subject, name))
          .filter(({ payload }) => payload.outcome === 'served')
          .filter(({ at: start, end }) => start >= since && held.at(start) && held.at(end))
          .map(({ end }) => end);
  const first = served.sort((a, b) => a - b)[0] ?? null;
  const isServed = first !== null && first <= at;
  return [
    {
      kind: 'request',
      hop: 7,
      container: '',
      probe: null,
      says: isServed ? 'yes' : 'no',
      value: '',
      since: isServed ? first : null,
      comesAt: isServed ? null : first,
      matters: true,
    },
  ];
}

/** Whether the rules of any of the nodes have it, and since when without a break; the instant itself where none has. */
function heldBy(
  run: FinishedRun,
  pod: PodInput,
  service: string,
  proxies: readonly ProxyInput[],
): { readonly at: (t: Micros) => boolean; readonly since: (t: Micros) => Micros } {
  const own = proxies.map(({ node }) => backendChanges(run, pod, service, node));
  const times = own
    .flat()
    .map((change) => change.at)
    .sort((a, b) => a - b);
  const at = (t: Micros): boolean => own.some((changes) => changes.findLast((change) => change.at <= t)?.isBackend);
  const since = (t: Micros): Micros => {
    const gap = times.findLast((time) => time <= t && !at(time)) ?? Number.NEGATIVE_INFINITY;
    return at(t) ? (times.find((time) => time > gap) ?? t) : t;
  };
  return { at, since };
}
