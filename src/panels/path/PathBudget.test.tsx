import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { describe, expect, it } from 'vitest';
import { recordedRun } from '../../../test/support/recorded.ts';
import { storesShowing } from '../../../test/support/stores.ts';
import { StoresContext } from '../shared/index.ts';
import { PathBudget } from './PathBudget.tsx';

/** web-0 answers at 72.269 s and is probed at 94.054 s; its first request is answered at 95.688 s, from node-b. */
const LONG_PERIOD = 'endtoend/long-readiness-period-01';
/** web-0 answers at 65.157 s and is probed at 70.134 s; its gate is opened at 77.767 s. */
const GATE = 'endtoend/readiness-gate-01';
/** old-0 is deleted at 74.268 s and leaves the rules of node-a at 75.309 s. */
const ROLLOUT = 'endtoend/rolling-replace-02';

async function setup(recording: string, seconds: number) {
  const run = recordedRun(recording);
  const stores = storesShowing(run, seconds * 1e6);
  await act(async () => {
    render(
      <StoresContext value={stores}>
        <Suspense>
          <PathBudget run={run} />
        </Suspense>
      </StoresContext>,
    );
  });
  await screen.findByRole('region', { name: 'Where the time goes' });
  return { stores, run };
}
const cells = (): readonly string[] =>
  screen.getAllByRole('button').map(({ textContent }) => (textContent ?? '').replaceAll(/[\u00a0\u202f]/g, ' '));
const percentOf = (element: Element | null): number => Number.parseFloat((element as HTMLElement).style.left);

describe('PathBudget', () => {
  it('shares the way in out among the hops, and names the longest with its share', async () => {
    await setup(LONG_PERIOD, 90);
    expect(screen.getByText(/^App can answer 72.269/).textContent).toMatch(/first request served 95.68\d\ss$/);
    expect(cells()[0]).toBe('1 Wait for probe21.785 s 93 % of the path');
    expect(cells().map((cell) => cell.slice(0, 1))).toEqual(['1', '2', '4', '5', '6', '7']);
  });

  it('names the wait for a readiness gate, which is no hop and has no number', async () => {
    await setup(GATE, 72);
    expect(cells()[2]).toBe('Readiness gate7.609 s 60 % of the path');
    expect(cells().map((cell) => cell.slice(0, 1))).toEqual(['1', '2', 'R', '3', '4', '5', '6', '7']);
  });

  it('marks the playhead where it stands on the path, and not outside of it', async () => {
    const { stores } = await setup(LONG_PERIOD, 83.98);
    expect(percentOf(document.querySelector('.budget-playhead'))).toBeCloseTo(50, 0);
    act(() => stores.playback.setState({ playhead: 1e6 }));
    expect(document.querySelector('.budget-playhead')).toBeNull();
  });

  it('shows the way out once it has begun, with the requests that were lost on it', async () => {
    await setup(ROLLOUT, 74.551);
    expect(screen.getByText(/^old-0 deleted 74.268/).textContent).toMatch(/out of the rules of node-a 75.309\ss$/);
    expect(cells()).toEqual(['5 Slice write7 ms', '6 Rule sync1.034 s 99 % of the path', 'Last request sent75.241 s']);
    const parts = [...document.querySelectorAll('.parts p')].map(({ textContent }) => textContent);
    expect(parts).toEqual([
      expect.stringMatching(/^Wait for the sync1\.01\d\ss$/),
      expect.stringMatching(/^Write rules19\sms$/),
    ]);
    expect(document.querySelectorAll('.budget-lost')).toHaveLength(4);
    expect(screen.getByText('4 requests to it lost')).toBeDefined();
  });

  it('leads to a hop: the window shows it, and its end is selected', async () => {
    const { stores, run } = await setup(ROLLOUT, 74.551);
    await userEvent.click(screen.getByRole('button', { name: /Rule sync/ }));
    const { window, selected } = stores.view.getState();
    expect(window?.from).toBeLessThan(74.276e6);
    expect(window?.from).toBeGreaterThan(74e6);
    expect(window?.to).toBeGreaterThan(75.309e6);
    expect(selected && run.reader.event(selected).kind).toBe('rulesChanged');
  });
});
