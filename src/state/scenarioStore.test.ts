import { describe, expect, it } from 'vitest';
import type { ReadResult } from '../io/readScenario.ts';
import type { Scenario } from '../sim/scenario.ts';
import type { TraceData } from '../sim/trace/trace.ts';
import { TraceWriter } from '../sim/trace/writer.ts';
import { type Draft, readerOfDrafts } from './draftReader.ts';
import { createScenarioStore } from './scenarioStore.ts';
import type { Simulator } from './simulatorClient.ts';

const manifest = (periodSeconds: number): string => `kind: Pod
apiVersion: v1
metadata: {name: web}
spec:
  containers:
    - name: app
      image: x
      readinessProbe: {tcpSocket: {port: 80}, periodSeconds: ${periodSeconds}}
`;
const PERIOD = 'default/web/app/readiness/periodSeconds';

/** A simulator whose answers the test gives by hand. */
function handSimulator() {
  const asked: {
    readonly scenario: Scenario;
    readonly answer: (data: TraceData | null) => void;
    readonly fail: (error: Error) => void;
  }[] = [];
  let report: (done: number) => void = () => {};
  let cancelled = 0;
  const simulator: Simulator = {
    simulate: (scenario) => new Promise((answer, fail) => asked.push({ scenario, answer, fail })),
    cancel: () => {
      cancelled++;
    },
    onProgress: (listener) => {
      report = listener;
    },
  };
  return { simulator, asked, report: (done: number) => report(done), cancelled: () => cancelled };
}
const trace = (): TraceData => new TraceWriter().finish(60_000_000 as Scenario['duration'] & TraceData['horizon'], 0);
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function setup(readAside?: (draft: Draft) => Promise<ReadResult | null>) {
  const hand = handSimulator();
  const first = { text: manifest(10), overrides: [] };
  const store = createScenarioStore(hand.simulator, first, hand.simulator, readAside);
  const finish = async (i: number): Promise<void> => {
    hand.asked[i]?.answer(trace());
    await settled();
  };
  return { ...hand, store, finish, state: () => store.getState() };
}
const periodOf = (scenario: Scenario | undefined): number | undefined =>
  scenario?.pods[0]?.containers[0]?.probes.readiness?.periodSeconds;

