import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { recordedRun } from '../../../test/support/recorded.ts';
import { storesShowing } from '../../../test/support/stores.ts';
import { StoresContext, walk } from '../shared/index.ts';
import { WhyCard } from './WhyCard.tsx';

/** web-0 answers at 72.269 s and is probed at 94.054 s; its first request is answered at 95.688 s, from node-b. */
const LONG_PERIOD = 'endtoend/long-readiness-period-01';
/** old-0 is deleted at 74.268 s and leaves the rules of node-a at 75.309 s. */
const ROLLOUT = 'endtoend/rolling-replace-02';

beforeEach(() => {
  Object.assign(navigator, { clipboard: { writeText: vi.fn(async () => {}) } });
});

async function setup(recording: string, seconds: number) {
  const run = recordedRun(recording);
  const stores = storesShowing(run, seconds * 1e6);
  stores.view.setState({ whyOpen: true });
  await act(async () => {
    render(
      <StoresContext value={stores}>
        <Suspense>
          <WhyCard run={run} />
        </Suspense>
      </StoresContext>,
    );
  });
  await screen.findByRole('region', { name: 'Why' });
  const goTo = (to: number): void => act(() => stores.playback.setState({ playhead: to * 1e6 }));
  return { stores, run, goTo };
}
const rows = (state: string): readonly string[] =>
  within(screen.getByRole('list', { name: /^Links/ }))
    .getAllByRole('listitem')
    .filter(({ classList }) => classList.contains(state))
    .map(({ textContent }) => (textContent ?? '').replaceAll(/[\u00a0\u202f]/g, ' '));
const question = (): string => screen.getByRole('heading', { level: 2 }).textContent ?? '';

describe('WhyCard', () => {
  it('asks about the playhead, and answers in a sentence with the time', async () => {
    await setup(LONG_PERIOD, 90);
    expect(question()).toMatch(/^Why is web-0 not a backend of web at 90.000/);
    expect(document.querySelector('.why-answer')?.textContent).toMatch(/the readiness probe.*runs next at 94.054/);
  });

  it('ticks what holds, tints the first missing link, and numbers the rest with their times', async () => {
    await setup(LONG_PERIOD, 90);
    expect(rows('done').map((row) => row.split('since')[0])).toEqual([
      expect.stringMatching(/^Exists in the API · .* · has an address in the API$/),
      expect.stringMatching(/^App serves/),
    ]);
    expect(rows('missing')).toEqual([expect.stringMatching(/^1Wait for probe.*94.054 s$/)]);
    expect(rows('later').map((row) => row.slice(0, 1))).toEqual(['2', '3', '4', '5', '6', '7']);
  });

  it('a report says which Kubernetes was simulated', async () => {
    await setup(LONG_PERIOD, 90);
    await userEvent.click(screen.getByRole('button', { name: 'Report an inaccuracy' }));
    expect(navigator.clipboard.writeText).toHaveBeenCalledWith(
      expect.stringMatching(/^Kubernetes 1\.37\nWhy is web-0/),
    );
  });

  it('of a backend it asks why it is one', async () => {
    await setup(LONG_PERIOD, 100);
    expect(question()).toMatch(/^Why is web-0 a backend of web/);
    expect(rows('missing')).toEqual([]);
  });

  it('follows the playhead until it is pinned', async () => {
    const { goTo } = await setup(LONG_PERIOD, 90);
    goTo(80);
    expect(question()).toMatch(/80.000/);
    await userEvent.click(screen.getByRole('button', { name: /Keep the question/ }));
    goTo(90);
    expect(question()).toMatch(/80.000/);
  });

  it('asks one node alone, where proxies differ', async () => {
    await setup(ROLLOUT, 74.551);
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Node' }), 'node-a');
    expect(question()).toMatch(/ on node-a at 74.551/);
  });

  it('copies the answer with its chain and the command', async () => {
    await setup(LONG_PERIOD, 90);
    await userEvent.click(screen.getByRole('button', { name: 'Copy the answer' }));
    const [[text] = []] = vi.mocked(navigator.clipboard.writeText).mock.calls;
    expect(text).toMatch(/^Why is web-0.*\n.*\n\n\+ {3}Exists.*\n> 1 Wait for probe.*kubectl describe pod web-0/s);
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeDefined();
  });

  it('lights its path, along which the keys walk', async () => {
    const { stores, run } = await setup(LONG_PERIOD, 90);
    expect(stores.view.getState().litPath?.steps.map(({ hop }) => hop)).toEqual([null, 1, 2, 4, 5, 6, 7]);
    const selectedKind = (): string => {
      const { selected } = stores.view.getState();
      return selected === null ? '' : run.reader.event(selected).kind;
    };
    act(() => walk(stores, 1));
    expect(selectedKind()).toBe('probeRun');
    act(() => walk(stores, 1));
    expect(selectedKind()).toBe('resultSet');
    act(() => walk(stores, -1));
    expect(selectedKind()).toBe('probeRun');
  });

  it('runs what would shorten the wait: asking more often does, minSyncPeriod does not', async () => {
    await setup(LONG_PERIOD, 90);
    const edits = await screen.findByText(/readinessProbe.periodSeconds of app 30 s → 6 s/, {}, { timeout: 20_000 });
    const list = edits.closest('ul');
    const gains = [...(list?.querySelectorAll('.why-gain') ?? [])].map(({ textContent }) => textContent ?? '');
    expect(gains[0]).toMatch(/^−.*a backend at /);
    expect(gains.at(-1)).toBe('does not help');
  });

  it('closes by its button, and gives the place back as it was', async () => {
    const { stores } = await setup(LONG_PERIOD, 90);
    stores.view.setState({ inspectorBefore: false });
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(stores.view.getState()).toMatchObject({ whyOpen: false, inspectorOpen: false });
  });
});
