import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { runOf, testStores } from '../../test/support/stores.ts';
import type { Micros } from '../base/units.ts';
import { causedBy } from '../explain/causes.ts';
import { stateAt } from '../explain/stateAt.ts';
import { EXAMPLES } from '../io/examples/examples.ts';
import { Chooser } from '../panels/chooser/Chooser.tsx';
import { EventList } from '../panels/eventList/EventList.tsx';
import { Headline } from '../panels/headline/Headline.tsx';
import { RunNotice } from '../panels/headline/RunNotice.tsx';
import { StepChain } from '../panels/headline/StepChain.tsx';
import { HelpDialog } from '../panels/help/HelpDialog.tsx';
import { Inspector } from '../panels/inspector/Inspector.tsx';
import { Sliders } from '../panels/scenario/Sliders.tsx';
import { loadLanguage, StoresContext, select, usePlayback, useScenario, walk } from '../panels/shared/index.ts';
import { Transport } from '../panels/transport/Transport.tsx';
import type { Draft } from '../state/scenarioStore.ts';
import { en } from './strings/en.ts';
import { zh } from './strings/zh.ts';

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
});

/** The page's stores around the first example, with its run. */
async function setup(children: () => ReactNode, first?: Draft) {
  const stores = testStores(first);
  await act(async () => {
    render(<StoresContext value={stores}>{children()}</StoresContext>);
  });
  const goTo = (seconds: number): void => act(() => stores.playback.setState({ playhead: seconds * 1e6 }));
  return { stores, goTo };
}
describe('Headline', () => {
  it('answers for the playhead, in a live region', async () => {
    const { goTo } = await setup(() => <Headline />);
    goTo(5);
    expect(screen.getByRole('status').textContent).toMatch(/is not Ready in the API.*app in app is starting/s);
    goTo(85);
    expect(screen.getByRole('status').textContent).toMatch(/is Ready and in the pool/);
    expect(document.querySelector('.verdict')?.textContent).toBe('Backend');
  });

  it('answers in Chinese as well', async () => {
    const { stores, goTo } = await setup(() => <Headline />);
    const language = await loadLanguage('zh');
    act(() => stores.view.setState({ language }));
    goTo(85);
    expect(screen.getByRole('status').textContent).toMatch(/已 Ready，在后端池中/);
  });
});

describe('Headline of a run without Pods', () => {
  it('says why there is nothing to see', async () => {
    const text =
      'kind: Deployment\napiVersion: apps/v1\nmetadata: {name: web}\nspec:\n  replicas: 0\n  selector: {matchLabels: {a: b}}\n  template:\n    metadata: {labels: {a: b}}\n    spec: {containers: [{name: app, image: x}]}\n';
    await setup(() => <Headline />, { text, overrides: [] });
    expect(screen.getByRole('status').textContent).toMatch(/no Pod.*replicas is 0/);
  });
});

describe('StepChain', () => {
  it('marks the first party that is missing, without the liveness probe', async () => {
    const { stores, goTo } = await setup(() => <ChainOf />);
    goTo(20);
    const steps = screen.getAllByRole('listitem');
    expect(steps.map(({ textContent }) => textContent)).toEqual([
      'App',
      'Readiness',
      'kubelet',
      'API',
      'Slice',
      'Rules',
      'Client',
    ]);
    expect(steps.map(({ className }) => className)).toEqual(['yes', 'missing', 'no', 'no', 'no', 'no', 'no']);
    goTo(85);
    expect(runOf(stores).reader.data.horizon).toBeGreaterThan(85e6);
    expect(document.querySelector('.missing')).toBeNull();
  });
});

