/** What holds of clients (T-004, T-005, T-010 to T-013). */
import type { ClientInput } from '../../src/sim/clientInput.ts';
import type { Attempt, ClientObservation } from './clientObservation.ts';
import { type Invariant, pairs } from './invariant.ts';
import { place } from './observation.ts';
import { RunEvents } from './runEvents.ts';

const said = (attempt: Attempt): string =>
  `${place(attempt)} ${attempt.subject.object} ${JSON.stringify(attempt.payload)}`;

/** The attempts of each client, in order. */
function eachClient(run: ClientObservation, check: (client: ClientInput, attempts: readonly Attempt[]) => void): void {
  for (const client of run.clients) check(client, run.attemptsOf(client));
}

/** The attempts of a client by a number of their payload, in order. */
function groupBy(attempts: readonly Attempt[], field: 'n' | 'connection'): readonly (readonly Attempt[])[] {
  const groups = new Map<number, Attempt[]>();
  for (const attempt of attempts) {
    const group = groups.get(attempt.payload[field]);
    if (group) group.push(attempt);
    else groups.set(attempt.payload[field], [attempt]);
  }
  return [...groups.values()];
}

export const CLIENT_INVARIANTS: readonly Invariant<ClientObservation>[] = [
  {
    name: 'no new connection goes to a backend that the rules in force on its node do not hold (P-056, T-010)',
    check: (run, find) =>
      eachClient(run, (client, attempts) => {
        for (const attempt of attempts) {
          const { via, backend } = attempt.payload;
          if (via === '' || backend === '') continue;
          find.that(run.inForce(client, attempt).includes(backend), () => said(attempt));
        }
      }),
  },
  {
    name: 'a request that the rules reject finds none in force (P-054, T-010)',
    check: (run, find) =>
      eachClient(run, (client, attempts) => {
        for (const attempt of attempts) {
          if (attempt.payload.outcome !== 'rejected' || client.from.type === 'outside') continue;
          find.that(run.inForce(client, attempt).length === 0, () => said(attempt));
        }
      }),
  },
  {
    name: 'a kept connection carries requests to its own backend, from its opening to its closing (T-012)',
    check: (run, find) => {
      for (const attempt of run.of('clientAttempt')) {
        const connection = run.reusedBy(attempt);
        if (!connection) continue;
        const isSame = connection.opened.payload.backend === attempt.payload.backend;
        find.that(isSame && attempt.at <= connection.until, () => said(attempt));
      }
    },
  },
  {
    name: 'a connection carries one request at a time (T-013)',
    check: (run, find) =>
      eachClient(run, (_client, attempts) => {
        const kept = attempts.filter(({ payload }) => payload.connection > 0);
        for (const list of groupBy(kept, 'connection'))
          for (const [one, next] of pairs(list)) find.that(next.at >= one.end, () => said(next));
      }),
  },
  {
    name: 'only a Pod with a process that runs answers (T-010)',
    check: (run, find) => {
      for (const attempt of run.of('clientAttempt')) {
        const { outcome, pod } = attempt.payload;
        if (outcome !== 'served' && outcome !== 'errorAnswer') continue;
        const starts = run
          .of('startContainer')
          .filter((event) => event.subject.pod === pod && event.end <= attempt.end);
        const ends = run.of('containerExit').filter((event) => event.subject.pod === pod && event.at < attempt.at);
        find.that(starts.length > ends.length, () => said(attempt));
      }
    },
  },
  {
    name: 'nothing takes longer than the timeout, and a timeout takes just as long (T-010)',
    check: (run, find) =>
      eachClient(run, (client, attempts) => {
        for (const attempt of attempts) {
          if (Number.isNaN(attempt.end)) continue;
          const length = attempt.end - attempt.at;
          const isTimeout = attempt.payload.outcome === 'timeout';
          find.that(isTimeout ? length === client.timeout : length <= client.timeout, () => said(attempt));
        }
      }),
  },
  {
    name: 'a request has its tries in order, as many as it may, and one that is final',
    check: (run, find) =>
      eachClient(run, ({ retries }, attempts) => {
        for (const list of groupBy(attempts, 'n')) {
          const isOrdered = list.every(({ payload }, i) => payload.try === i);
          const finals = list.filter(({ payload }) => payload.final === 1);
          const last = list.at(-1) as Attempt;
          const isOver = finals.length === 1 ? finals[0] === last : run.horizon - last.at < RETRY_WITHIN;
          find.that(isOrdered && isOver && list.length <= retries.count + 1, () => said(last));
        }
      }),
  },
  {
    name: 'who asked for a name connects to one of the addresses of its last answer (T-004)',
    check: (run, find) =>
      eachClient(run, ({ name, to }, attempts) => {
        if (to.type !== 'endpoints' || to.resolver.type !== 'dns') return;
        const lookups = run.of('dnsLookup').filter(({ subject }) => subject.object === name);
        for (const attempt of attempts) {
          const { backend } = attempt.payload;
          if (run.reusedBy(attempt)) continue;
          const [cause] = run.causes(attempt);
          const answer = lookups.find(({ ref }) => ref.row === cause?.ref.row && ref.ordinal === cause.ref.ordinal);
          const ips = answer?.payload.answer.split(', ') ?? [];
          const isOfIt =
            backend === '' ? ips[0] === 'NXDOMAIN' : ips.includes(backend.slice(0, backend.lastIndexOf(':')));
          find.that(isOfIt, () => `${said(attempt)} after ${answer?.payload.answer}`);
        }
      }),
  },
  {
    name: 'no cache gives an answer for longer than its time to live (T-005)',
    check: (run, find) =>
      eachClient(run, ({ name, to }) => {
        if (to.type !== 'endpoints' || to.resolver.type !== 'dns') return;
        const { ttl } = to.resolver;
        for (const lookup of run.of('dnsLookup').filter(({ subject }) => subject.object === name)) {
          find.that(lookup.payload.ttl > 0 && lookup.payload.ttl <= ttl, () => place(lookup));
        }
      }),
  },
  {
    name: 'clients change nothing of the cluster',
    check: (run, find) => {
      const { cluster } = run.scenario;
      if (!cluster || cluster.clients.some(({ protocol }) => protocol === 'UDP')) return;
      const alone = new RunEvents({ ...run.scenario, cluster: { ...cluster, clients: [] } });
      const told = (one: RunEvents): readonly string[] =>
        one.of('stored').map(({ at, subject, payload }) => `${at} ${subject.object} ${payload.resourceVersion}`);
      find.that(told(run).join('\n') === told(alone).join('\n'), () => 'another history');
    },
  },
  {
    name: 'the same scenario gives the same requests',
    check: (run, find) => {
      const again = new RunEvents(run.scenario);
      const told = (one: RunEvents): string => one.of('clientAttempt').map(said).join('\n');
      find.that(told(run) === told(again), () => 'other requests');
    },
  },
];

/** No retry begins later than so after the attempt before, µs. */
const RETRY_WITHIN = 2_100_000;
