import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { runOf, testStores } from '../../../test/support/stores.ts';
import { moveActionTo, StoresContext } from '../shared/index.ts';
import { AddAction } from './AddAction.tsx';

const text = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {readinessGates: [{conditionType: lb}], containers: [{name: app, image: x}]}
---
apiVersion: podtopool/v1
kind: Scenario
actions: [{at: 10s, do: patchCondition, pod: web, condition: lb, status: 'True'}]
`;

async function setup(at: number) {
  const stores = testStores({ text, overrides: [{ path: 'seed', value: 3 }] });
  await act(async () => {
    render(
      <StoresContext value={stores}>
        <AddAction />
      </StoresContext>,
    );
  });
  act(() => stores.playback.setState({ playhead: at }));
  const choose = (name: RegExp) =>
    act(async () => {
      await userEvent.click(screen.getByRole('button', { name, hidden: true }));
      await vi.dynamicImportSettled();
    });
  return { stores, choose, textNow: () => stores.scenario.getState().history.present.text };
}

describe('AddAction', () => {
  it('writes the deletion of the Pod at the playhead into the text, and the run has it', async () => {
    const { stores, choose, textNow } = await setup(12_300_000);
    await choose(/Delete web/);
    expect(textNow()).toContain('{at: 12.3s, do: deletePod, pod: web}]');
    const added = runOf(stores).scenario.actions.find((action) => action.do === 'deletePod');
    expect(added).toMatchObject({ at: 12_300_000, pod: 'default/web' });
    expect(stores.scenario.getState().history.present.overrides).toHaveLength(1);
  });

  it.each<[name: string, at: number, status: string]>([
    ['opens a gate that is closed at the playhead', 5_000_000, '"True"'],
    ['closes a gate that is open at the playhead', 20_000_000, '"False"'],
  ])('%s', async (_name, at, status) => {
    const { choose, textNow } = await setup(at);
    await choose(/gate lb/);
    expect(textNow()).toContain(`{at: ${at / 1e6}s, do: patchCondition, pod: web, condition: lb, status: ${status}}`);
  });

  it('keeps within the run what is added at its end', async () => {
    const { stores, choose } = await setup(0);
    const { horizon } = runOf(stores).reader.data;
    act(() => stores.playback.setState({ playhead: horizon }));
    await choose(/Delete web/);
    const { reader } = runOf(stores);
    expect(reader.events().some((event) => event.kind === 'action' && event.payload.action === 'deletePod')).toBe(true);
  });

  it('is taken back in one step', async () => {
    const { stores, choose, textNow } = await setup(1_000_000);
    await choose(/Restart the kubelet/);
    await choose(/API server/);
    await act(async () => stores.scenario.getState().undo());
    expect(textNow()).toContain('do: restartKubelet, down: 10s');
    expect(textNow()).not.toContain('cutApi');
  });

  it('changes nothing while the text has errors, and says so', async () => {
    const { stores, choose, textNow } = await setup(0);
    const broken = `${text}seed: no\n`;
    await act(async () => stores.scenario.getState().setText(broken));
    await choose(/Delete web/);
    expect(textNow()).toBe(broken);
    expect(stores.view.getState().refusedEdit).toBe('hasErrors');
  });
});

describe('moveActionTo', () => {
  it('gives an action another instant, one undo step', async () => {
    const { stores, textNow } = await setup(0);
    const move = async (): Promise<boolean> =>
      moveActionTo(stores, { action: 'patchCondition', at: 10_000_000 }, 15_500_000);
    expect(await act(move)).toBe(true);
    expect(textNow()).toContain('{at: 15.5s, do: patchCondition');
    expect(runOf(stores).scenario.actions[0]?.at).toBe(15_500_000);
    await act(async () => stores.scenario.getState().undo());
    expect(textNow()).toBe(text);
  });

  it('refuses what the text does not have', async () => {
    const { stores, textNow } = await setup(0);
    expect(await moveActionTo(stores, { action: 'deletePod', at: 10_000_000 }, 0)).toBe(false);
    expect(stores.view.getState().refusedEdit).toBe('unclear');
    expect(textNow()).toBe(text);
  });
});
