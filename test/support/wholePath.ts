/** Questions to runs with workloads, nodes and clients. Instants are in seconds. */
import { type EndpointState, endpointState, historyOf, slicesOf } from '../../src/sim/trace/storedObjects.ts';
import type { ReadRun } from './readRun.ts';

export interface Lost {
  readonly at: number;
  readonly pod: string;
  readonly outcome: string;
}

/** The requests that were not served: when they began, and who did not. */
export const lostOf = (run: ReadRun): readonly Lost[] =>
  run
    .all('clientAttempt', ({ payload }) => payload.final === 1 && payload.outcome !== 'served')
    .map(({ at, payload: { pod, outcome } }) => ({ at: at / 1e6, pod, outcome }));

/** When a container of each Pod last got SIGTERM. */
export const sigterms = (run: ReadRun): ReadonlyMap<string, number> =>
  new Map(run.all('sigterm').map(({ subject, at }) => [subject.pod, at / 1e6]));

/** States of the endpoints of a Service at `t`, by the names of their Pods. */
export const endpointsAt = ({ reader }: ReadRun, service: string, t: number): ReadonlyMap<string, EndpointState> =>
  new Map(
    slicesOf(reader, service)
      .flatMap(
        (key) => historyOf(reader, 'endpointslices', key).findLast(({ at }) => at <= t * 1e6)?.object?.endpoints ?? [],
      )
      .map((endpoint) => [endpoint.targetRef?.name ?? '', endpointState(endpoint)]),
  );

/** The Deployment's status from `at` on. */
export const deploymentStatuses = ({ reader }: ReadRun, key: string) =>
  historyOf(reader, 'deployments', key).flatMap(({ at, object }) =>
    object ? [{ at: at / 1e6, ...object.status }] : [],
  );
