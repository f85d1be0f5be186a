import { expect, it } from 'vitest';
import { type Quantiles, quantileAt } from './quantiles.ts';

const STEPPED: Quantiles = [
  [0, 10],
  [0.5, 20],
  [0.5, 100],
  [1, 200],
];

it.each<[name: string, fraction: number, value: number]>([
  ['the lowest value stands at fraction 0', 0, 10],
  ['between two points the way is straight', 0.25, 15],
  ['at a step the lower value counts', 0.5, 20],
  ['after a step the upper one begins', 0.50001, 100],
  ['the highest value stands at fraction 1', 1, 200],
])('%s', (_name, fraction, value) => {
  expect(quantileAt(STEPPED, fraction)).toBe(value);
});
