import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { describe, expect, it } from 'vitest';
import { recordedRun } from '../../../test/support/recorded.ts';
import { storesShowing } from '../../../test/support/stores.ts';
import { micros } from '../../base/units.ts';
import { StoresContext } from '../shared/index.ts';
import { LostRequests } from './LostRequests.tsx';

/** Four requests meet old-0 while its app does not answer any more, one meets old-1. */
const ROLLOUT = 'endtoend/rolling-replace-02';

async function setup(seconds: number) {
  const run = recordedRun(ROLLOUT);
  const stores = storesShowing(run, seconds * 1e6);
  await act(async () => {
    render(
      <StoresContext value={stores}>
        <Suspense>
          <LostRequests run={run} at={micros(seconds * 1e6)} />
        </Suspense>
      </StoresContext>,
    );
  });
  return { stores, run, list: within(await screen.findByRole('region', { name: 'Lost requests' })) };
}

describe('LostRequests', () => {
  it('lists each with its time, its client, the Pod that it met, and what came of it', async () => {
    const { list } = await setup(74.551);
    expect(list.getByText('5 of 90')).toBeDefined();
    const texts = list.getAllByRole('button').map(({ textContent }) => (textContent ?? '').replaceAll('\u00a0', ' '));
    expect(texts).toHaveLength(5);
    expect(texts[0]).toBe('74.313 snode-b old-0refused');
    expect(texts[3]).toMatch(/^75.241 s.*old-0no answer$/);
  });

  it('the chosen one is selected with its Pod, and says why it was lost', async () => {
    const { stores, run, list } = await setup(74.551);
    await userEvent.click(list.getByRole('button', { name: /^74.551/ }));
    const { selected, pod } = stores.view.getState();
    expect(selected && run.reader.event(selected).kind).toBe('clientAttempt');
    expect(run.scenario.pods.find(({ identity }) => identity === pod)?.name).toBe('old-0');
    expect(list.getByRole('button', { pressed: true }).textContent).toMatch(/Refused: .*old-0.*rule sync/);
  });
});
