import { describe, expect, it } from 'vitest';
import { recordedRun } from '../../test/support/recorded.ts';
import { scenarioOf, serviceRun } from '../../test/support/services.ts';
import { micros } from '../base/units.ts';
import type { Scenario } from '../sim/scenario.ts';
import { simulate } from '../sim/simulate.ts';
import { finishedRun } from '../sim/trace/podsOfRun.ts';
import { TraceReader } from '../sim/trace/reader.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { applyEdit, type Edit } from './applyEdit.ts';
import { backendChanges } from './backendAt.ts';
import { podsOf } from './podsOf.ts';
import { candidateEdits, rankedEdits, type TriedEdit, trialOf, triedEdit, type Wait, waitOf } from './shorten.ts';
import { type Why, whyAt } from './why.ts';
import { pathEn } from './words/pathEn.ts';
import { pathZh } from './words/pathZh.ts';

const FIELDS = 'clients: []\nduration: 60s\napps: [{workload: web, readyAfter: 4s';
/** Asked each 5 s: serves at about 5 s, is a backend some seconds later, and fails from 31 s to 51 s. */
const run = serviceRun(`${FIELDS}, outages: [{from: 30s, to: 50s, answer: fail}]}]`);
const [pod] = run.scenario.pods;

function asked(seconds: number, of: FinishedRun = run): { readonly why: Why; readonly wait: Wait | null } {
  const own = of.scenario.pods[0];
  if (own === undefined) throw new Error('no Pod');
  const why = whyAt(of, { pod: own, service: 'default/web', node: null, at: micros(seconds * 1e6) });
  return { why, wait: waitOf(of, why) };
}
const simulated = (scenario: Scenario): FinishedRun => finishedRun(scenario, new TraceReader(simulate(scenario)));
function triedAt(seconds: number, of: FinishedRun = run): readonly TriedEdit[] {
  const { why, wait } = asked(seconds, of);
  if (wait === null) throw new Error('no wait');
  return candidateEdits(of, why, wait).map((edit) =>
    triedEdit(why, wait, edit, simulated(trialOf(of.scenario, wait, edit))),
  );
}
const nameOf = ({ edit }: TriedEdit): string => edit.setting.split('/').slice(-2).join('/');

describe('waitOf', () => {
  it.each<[name: string, seconds: number, wanted: string | null, comes: boolean]>([
    ['a Pod whose app starts waits to join', 3, 'joined', true],
    ['a healthy backend waits for nothing', 20, null, false],
    ['a backend that fails waits to leave', 35, 'left', true],
    ['one that has left waits to join again', 48, 'joined', true],
  ])('%s', (_name, seconds, wanted, comes) => {
    const { wait } = asked(seconds);
    expect(wait?.wanted ?? null).toBe(wanted);
    expect(wait?.comes ?? false).toBe(comes);
  });

  it('a Pod that is being deleted waits for nothing that an edit could bring', () => {
    const deleted = serviceRun(`${FIELDS}}]\nactions: [{at: 30s, do: deletePod, pod: web-0}]`);
    expect(asked(59, deleted).wait).toBe(null);
  });
});

describe('candidates that are really run', () => {
  it('the wait to join: asking more often helps, as does a startup probe that wakes readiness; minSyncPeriod is idle', () => {
    const ranked = rankedEdits(triedAt(6));
    expect(ranked.map(nameOf)).toEqual(['readiness/periodSeconds', 'startup/periodSeconds', 'kubeProxy/minSyncPeriod']);
    expect(ranked.map(({ gain }) => gain > 0)).toEqual([true, true, false]);
  });

  it('the wait to leave: one failure is enough', () => {
    const [best, ...others] = rankedEdits(triedAt(35));
    expect(best && nameOf(best)).toBe('readiness/failureThreshold');
    expect(others.some(({ gain }) => gain === 0)).toBe(true);
  });

  it('a change says when the wait is over, and the run with it for its whole length says so too', () => {
    if (pod === undefined) throw new Error('no Pod');
    for (const { edit, at } of triedAt(6).filter(({ gain }) => gain > 0)) {
      const whole = simulated(applyEdit(run.scenario, edit));
      const own = podsOf(whole.scenario).get(pod.identity) ?? pod;
      expect(backendChanges(whole, own, 'default/web', null)[0]).toEqual({ at, isBackend: true });
    }
  });

  it('an app that answers too late is helped by a longer timeout', () => {
    const slow = serviceRun('clients: []\nduration: 60s\napps: [{workload: web, readyAfter: 2s, answersIn: 1500ms}]');
    const best = rankedEdits(triedAt(20, slow))[0];
    expect(best && nameOf(best)).toBe('readiness/timeoutSeconds');
    expect(best?.gain).toBeGreaterThan(20e6);
  });
});

