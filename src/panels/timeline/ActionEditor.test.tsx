import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { testStores } from '../../../test/support/stores.ts';
import { StoresContext } from '../shared/index.ts';
import { ActionEditor } from './ActionEditor.tsx';

const textWith = (action: string): string => `apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {readinessGates: [{conditionType: lb}], containers: [{name: app, image: x}]}
---
apiVersion: podtopool/v1
kind: Scenario
actions: [{at: 10s, ${action}}]
`;

beforeEach(() => {
  HTMLElement.prototype.showPopover = () => {}; // jsdom has none
});

async function setup(name: string, action: string) {
  const stores = testStores({ text: textWith(action), overrides: [] });
  const [follow, close] = [vi.fn(), vi.fn()];
  await act(async () => {
    render(
      <StoresContext value={stores}>
        <ActionEditor
          edited={{ action: { action: name, at: 10_000_000 }, left: 0, bottom: 0 }}
          follow={follow}
          close={close}
        />
      </StoresContext>,
    );
  });
  const write = async (field: string, value: string) => {
    const input = screen.getByRole('textbox', { name: field, hidden: true });
    await userEvent.clear(input);
    await userEvent.type(input, `${value}{Enter}`);
  };
  return { stores, follow, close, write, textNow: () => stores.scenario.getState().history.present.text };
}

describe('ActionEditor', () => {
  it.each<[name: string, action: string, fields: string[]]>([
    ['deletePod', 'do: deletePod, pod: web', ['at', 'graceSeconds']],
    ['restartKubelet', 'do: restartKubelet, down: 8s', ['at', 'node', 'down']],
    ['cutApi', 'do: cutApi, lasts: 8s', ['at', 'node', 'lasts']],
    ['labelPod', 'do: labelPod, pod: web', ['at']],
  ])('shows the fields of %s', async (name, action, fields) => {
    await setup(name, action);
    expect(
      screen.getAllByRole('textbox', { hidden: true }).map((field) => field.closest('label')?.textContent),
    ).toEqual(fields);
  });

  it('writes a field into the text', async () => {
    const { write, textNow } = await setup('cutApi', 'do: cutApi, lasts: 8s');
    await write('lasts', '90s');
    expect(textNow()).toContain('{at: 10s, do: cutApi, lasts: 90s}');
  });

  it('goes with its action to another instant', async () => {
    const { write, follow, textNow } = await setup('cutApi', 'do: cutApi, lasts: 8s');
    await write('at', '1m30s');
    expect(textNow()).toContain('{at: 1m30s, do: cutApi');
    expect(follow).toHaveBeenCalledWith(90_000_000);
  });

  it('says what is wrong with a value and leaves the text alone', async () => {
    const { write, textNow } = await setup('cutApi', 'do: cutApi, lasts: 8s');
    await write('lasts', 'for long');
    expect(screen.getByRole('alert', { hidden: true }).textContent).toContain('this is no length of time');
    expect(textNow()).toBe(textWith('do: cutApi, lasts: 8s'));
  });

  it('takes a value over when the focus leaves, but not after Escape', async () => {
    const { textNow } = await setup('cutApi', 'do: cutApi, lasts: 8s');
    const input = screen.getByRole('textbox', { name: 'lasts', hidden: true });
    await userEvent.type(input, '{Backspace}{Backspace}9s');
    await userEvent.tab();
    expect(textNow()).toContain('lasts: 9s');
    await userEvent.type(input, '{Backspace}{Backspace}7s{Escape}');
    await userEvent.tab();
    expect(textNow()).toContain('lasts: 9s');
  });

  it('turns a gate round', async () => {
    const { textNow } = await setup('patchCondition', "do: patchCondition, pod: web, condition: lb, status: 'True'");
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'status', hidden: true }), 'False');
    expect(textNow()).toContain('status: "False"');
  });

  it('removes the action, which undo brings back', async () => {
    const { stores, close, textNow } = await setup('labelPod', 'do: labelPod, pod: web');
    await userEvent.click(screen.getByRole('button', { name: 'Remove', hidden: true }));
    expect(textNow()).toContain('actions: []');
    expect(close).toHaveBeenCalled();
    stores.scenario.getState().undo();
    expect(textNow()).toContain('labelPod');
  });

  it('says so where the text does not have the action', async () => {
    await setup('deletePod', 'do: labelPod, pod: web');
    expect(screen.getByRole('dialog', { hidden: true }).textContent).toContain('change it in the text');
  });
});
