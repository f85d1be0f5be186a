/** What holds of every trace, whatever it tells. */
import type { Invariant } from '../invariant.ts';
import { place } from '../observation.ts';

export const TRACE_INVARIANTS: readonly Invariant[] = [
  {
    name: 'no event before the start or at the horizon or after',
    check: (run, find) => {
      for (const event of run.events)
        find.that(event.at >= 0 && event.at < run.horizon && !(event.end < event.at), () => place(event));
    },
  },
  {
    name: 'causes, and what armed a timer, come before their effects',
    check: (run, find) => {
      const order = new Map(run.events.map(({ ref }, index) => [`${ref.row}/${ref.ordinal}`, index]));
      for (const [index, event] of run.events.entries()) {
        const armed = run.reader.armedBy(event.ref);
        for (const ref of [...run.reader.causesOf(event.ref), ...(armed ? [armed] : [])]) {
          const cause = order.get(`${ref.row}/${ref.ordinal}`) ?? Number.POSITIVE_INFINITY;
          find.that(
            cause < index && run.reader.startOf(ref) <= event.at,
            () => `${place(event)}: caused by ${ref.row}/${ref.ordinal}`,
          );
        }
      }
    },
  },
  {
    name: 'everything has a cause but what comes from outside, what is armed, and what a tick finds',
    check: (run, find) => {
      const free = new Set([
        'action',
        'processStart',
        'processStop',
        'housekeeping',
        'removeContainer',
        'removePodSandbox',
      ]);
      for (const event of run.events) {
        if (free.has(event.kind)) continue;
        const hasCause = run.reader.causesOf(event.ref).length > 0 || run.reader.armedBy(event.ref) !== null;
        find.that(hasCause, () => place(event));
      }
    },
  },
];
