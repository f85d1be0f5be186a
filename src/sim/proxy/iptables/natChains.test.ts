import { expect, it } from 'vitest';
import { NatChains } from './natChains.ts';

/** Steps: `web=ab` needs these chains, `?` counts the stale ones, `+` a restore is applied, `x` one that deletes stale chains too. */
function play(steps: string): string {
  const chains = new NatChains();
  const counted: number[] = [];
  for (const step of steps.split(' ')) {
    const [service = '', names] = step.split('=');
    if (names !== undefined) chains.need(service, new Set(names));
    else if (step === '?') counted.push(chains.countStale());
    else chains.applied(step === 'x');
  }
  return counted.join(' ');
}

it.each<[string, string, string]>([
  ['new chains are not stale', 'web=ab ? x ?', '0 0'],
  ['one that nothing leads to any more is', 'web=ab x web=a ?', '1'],
  ['and is deleted by the restore', 'web=ab x web=a ? x ?', '1 0'],
  ['a restore that failed leaves it', 'web=ab x web=a ? ? x ?', '1 1 0'],
  ['one that was never written is not stale', 'web=ab web=a ? x', '0'],
  ['all chains of a Service that is gone', 'web=ab x web= ?', '2'],
  ['without cleaning they pile up', 'web=ab x web=a ? + web=c ? + ? x ?', '1 2 2 0'],
  ['one that is needed again is not stale', 'web=ab x web=a + web=ab ?', '0'],
  ['Services are counted together', 'web=ab db=c x web=a db= ?', '2'],
])('%s', (_, steps, stale) => {
  expect(play(steps)).toBe(stale);
});
