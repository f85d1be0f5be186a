/** The last link: whether a client was ever served by the Pod since the rules hold it. */
import type { FinishedRun } from '../sim/trace/run.ts';
import { backendChanges } from './backendAt.ts';
import { attemptsOf, clientsOf, subjectOf } from './pathSubject.ts';
import type { Link, WhyQuestion } from './why.ts';

/** None where no client of the asked nodes calls the Service. */
export function requestLink(run: FinishedRun, { pod, service, node, at }: WhyQuestion): readonly Link[] {
  const proxies = (run.scenario.cluster?.proxies ?? []).filter((proxy) => node === null || proxy.node === node);
  if (proxies.every(({ name }) => clientsOf(run, service, null, name).size === 0)) return [];
  const subject = subjectOf(run, pod, service, null);
  const served =
    subject === null
      ? []
      : proxies.flatMap(({ name, node: own }) => {
          const changes = backendChanges(run, pod, service, own);
          const since = changes.findLast((change) => change.at <= at && change.isBackend)?.at ?? at;
          return attemptsOf(subject, name)
            .filter(({ at: start, payload }) => start >= since && payload.outcome === 'served')
            .map(({ end }) => end);
        });
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
