import { expect, it } from 'vitest';
import { nodesWith } from '../../../../test/support/randomOutages.ts';
import { micros } from '../../../base/units.ts';
import { simulate } from '../../simulate.ts';
import { TraceReader } from '../../trace/reader.ts';

/** Seconds after the node's deletion at which a Pod was found to be an orphan. */
function orphanedAfter(deletedAt: number): readonly number[] {
  const actions = [{ at: micros(deletedAt * 1_000_000), do: 'deleteNode', node: 'node-1' }] as const;
  const events = new TraceReader(simulate(nodesWith({ actions }))).events();
  return events.flatMap((event) =>
    event.kind === 'controllerLog' && event.payload.message === 'orphan' ? [event.at / 1_000_000 - deletedAt] : [],
  );
}

it.each([3, 9, 15, 21])(
  'collects Pods of a node that was deleted at %i s in more than 40 and up to 80 s (N-037)',
  (at) => {
    const [after = 0, ...others] = orphanedAfter(at);
    expect(others).toEqual([]);
    expect(after).toBeGreaterThan(40);
    expect(after).toBeLessThanOrEqual(80);
  },
);
