import { act, render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { testStores } from '../../../test/support/stores.ts';
import { StoresContext } from '../shared/index.ts';
import { Sliders } from './Sliders.tsx';

const pod = (name: string): string => `apiVersion: v1
kind: Pod
metadata: {name: ${name}}
spec: {containers: [{name: app, image: i}]}
`;
const pods = (count: number): string => Array.from({ length: count }, (_, i) => pod(`web-${i}`)).join('---\n');

describe('Sliders', () => {
  it.each<[name: string, count: number, last: string, more: string | null]>([
    ['of few workloads all have sliders', 3, 'web-2', null],
    [
      'of many workloads the first twenty have sliders',
      24,
      'web-19',
      '4 more workloads have their numbers in the YAML only.',
    ],
  ])('%s', async (_name, count, last, more) => {
    const stores = testStores({ text: pods(count), overrides: [] });
    await act(async () => {
      render(
        <StoresContext value={stores}>
          <Sliders />
        </StoresContext>,
      );
    });
    const titles = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent ?? '');
    const named = titles.filter((title) => /web-\d+/.test(title));
    expect(named.at(-1)).toContain(last);
    expect(screen.queryByText(/more workloads?/)?.textContent ?? null).toBe(more);
  });
});
