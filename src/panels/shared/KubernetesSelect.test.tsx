import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { runOf, testStores } from '../../../test/support/stores.ts';
import { KubernetesSelect, StoresContext } from './index.ts';

const text = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {containers: [{name: app, image: x}]}
---
apiVersion: podtopool/v1
kind: Scenario
kubernetes: '1.30'
`;

async function setup() {
  const stores = testStores({ text, overrides: [] });
  await act(async () => {
    render(
      <StoresContext value={stores}>
        <KubernetesSelect className="" />
      </StoresContext>,
    );
  });
  const select = screen.getByRole('combobox', { name: /Kubernetes/ }) as HTMLSelectElement;
  const choose = (version: string) => userEvent.selectOptions(select, version);
  return { stores, select, choose };
}

it('offers 1.37 down to 1.20 and shows the version of the text', async () => {
  const { select } = await setup();
  const offered = [...select.options].map((option) => option.text);
  expect([offered[0], offered.at(-1), offered.length]).toEqual(['1.37', '1.20', 18]);
  expect(select.selectedOptions[0]?.text).toBe('1.30');
});

it('runs the scenario again with the chosen version, and marks the change', async () => {
  const { stores, choose } = await setup();
  await choose('1.20');
  expect(runOf(stores).scenario.kubernetes).toBe('1.20');
  expect(screen.getByRole('img', { name: /changed by you/ })).toBeDefined();
});

it('takes the change back when the version of the text is chosen', async () => {
  const { stores, choose } = await setup();
  await choose('1.20');
  await choose('1.30');
  expect(stores.scenario.getState().history.present.overrides).toEqual([]);
  expect(screen.queryByRole('img')).toBeNull();
});

it('makes each choice a step of its own', async () => {
  const { stores, choose } = await setup();
  await choose('1.20');
  await choose('1.25');
  await act(async () => stores.scenario.getState().undo());
  expect(runOf(stores).scenario.kubernetes).toBe('1.20');
});