describe('Inspector, behind the API server', () => {
  const rulesAt = async (seconds: number): Promise<string> => {
    const { goTo } = await setup(() => <Inspector />);
    const choice = await screen.findByRole('combobox', { name: en.service.choose });
    await userEvent.selectOptions(choice, 'Rules of kube-proxy-node-a');
    goTo(seconds);
    return document.querySelector('.rules')?.textContent ?? '';
  };

  it('lists each backend of a Service with its Pod and its chance', async () => {
    expect(await rulesAt(80)).toMatch(/10\.96\.0\.10:80\/tcp.*10\.1\.0\.11:8080.*web-.*100\s%/);
  });

  it('says that new connections are refused before there is a backend', async () => {
    expect(await rulesAt(10)).toContain('REJECT');
  });

  it('shows a slice at the playhead, and goes to the object of a selected event', async () => {
    const { stores, goTo } = await setup(() => <Inspector />);
    const choice = await screen.findByRole<HTMLSelectElement>('combobox', { name: en.service.choose });
    goTo(80);
    expect(screen.getByRole('region', { name: /^EndpointSlice default\/web-/ }).textContent).toContain('serving: true');
    const { reader } = runOf(stores);
    const write = reader
      .events()
      .find(({ kind, subject }) => kind === 'stored' && subject.object === 'endpoints/default/web');
    act(() => select(stores, write?.ref ?? null));
    expect(choice.value).toBe('endpoints/default/web');
  });
});

describe('RunNotice', () => {
  it('names what the manifest has beyond the model, with its place', async () => {
    const text =
      'kind: Pod\napiVersion: v1\nmetadata: {name: web}\nspec:\n  schedulingGates: [{name: quota}]\n  containers: [{name: app, image: x}]\n';
    await setup(() => <RunNotice />, { text, overrides: [] });
    expect(screen.getByRole('status').textContent).toMatch(/schedulingGates of Pod web.*not yet modelled.*Line 5/);
  });

  it('says after a cancel whose run the lanes show, and runs again', async () => {
    const { stores } = await setup(() => <RunNotice />);
    act(() => stores.scenario.getState().cancel());
    expect(screen.getByRole('status').textContent).toMatch(/Cancelled.*before your change/);
    await userEvent.click(screen.getByRole('button', { name: 'Run' }));
    expect(screen.queryByRole('status')).toBeNull();
  });

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

  it('names the sidecar of a section, with the handler of its probe', async () => {
    const text = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  initContainers:
    - {name: mesh, image: x, restartPolicy: Always, startupProbe: {tcpSocket: {port: 15021}}}
  containers: [{name: app, image: x, lifecycle: {preStop: {sleep: {seconds: 5}}}}]
`;
    await setup(() => <Sliders />, { text, overrides: [] });
    const titles = screen.getAllByRole('heading').map(({ textContent }) => textContent);
    expect(titles).toEqual(expect.arrayContaining(['App · app', 'App · mesh', 'Startup probe · mesh']));
    expect(screen.getByText('tcpSocket :15021')).toBeDefined();
    expect(screen.getByRole('slider', { name: 'preStop sleep', hidden: true })).toBeDefined();
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
    const part = (await screen.findByText('Selected event')).closest('section') as HTMLElement;
    expect(within(part).getByText(/results_manager\.go/)).toBeDefined();
    await userEvent.click(
      within(part).getAllByRole('button', { name: /readiness probe of app: success/ })[0] as HTMLElement,
    );
    const { selected } = stores.view.getState();
    expect(selected && reader.event(selected).kind).toBe('probeRun');
  });
});

describe('Inspector of a status', () => {
  it('says by which PATCH the selected version went, and shows what it changed', async () => {
    const { stores } = await setup(() => <Inspector />);
    const { reader } = runOf(stores);
    const set = reader.events().findLast(({ kind }) => kind === 'statusSet');
    await act(async () => select(stores, set?.ref ?? null));
    expect(screen.getByRole('tab', { name: 'Kubelet status' }).getAttribute('aria-selected')).toBe('true');
    expect(document.querySelectorAll('.object-line.changed').length).toBeGreaterThan(0);
    await userEvent.click(await screen.findByRole('button', { name: /^Sent by the PATCH at/ }));
    const { selected } = stores.view.getState();
    expect(selected && reader.event(selected)).toMatchObject({ kind: 'apiRequest', payload: { verb: 'patch' } });
  });

  it('says when a container that crashes is tried again', async () => {
    const text = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {containers: [{name: app, image: x}]}
---
apiVersion: podtopool/v1
kind: Scenario
duration: 60s
apps: [{workload: web, exit: {at: 2s, code: 1}}]
`;
    const { stores, goTo } = await setup(() => <Inspector />, { text, overrides: [] });
    const said = runOf(stores)
      .reader.events()
      .find(({ kind }) => kind === 'backOff');
    goTo((said?.at ?? 0) / 1e6 + 1);
    expect(screen.getByText(/^next try not before \d+\.\d+ s; in this run at/)).toBeDefined();
  });
});

