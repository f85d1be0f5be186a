import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { EXAMPLES } from '../io/examples/examples.ts';
import { EventList } from '../panels/eventList/EventList.tsx';
import { Headline, RunNotice } from '../panels/headline/Headline.tsx';
import { Inspector } from '../panels/inspector/Inspector.tsx';
import { Sliders } from '../panels/scenario/Sliders.tsx';
import { type Stores, StoresContext, useScenario, walk } from '../panels/shared/index.ts';
import { Transport } from '../panels/transport/Transport.tsx';
import { simulate } from '../sim/simulate.ts';
import { createPlaybackStore } from '../state/playbackStore.ts';
import { createScenarioStore } from '../state/scenarioStore.ts';
import { createViewStore } from '../state/viewStore.ts';

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {} }));
});

/** The page's stores around the first example, with its run. */
async function setup(children: () => ReactNode) {
  const stores: Stores = {
    scenario: createScenarioStore({
      simulate: (scenario) => Promise.resolve(simulate(scenario)),
      cancel: () => {},
      onProgress: () => {},
    }),
    view: createViewStore({ theme: 'light', language: 'en' }),
    playback: createPlaybackStore(),
  };
  await act(async () => {
    render(<StoresContext value={stores}>{children()}</StoresContext>);
  });
  const goTo = (seconds: number): void => act(() => stores.playback.setState({ playhead: seconds * 1e6 }));
  return { stores, goTo };
}
const runOf = ({ scenario }: Stores) => {
  const { run } = scenario.getState();
  if (run === null) throw new Error('no run');
  return run;
};

describe('Headline', () => {
  it('answers for the playhead, in a live region', async () => {
    const { goTo } = await setup(() => <Headline />);
    goTo(5);
    expect(screen.getByRole('status').textContent).toMatch(/is not Ready in the API.*app in app is starting/s);
    goTo(85);
    expect(screen.getByRole('status').textContent).toMatch(/is Ready in the API/);
  });

  it('answers in Chinese as well', async () => {
    const { stores, goTo } = await setup(() => <Headline />);
    act(() => stores.view.setState({ language: 'zh' }));
    goTo(85);
    expect(screen.getByRole('status').textContent).toMatch(/API 中 .* 已 Ready/);
  });
});

describe('RunNotice', () => {
  it('says that the lanes show the last good run while the text has errors', async () => {
    const { stores } = await setup(() => <RunNotice />);
    expect(screen.queryByRole('status')).toBeNull();
    act(() => stores.scenario.getState().setText('kind: Pod\nspec: ['));
    expect(screen.getByRole('status').textContent).toMatch(/Last good run/);
  });
});

describe('Sliders', () => {
  it('has one for every field of the readiness probe', async () => {
    await setup(() => <Sliders />);
    const names = screen.getAllByRole('slider', { hidden: true }).map((slider) => slider.getAttribute('aria-label'));
    expect(names).toEqual(
      expect.arrayContaining([
        'Ready after start',
        'initialDelaySeconds',
        'periodSeconds',
        'timeoutSeconds',
        'successThreshold',
        'failureThreshold',
      ]),
    );
  });

  it('refuses a bad number under its field and keeps the last run', async () => {
    const { stores } = await setup(() => <Sliders />);
    const before = runOf(stores);
    const [box] = screen.getAllByRole('textbox', { name: 'Value of failureThreshold' });
    await userEvent.clear(box as HTMLElement);
    await userEvent.type(box as HTMLElement, '-2{Enter}');
    expect(screen.getByRole('alert').textContent).toMatch(/failureThreshold must be 0 or more/);
    expect(runOf(stores)).toBe(before);
  });
});

