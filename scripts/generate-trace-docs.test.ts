import { expect, it } from 'vitest';
import { EXAMPLES } from '../src/io/examples/examples.ts';
import { readScenario } from '../src/io/readScenario.ts';
import { simulate } from '../src/sim/simulate.ts';
import { TraceReader } from '../src/sim/trace/reader.ts';
import { componentsOf, DESCRIBED, TRACE_DOCUMENT } from './generate-trace-docs.ts';

it('the table of docs/trace-json.md is what the kinds of events give', () => {
  expect(TRACE_DOCUMENT.read(), 'run: npx tsx scripts/generate-trace-docs.ts').toBe(TRACE_DOCUMENT.make());
});

it.each(EXAMPLES)('the events of $id have the components and shapes that the table says', ({ text }) => {
  const { scenario } = readScenario(text);
  if (!scenario) throw new Error('an example with errors');
  const wrong = new TraceReader(simulate(scenario)).events().filter(({ kind, subject, at, end }) => {
    const [, shape] = DESCRIBED[kind];
    return !componentsOf(kind).includes(subject.component) || (shape === 'instant' && end !== at);
  });
  expect(wrong).toEqual([]);
});
