import { describe, expect, it } from 'vitest';
import { EXAMPLES } from '../src/io/examples/examples.ts';
import { readScenario } from '../src/io/readScenario.ts';
import { simulate } from '../src/sim/simulate.ts';
import { TraceReader } from '../src/sim/trace/reader.ts';

describe('texts of stored objects', () => {
  it.each(EXAMPLES.map(({ id, text }) => ({ id, text })))('are JSON as JSON.stringify writes it: $id', ({ text }) => {
    const { scenario } = readScenario(text);
    const reader = new TraceReader(simulate(scenario as NonNullable<typeof scenario>));
    const count = reader.data.objects.base.length;
    const texts = Array.from({ length: count }, (_, i) => reader.versionText(i));
    expect(count).toBeGreaterThan(0);
    for (const one of texts) if (one.startsWith('{')) expect(JSON.stringify(JSON.parse(one))).toBe(one);
  });
});