describe('Inspector', () => {
  it('marks the first party that does not see the Pod as ready', async () => {
    const { goTo } = await setup(() => <Inspector />);
    goTo(20);
    const missing = document.querySelector('.who .missing');
    expect(missing?.textContent).toMatch(/Readiness worker.*Failure/);
  });

  it('tells the rule of the selected event, and leads to its cause', async () => {
    const { stores } = await setup(() => <Inspector />);
    const { reader } = runOf(stores);
    const set = reader.events().find((event) => event.kind === 'resultSet' && event.payload.result === 'success');
    await act(async () => stores.view.setState({ selected: set?.ref ?? null }));
    const part = screen.getByText('Selected event').closest('section') as HTMLElement;
    expect(within(part).getByText(/results_manager\.go/)).toBeDefined();
    await userEvent.click(
      within(part).getAllByRole('button', { name: /readiness probe of app: success/ })[0] as HTMLElement,
    );
    const { selected } = stores.view.getState();
    expect(selected && reader.event(selected).kind).toBe('probeRun');
  });
});

describe('EventList', () => {
  it('lists the events in order, and puts the playhead on the chosen one', async () => {
    const { stores } = await setup(() => <ListOf />);
    const [first, second] = screen.getAllByRole('listitem');
    expect(first?.textContent).toMatch(/createPod/);
    await userEvent.click(within(second as HTMLElement).getAllByRole('button')[0] as HTMLElement);
    expect(stores.playback.getState().playhead).toBeGreaterThan(0);
    expect(second?.getAttribute('aria-current')).toBe('true');
  });

  it('keeps few rows in the page, and tells how many there are', async () => {
    await setup(() => <ListOf />);
    const rows = screen.getAllByRole('listitem');
    expect(Number(rows[0]?.getAttribute('aria-setsize'))).toBeGreaterThan(rows.length - 1);
  });
});

/** The run comes in a later turn of the loop. */
function ListOf() {
  const run = useScenario((state) => state.run);
  return run === null ? null : <EventList run={run} />;
}

describe('Transport', () => {
  it('moves the playhead to a typed time, and by a typed step', async () => {
    const { stores } = await setup(() => <Transport />);
    const field = screen.getByRole('textbox', { name: /Playhead/ });
    await userEvent.clear(field);
    await userEvent.type(field, '11.34{Enter}');
    expect(stores.playback.getState().playhead).toBe(11_340_000);
    await userEvent.clear(field);
    await userEvent.type(field, '+50ms{Enter}');
    expect(stores.playback.getState().playhead).toBe(11_390_000);
  });

  it('says what a time looks like when it is none', async () => {
    await setup(() => <Transport />);
    const field = screen.getByRole('textbox', { name: /Playhead/ });
    await userEvent.clear(field);
    await userEvent.type(field, 'later{Enter}');
    expect(screen.getByRole('alert').textContent).toMatch(/11\.34/);
  });

  it('steps through every event with the buttons, forth and back', async () => {
    const { stores } = await setup(() => <Transport />);
    const seen: unknown[] = [];
    for (let i = 0; i < 4; i++) {
      await userEvent.click(screen.getByRole('button', { name: /Next event/ }));
      seen.push(stores.view.getState().selected);
    }
    await userEvent.click(screen.getByRole('button', { name: /Previous event/ }));
    expect(stores.view.getState().selected).toEqual(seen[2]);
    expect(new Set(seen.map((ref) => JSON.stringify(ref))).size).toBe(4);
  });
});

describe('walk', () => {
  it('goes to the cause and back to the effect', async () => {
    const { stores } = await setup(() => null);
    const { reader } = runOf(stores);
    const patch = reader.events().find((event) => event.kind === 'apiRequest' && event.payload.verb === 'patch');
    act(() => stores.view.setState({ selected: patch?.ref ?? null }));
    act(() => walk(stores, -1));
    const { selected } = stores.view.getState();
    expect(selected).toEqual(patch && reader.causesOf(patch.ref)[0]);
    act(() => walk(stores, 1));
    expect(stores.view.getState().selected).not.toEqual(selected);
  });
});

it('starts with the first example', async () => {
  const { stores } = await setup(() => null);
  expect(stores.scenario.getState().history.present.text).toBe(EXAMPLES[0]?.text);
});