describe('a Pod that a Deployment has not made yet', () => {
  const scenario = scenarioOf(`apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{name: http, port: 80, targetPort: 8080}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  minReadySeconds: 60
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: app, image: i, readinessProbe: {httpGet: {path: /, port: 8080}, periodSeconds: 20}}]
---
apiVersion: podtopool/v1
kind: Scenario
duration: 240s
apps: [{workload: web, readyAfter: 3s}]
clients: []
actions: [{at: 30s, do: rollOut, workload: web, image: j}]
`);
  const rollout = simulated(scenario);
  const last = podsOf(rollout.scenario).get('default/web#2/1');
  if (last === undefined) throw new Error('no Pod of the second revision');

  it('waits for those before it: minReadySeconds helps most, and probes of all revisions change', () => {
    const why = whyAt(rollout, { pod: last, service: 'default/web', node: null, at: micros(45e6) });
    const wait = waitOf(rollout, why);
    expect(why.missing?.kind).toBe('exists');
    if (wait === null) throw new Error('no wait');
    const tried = candidateEdits(rollout, why, wait).map((edit) =>
      triedEdit(why, wait, edit, simulated(trialOf(scenario, wait, edit))),
    );
    const [best] = rankedEdits(tried);
    expect(best?.edit).toEqual({ setting: 'default/web/minReadySeconds', from: 60, to: 0 });
    expect(tried.find((one) => nameOf(one) === 'readiness/periodSeconds')?.gain).toBeGreaterThan(0);
  });
});

describe('applyEdit', () => {
  const edit: Edit = { setting: 'default/web/app/readiness/periodSeconds', from: 1, to: 7 };
  const { scenario } = recordedRun('endtoend/rolling-replace-02');
  const periods = (of: typeof scenario): ReadonlySet<number | undefined> =>
    new Set(
      [...podsOf(of).values()].flatMap(({ containers }) => containers.map((c) => c.probes.readiness?.periodSeconds)),
    );

  it('reaches the Pods that come later, and leaves the scenario as it was', () => {
    const before = JSON.stringify(scenario);
    const [first] = podsOf(scenario).values();
    const container = first?.containers[0]?.name ?? '';
    const workload = first?.identity.replace(/#.*/, '') ?? '';
    const edited = applyEdit(scenario, { ...edit, setting: `${workload}/${container}/readiness/periodSeconds` });
    expect([...podsOf(edited).values()].filter(({ identity }) => identity.startsWith(workload)).length).toBeGreaterThan(
      0,
    );
    expect(periods(edited).has(7)).toBe(true);
    expect(JSON.stringify(scenario)).toBe(before);
  });

  it('other workloads stay', () => {
    expect(periods(applyEdit(scenario, { ...edit, setting: 'default/other/app/readiness/periodSeconds' }))).toEqual(
      periods(scenario),
    );
  });
});

describe.each([
  ['English', pathEn],
  ['Chinese', pathZh],
] as const)('changes in %s', (_language, words) => {
  it.each([6, 35])('have a name, a gain and a cost at %s s', (seconds) => {
    const { wait } = asked(seconds);
    for (const tried of triedAt(seconds)) {
      const texts =
        wait === null
          ? []
          : [words.shorten(wait), words.edit(tried.edit), words.gain(tried, wait), words.cost(tried.edit)];
      expect(texts).toHaveLength(4);
      for (const text of texts) expect(text).toMatch(/^(?!.*(undefined|null|NaN)).+$/);
    }
  });
});
