import { describe, expect, it } from 'vitest';
import { changesOf, VERSION_CHANGES } from '../../src/explain/versionChanges.ts';
import { behaviourOf } from '../../src/sim/kubelet/behaviour.ts';
import { readRun } from '../support/readRun.ts';
import { container, pod, probe, scenario } from '../support/scenario.ts';

/** Switches of the kubelet that differ from the version before. */
function switchesAt(minor: number): readonly string[] {
  const before = Object.entries(behaviourOf(`1.${minor - 1}`));
  const now = new Map<string, boolean>(Object.entries(behaviourOf(`1.${minor}`)));
  return before.flatMap(([name, value]) => (now.get(name) === value ? [] : [name]));
}

/** A defect is one difference, told of the version that ended it. */
const BEGIN_OF_A_DEFECT: Readonly<Record<string, number>> = {
  stopsReadinessAtTermination: 22,
  cancelsProbeCommands: 35,
};

describe('differences between versions', () => {
  it.each(Array.from({ length: 17 }, (_, i) => 21 + i))('each switch of the kubelet at 1.%i is told', (minor) => {
    const switches = switchesAt(minor).filter((name) => minor !== BEGIN_OF_A_DEFECT[name]);
    const told = VERSION_CHANGES.filter(({ since }) => since === minor);
    expect(told.length).toBeGreaterThanOrEqual(switches.length);
  });

  it.each(VERSION_CHANGES.map((one) => [one.text.en, one] as const))('%s', (_text, { since, reference, text }) => {
    expect(reference).toMatch(/^~? ?(KEP-\d+|PR \d+|issue \d+|pkg\/|[A-Z]\w+)/);
    expect(text.en).toMatch(/1\.\d\d/);
    expect(text.zh).toMatch(/1\.\d\d.*。$/);
    const named = [...text.en.matchAll(/1\.(\d\d)/g)].map(([, minor]) => Number(minor));
    expect(named.every((minor) => minor <= since)).toBe(true);
  });
});

describe('an event tells', () => {
  const texts = (kubernetes: string): readonly (readonly [string, boolean])[] => {
    const run = readRun(scenario([pod([container({ readiness: probe() })])], 60, { kubernetes }));
    const [attempt] = run.all('probeRun', ({ payload }) => payload.outcome === 'attempt');
    if (!attempt) throw new Error('no attempt');
    return changesOf(attempt, kubernetes).map(({ text, isMissing }) => [text.en, isMissing]);
  };
  const WAITED = 'Up to 1.20 readiness waited for its own tick: nothing triggered it.';
  it('why readiness came late in an old version', () => {
    expect(texts('1.20')).toContainEqual([WAITED, true]);
  });
  it('what was otherwise before, where a trigger made it', () => {
    expect(texts('1.37')).toContainEqual([WAITED, false]);
  });
});
