import { expect, it } from 'vitest';
import { didYouMean, suggest } from './suggest.ts';

const KNOWN = ['periodSeconds', 'timeoutSeconds', 'initialDelaySeconds', 'httpGet', 'exec'];

it.each([
  ['periodSecond', 'periodSeconds'],
  ['period_seconds', 'periodSeconds'],
  ['httpget', 'httpGet'],
  ['intialDelaySeconds', 'initialDelaySeconds'],
  ['path', null],
  ['x', null],
])('%s most likely means %s', (word, meant) => {
  expect(suggest(word, KNOWN)).toBe(meant);
});

it('names a short choice when nothing is near', () => {
  expect(didYouMean('path', ['exec', 'grpc'])).toBe('Known here: exec, grpc.');
});
