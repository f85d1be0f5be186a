import { describe, expect, it } from 'vitest';
import type { FidelityRow } from './fidelity/row.ts';
import { FIDELITY } from './fidelity/table.ts';
import { citations, citedRules, FIDELITY_DOCUMENT } from './generate-fidelity.ts';

const rows = Object.entries(FIDELITY);
const cited = citations();

it('docs/fidelity.md is what the sources, the recordings and the invariants give', () => {
  expect(FIDELITY_DOCUMENT.read(), 'run: npm run fidelity').toBe(FIDELITY_DOCUMENT.make());
});

describe('the table of rules', () => {
  it.each<[string, (row: FidelityRow, number: string) => boolean]>([
    [
      'claims nothing that no code cites',
      ({ status }, number) => !['exact', 'approximated'].includes(status) || (cited.get(number) ?? []).length > 0,
    ],
    [
      'says how, from what or why, where a rule is not exact',
      ({ status, note }) => (status === 'exact') === (note === ''),
    ],
    ['describes each rule in a sentence', ({ text }) => /^[A-Z0-9a-z].*\.$/.test(text)],
  ])('%s', (_name, holds) => {
    expect(rows.filter(([number, row]) => !holds(row, number)).map(([number]) => number)).toEqual([]);
  });

  it('has every rule that the simulator cites', () => {
    const known = new Set(rows.map(([number]) => number));
    expect(known.size).toBeGreaterThan(140);
    expect([...cited.values()].flat().length).toBeGreaterThan(known.size);
  });

  it('takes a range for all the rules in it', () => {
    expect([...citedRules('doProbe (K-130 to K-132), K-160')]).toEqual(['K-130', 'K-131', 'K-132', 'K-160']);
  });
});