describe('scenarioStore', () => {
  it('simulates the first draft at once', async () => {
    const { asked, state, finish } = setup();
    expect(asked.map(({ scenario }) => periodOf(scenario))).toEqual([10]);
    expect(state().run).toBeNull();
    await finish(0);
    expect(periodOf(state().run?.scenario)).toBe(10);
    expect(state().running).toBe(false);
  });

  it('shows the run of the newest request, whatever comes back when', async () => {
    const { state, finish } = setup();
    state().setOverride(PERIOD, 20);
    state().setOverride(PERIOD, 30);
    await finish(2);
    await finish(1);
    await finish(0);
    expect(periodOf(state().run?.scenario)).toBe(30);
  });

  it('keeps the last good run beside a text with errors, and simulates nothing', async () => {
    const { state, asked, finish } = setup();
    await finish(0);
    state().setText(manifest(-1));
    expect(state().read.scenario).toBeNull();
    expect(state().read.issues.some(({ severity }) => severity === 'error')).toBe(true);
    expect(periodOf(state().run?.scenario)).toBe(10);
    expect(asked).toHaveLength(1);
  });

  it('takes back one drag of a slider in one step', () => {
    const { state } = setup();
    for (const value of [11, 12, 13]) state().setOverride(PERIOD, value);
    state().settle();
    state().undo();
    expect(state().history.present.overrides).toEqual([]);
    state().redo();
    expect(state().history.present.overrides).toEqual([{ path: PERIOD, value: 13 }]);
  });

  it('keeps the run that a drag starts from until it is released', async () => {
    const { state, finish } = setup();
    await finish(0);
    const before = state().run;
    state().setOverride(PERIOD, 11);
    await finish(1);
    state().setOverride(PERIOD, 12);
    expect(periodOf(state().run?.scenario)).toBe(11);
    expect(state().ghost).toBe(before);
    state().settle();
    expect(state().ghost).toBeNull();
    state().setOverride(PERIOD, 13);
    expect(periodOf(state().ghost?.scenario)).toBe(11);
  });

  it('resets one field and leaves the others', () => {
    const { state } = setup();
    state().setOverride(PERIOD, 20);
    state().setOverride('default/web/app/readyAfter', 5);
    state().resetOverride(PERIOD);
    expect(state().history.present.overrides).toEqual([{ path: 'default/web/app/readyAfter', value: 5 }]);
  });

  it('says what the engine said when it fails, and forgets it with the next good run', async () => {
    const { state, asked, finish } = setup();
    asked[0]?.fail(new Error('no more memory'));
    await settled();
    expect(state().failure).toBe('no more memory');
    state().setOverride(PERIOD, 20);
    expect(state().failure).toBeNull();
    await finish(1);
    expect(periodOf(state().run?.scenario)).toBe(20);
  });

  it('reports progress while a run goes on, and none afterwards', async () => {
    const { state, report, finish } = setup();
    report(0.4);
    expect(state().progress).toBe(0.4);
    await finish(0);
    expect(state().progress).toBeNull();
    report(0.9);
    expect(state().progress).toBeNull();
  });

  it('can be cancelled: the old run stays', async () => {
    const { state, asked, finish, cancelled } = setup();
    await finish(0);
    state().setOverride(PERIOD, 20);
    state().cancel();
    asked[1]?.answer(null);
    await settled();
    expect(cancelled()).toBe(1);
    expect(state().running).toBe(false);
    expect(state().cancelled).toBe(true);
    expect(periodOf(state().run?.scenario)).toBe(10);
  });

  it('simulates the newest draft again after a cancel, and forgets that there was one', async () => {
    const { state, asked, finish } = setup();
    await finish(0);
    state().setOverride(PERIOD, 20);
    state().cancel();
    state().again();
    expect(state().cancelled).toBe(false);
    expect(periodOf(asked[2]?.scenario)).toBe(20);
    await finish(2);
    expect(periodOf(state().run?.scenario)).toBe(20);
  });

  describe('a large text', () => {
    const large = (periodSeconds: number): Draft => ({
      text: `${manifest(periodSeconds)}${'# as typed\n'.repeat(10_000)}`,
      overrides: [],
    });
    /** Reads drafts when the test says so. */
    function handReader() {
      const read = readerOfDrafts();
      const asked: (() => void)[] = [];
      const readAside = (draft: Draft): Promise<ReadResult> =>
        new Promise((resolve) => asked.push(() => resolve(read(draft))));
      return { asked, readAside };
    }

    it('is read aside: until then the page is busy and has what was read before', async () => {
      const reader = handReader();
      const { asked, state, finish } = setup(reader.readAside);
      await finish(0);
      const opened = state().open(large(7));
      expect(state().history.present.text).toBe(large(7).text);
      expect([state().running, periodOf(state().read.scenario ?? undefined), asked.length]).toEqual([true, 10, 1]);
      reader.asked[0]?.();
      await opened;
      expect([periodOf(state().read.scenario ?? undefined), asked.length]).toEqual([7, 2]);
      await finish(1);
      expect([state().running, periodOf(state().run?.scenario)]).toEqual([false, 7]);
    });

    it('that something else has replaced meanwhile is dropped', async () => {
      const reader = handReader();
      const { state } = setup(reader.readAside);
      const opened = state().open(large(7));
      state().setText(manifest(5));
      reader.asked[0]?.();
      await opened;
      expect(periodOf(state().read.scenario ?? undefined)).toBe(5);
      expect(state().history.present.text).toBe(manifest(5));
    });

    it('whose reading fails says so', async () => {
      const { state } = setup(() => Promise.reject(new Error('out of memory')));
      await state().open(large(7));
      expect([state().running, state().failure]).toEqual([false, 'out of memory']);
    });
  });
});
