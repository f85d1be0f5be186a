import { lostRequests } from '../../../src/explain/lostRequests.ts';
import { pathEn } from '../../../src/explain/words/pathEn.ts';
import type { Invariant } from '../invariant.ts';
import { place } from '../observation.ts';
import type { PathObservation } from '../pathObservation.ts';

/** What clients meet, and what is said of the requests that were lost. */
export const REQUEST_INVARIANTS: readonly Invariant<PathObservation>[] = [
  {
    name: 'no request goes to a Pod that the rules in force on that node do not hold (P-054, T-010)',
    check: (run, find) => {
      const opened = new Map(
        run.of('connectionOpened').map(({ at, subject, payload }) => [`${subject.object} ${payload.connection}`, at]),
      );
      for (const attempt of run.of('clientAttempt')) {
        const { backend, via, connection } = attempt.payload;
        const isOpen = (opened.get(`${attempt.subject.object} ${connection}`) ?? attempt.at) < attempt.at;
        if (backend === '' || isOpen) continue;
        const held = [true, false].some((isAfter) => run.backendsAt(via, attempt.at, isAfter).has(backend));
        find.that(held, () => `${place(attempt)}: ${backend} by the rules of ${via}`);
      }
    },
  },
  {
    name: 'a request on a kept connection goes to the backend to which it was opened (T-012)',
    check: (run, find) => {
      const backends = new Map(
        run
          .of('connectionOpened')
          .map(({ subject, payload }) => [`${subject.object} ${payload.connection}`, payload.backend]),
      );
      for (const attempt of run.of('clientAttempt')) {
        const { connection, backend } = attempt.payload;
        if (connection === 0) continue;
        const own = backends.get(`${attempt.subject.object} ${connection}`);
        find.that(own === backend, () => `${place(attempt)}: ${backend}, opened to ${own}`);
      }
    },
  },
  {
    name: 'a client of a node meets the rules of that node (P-054)',
    check: (run, find) => {
      for (const attempt of run.of('clientAttempt')) {
        const { via } = attempt.payload;
        if (via !== '') find.that(via === attempt.subject.node, () => `${place(attempt)}: ${via}`);
      }
    },
  },
  {
    name: 'lost requests are those whose last attempt was not served, each once and with a sentence',
    check: (run, find) => {
      const lost = lostRequests(run.run);
      const failed = run
        .of('clientAttempt')
        .filter(({ end, payload }) => !Number.isNaN(end) && payload.final === 1 && payload.outcome !== 'served');
      find.that(lost.length === failed.length, () => `${lost.length} of ${failed.length}`);
      const rows = new Set(lost.map(({ ref }) => ref.row));
      for (const attempt of failed) find.that(rows.has(attempt.ref.row), () => place(attempt));
      for (const request of lost)
        find.that(/^[A-Z].*\.$/.test(pathEn.lost(request, request.pod)), () => pathEn.lost(request, request.pod));
    },
  },
  {
    name: 'the hop that is named as late is under way: what comes before it has spoken, and the rules have not followed',
    check: (run, find) => {
      for (const { at, held, pod, node } of lostRequests(run.run)) {
        if (held?.kind !== 'late' || held.hop < 4) continue;
        const input = run.pods.find(({ identity }) => identity === pod);
        if (input === undefined) continue;
        const { links } = run.why(input, node, at);
        const spoken = links.find(
          ({ kind }) => kind === ({ 4: 'kubelet', 5: 'api', 6: 'slice' } as const)[held.hop as 4 | 5 | 6],
        );
        const isGone = links.some(
          ({ kind, says }) => (kind === 'kept' || kind === 'exists' || kind === 'selected') && says === 'no',
        );
        find.that(held.since <= at, () => `${pod} at ${at}: since ${held.since}`);
        find.that(
          isGone || spoken?.says !== 'yes',
          () => `${pod} at ${at}: hop ${held.hop}, but ${spoken?.kind} says yes`,
        );
      }
    },
  },
];
