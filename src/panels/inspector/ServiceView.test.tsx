import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { recordedRun } from '../../../test/support/recorded.ts';
import { storesShowing } from '../../../test/support/stores.ts';
import { micros } from '../../base/units.ts';
import { StoresContext } from '../shared/index.ts';
import { ServiceView } from './ServiceView.tsx';

it('the rules of a node say which of their backends does not answer', async () => {
  const run = recordedRun('endtoend/rolling-replace-02');
  const at = micros(74.551e6);
  await act(async () => {
    render(
      <StoresContext value={storesShowing(run, at)}>
        <ServiceView run={run} at={at} />
      </StoresContext>,
    );
  });
  const choice = screen.getByRole('combobox', { name: 'Object or rules' });
  await userEvent.selectOptions(choice, screen.getAllByRole('option', { name: /^Rules of / })[0] as HTMLElement);
  const silent = [...document.querySelectorAll('.rules tr')].filter(({ textContent }) =>
    /nobody answers/.test(textContent ?? ''),
  );
  expect(silent.map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/old-0/)]);
});
