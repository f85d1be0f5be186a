import { describe, expect, it } from 'vitest';
import { recordedRun } from '../../../test/support/recorded.ts';
import { buildGroups } from './buildGroups.ts';
import { laneOf } from './lane.ts';

/** The only Pod of each node refuses as soon as it is deleted, and stays in the rules for 17 ms. */
const run = recordedRun('endtoend/delete-refuse-at-once-01');
const clients = buildGroups(run).find(({ kind }) => kind === 'clients');

describe('lanes of clients', () => {
  it('there is one for each client, on the node that it calls from', () => {
    expect(clients?.lanes().map(({ part, node }) => [part, node])).toEqual(
      run.scenario.cluster?.clients.map(({ name, from }) => [name, from.type === 'outside' ? '' : from.node]),
    );
  });

  it('have a mark for each attempt, by its outcome', () => {
    const shapes = clients?.lanes().flatMap(({ glyphs }) => glyphs.map(({ row, shape }) => ({ row, shape }))) ?? [];
    const outcomes = new Map<string, Set<string>>();
    for (const { row, shape } of shapes) {
      const outcome = String(run.reader.field(row, 'outcome'));
      outcomes.set(outcome, (outcomes.get(outcome) ?? new Set()).add(shape));
    }
    expect(Object.fromEntries([...outcomes].map(([outcome, all]) => [outcome, [...all]]))).toMatchObject({
      served: ['served'],
      refused: ['refused'],
    });
    expect(shapes).toHaveLength(run.reader.events().filter(({ kind }) => kind === 'clientAttempt').length);
  });

  it('are where the events of clients stand', () => {
    const ids = new Set(clients?.lanes().map(({ id }) => id));
    const attempts = run.reader.events().filter(({ kind }) => kind === 'clientAttempt');
    expect(attempts.every((event) => ids.has(laneOf(event, run.reader) ?? ''))).toBe(true);
  });
});

describe('rules in force', () => {
  it('are hatched while they name a Pod at which nobody answers', () => {
    const rollout = recordedRun('endtoend/rolling-replace-02');
    const lanes = buildGroups(rollout)
      .find(({ kind }) => kind === 'proxy')
      ?.lanes();
    const silent = lanes?.[0]?.bands.filter(({ tone, from }) => tone === 'fail' && from > 70e6 && from < 76e6) ?? [];
    expect(
      silent.map(({ word, note, from, to }) => [word, note, Math.round(from / 1e3), Math.round(to / 1e3)]),
    ).toEqual([
      ['→ 3', '× old-0', 74_275, 74_290],
      ['→ 4', '× old-0', 74_290, 75_309],
    ]);
  });
});