describe('EventList', () => {
  it('lists the events in order, and puts the playhead on the chosen one', async () => {
    const { stores } = await setup(() => <ListOf />);
    const rows = screen.getAllByRole('listitem');
    const [first, later] = [rows[0], rows.at(-1)];
    expect(first?.textContent).toMatch(/createPod/);
    await userEvent.click(within(later as HTMLElement).getAllByRole('button')[0] as HTMLElement);
    expect(stores.playback.getState().playhead).toBeGreaterThan(0);
    expect(later?.getAttribute('aria-current')).toBe('true');
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

describe('Chooser', () => {
  it('offers every effect, and goes to the one that is chosen by key', async () => {
    const { stores } = await setup(() => <Chooser />);
    const { reader } = runOf(stores);
    const fork = reader.refs().find((ref) => causedBy(reader, ref).length > 1);
    const effects = fork === undefined ? [] : causedBy(reader, fork);
    act(() => stores.view.setState({ choice: { direction: 'effect', refs: effects } }));
    const items = screen.getAllByRole('menuitem');
    expect(items).toHaveLength(effects.length);
    expect(document.activeElement).toBe(items[0]);
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(stores.view.getState()).toMatchObject({ selected: effects[1], choice: null });
    expect(screen.queryByRole('menu')).toBeNull();
  });

  it('closes with Esc and changes nothing', async () => {
    const { stores } = await setup(() => <Chooser />);
    const refs = runOf(stores).reader.refs().slice(0, 2);
    act(() => stores.view.setState({ choice: { direction: 'cause', refs } }));
    await userEvent.keyboard('{Escape}');
    expect(stores.view.getState()).toMatchObject({ selected: null, choice: null });
  });
});

describe('HelpDialog', () => {
  it('names keys as they are on this keyboard', async () => {
    const layout = new Map([
      ['BracketLeft', 'ü'],
      ['KeyW', 'z'],
    ]);
    vi.stubGlobal('navigator', Object.create(navigator, { keyboard: { value: { getLayoutMap: async () => layout } } }));
    await setup(() => <HelpDialog />);
    const keys = [...document.querySelectorAll('kbd')].map(({ textContent }) => textContent);
    expect(keys).toEqual(expect.arrayContaining(['Z', 'Ü', ']', 'Home', 'Esc']));
    vi.unstubAllGlobals();
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
    const { selected: after, choice } = stores.view.getState();
    expect(choice?.refs ?? [after]).toContainEqual(patch?.ref);
  });
});

it.each(EXAMPLES.map(({ id, title }) => [id, title]))(
  'names the example %s in both languages, in English as its text does',
  (id, title) => {
    expect(en.exampleTitle[id]).toBe(title);
    expect([en.exampleText[id], zh.exampleTitle[id], zh.exampleText[id]]).not.toContain(undefined);
  },
);

it('starts with the first example', async () => {
  const { stores } = await setup(() => null);
  expect(stores.scenario.getState().history.present.text).toBe(EXAMPLES[0]?.text);
});

/** The chain of the first Pod at the playhead. */
function ChainOf() {
  const run = useScenario((state) => state.run);
  const at = usePlayback((state) => state.playhead);
  const [pod] = run?.scenario.pods ?? [];
  return run === null || pod === undefined ? null : <StepChain run={run} state={stateAt(run, pod, at as Micros)} />;
}
