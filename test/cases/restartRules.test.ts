import { describe, expect, it } from 'vitest';
import type { ContainerRestart, PodInput, RestartRule } from '../../src/sim/scenario.ts';
import { type ReadRun, readRun } from '../support/readRun.ts';
import { bad, container, exitStep, ok, pod, probe, run, scenario, step } from '../support/scenario.ts';

/** Restart policies and rules of single containers (K-061, K-066; KEP-5307, KEP-5532). */
const SECONDS = 60;
const app = (code: number, restart: ContainerRestart | null, at = 3) => ({
  ...container({}, [run(step(0, ok()), exitStep(at, code))]),
  restart,
});
const helper = container({ readiness: probe() }, [run(step(0, ok()))], 'helper');
const rule = (exitCodes: readonly number[], over: Partial<RestartRule> = {}): RestartRule => ({
  action: 'Restart',
  operator: 'In',
  exitCodes,
  ...over,
});
const play = (input: PodInput, over: Parameters<typeof scenario>[2] = {}): ReadRun =>
  readRun(scenario([input], SECONDS, over));

interface ContainerText {
  readonly name: string;
  readonly restartCount: number;
  readonly state: Readonly<Record<string, object>>;
}
interface PodStatusText {
  readonly status: {
    readonly phase: string;
    readonly conditions: readonly { readonly type: string; readonly status: string }[];
    readonly initContainerStatuses?: readonly ContainerText[];
    readonly containerStatuses?: readonly ContainerText[];
  };
}
/** Versions of the status in the API. */
const statuses = ({ reader }: ReadRun): readonly PodStatusText['status'][] =>
  reader
    .versionsOf('api/Pod/default/web-0')
    .map(({ index }) => (JSON.parse(reader.versionText(index)) as PodStatusText).status);
const startsOf = (played: ReadRun, name: string): number =>
  played.all('startContainer', ({ subject }) => subject.container === name).length;

describe('whether a container is started again', () => {
  it.each<[string, PodInput['restartPolicy'], ContainerRestart, number, boolean]>([
    ['Always in a Pod that Never restarts', 'Never', { policy: 'Always', rules: [] }, 0, true],
    ['OnFailure in a Pod that Never restarts, after a failure', 'Never', { policy: 'OnFailure', rules: [] }, 1, true],
    ['OnFailure, after success', 'Always', { policy: 'OnFailure', rules: [] }, 0, false],
    ['Never in a Pod that Always restarts', 'Always', { policy: 'Never', rules: [] }, 1, false],
    ['a rule names the exit code', 'Never', { policy: 'Never', rules: [rule([42])] }, 42, true],
    ['no rule names it', 'Never', { policy: 'Never', rules: [rule([42])] }, 41, false],
    ['a rule excludes others', 'Never', { policy: 'Never', rules: [rule([42], { operator: 'NotIn' })] }, 41, true],
    ['a rule excludes it', 'Never', { policy: 'Never', rules: [rule([42], { operator: 'NotIn' })] }, 42, false],
    ['the policy counts where no rule does', 'Never', { policy: 'OnFailure', rules: [rule([42])] }, 1, true],
  ])('%s', (_name, restartPolicy, restart, code, again) => {
    const played = play(pod([app(code, restart), helper], { restartPolicy }));
    expect(startsOf(played, 'app') > 1).toBe(again);
    expect(startsOf(played, 'helper')).toBe(1);
    expect(statuses(played).at(-1)?.phase).toBe('Running');
  });

  it('a probe kill asks the policy of the container', () => {
    const sick = container({ liveness: probe({ periodSeconds: 1 }) }, [run(step(0, bad()))]);
    const restart = { policy: 'Never', rules: [] } as const;
    const played = play(pod([{ ...sick, restart }, helper]));
    expect(played.all('sigterm')).toHaveLength(1);
    const messages = played.all('kubeEvent', ({ payload }) => payload.reason === 'Killing');
    expect(messages.map(({ payload }) => payload.message)).toEqual(['Container app failed liveness probe']);
  });

  it.each<[string, number, string]>([
    ['a rule lets the failed init container try again', 42, 'Pending'],
    ['another exit code fails the Pod', 1, 'Failed'],
  ])('%s', (_name, code, phase) => {
    const setup = { ...app(code, { policy: 'Never', rules: [rule([42])] }), name: 'setup' };
    const played = play(pod([helper], { initContainers: [setup], restartPolicy: 'Never' }));
    expect(startsOf(played, 'setup') > 1).toBe(phase === 'Pending');
    expect(statuses(played).at(-1)?.phase).toBe(phase);
  });

  it('up to 1.34 the API server drops both fields', () => {
    const input = pod([app(1, { policy: 'Always', rules: [] }), helper], { restartPolicy: 'Never' });
    expect(startsOf(play(input, { kubernetes: '1.34' }), 'app')).toBe(1);
    expect(startsOf(play(input, { kubernetes: '1.35' }), 'app')).toBeGreaterThan(1);
  });
});

describe('RestartAllContainers', () => {
  const restart: ContainerRestart = { policy: 'Never', rules: [rule([88], { action: 'RestartAllContainers' })] };
  const once = {
    ...container({}, [run(step(0, ok()), exitStep(3, 88)), run(step(0, ok()))]),
    restart,
  };
  const setup = container({}, [run(exitStep(1, 0))], 'setup');
  const stubborn = {
    ...helper,
    runs: [{ ...run(step(0, ok())), onTerm: { exitAfter: null, exitCode: 0, script: [] } }],
    preStop: { type: 'sleep', seconds: 20 } as const,
  };
  const input = pod([once, stubborn], { initContainers: [setup], restartPolicy: 'Never' });
  const played = play(input);

  it('begins with the init containers, once for the exit that asked, in the same sandbox', () => {
    expect(['setup', 'app', 'helper'].map((name) => startsOf(played, name))).toEqual([2, 2, 2]);
    expect(played.all('runPodSandbox')).toHaveLength(1);
  });

  it('kills the others without their hook, within 2 s, and removes the one that asked last', () => {
    expect(played.all('preStop')).toEqual([]);
    expect(played.all('stopContainer').map(({ payload }) => payload.timeoutSeconds)).toEqual([2]);
    const removed = played.all('removeContainer').map(({ subject }) => subject.container);
    expect(removed).toEqual(['setup', 'helper', 'app']);
  });

  it('is a condition of the Pod until nothing is left of the containers', () => {
    const seen = statuses(played).map(
      ({ conditions }) => conditions.find(({ type }) => type === 'AllContainersRestarting')?.status,
    );
    const changes = seen.filter((value, i) => value !== undefined && value !== seen[i - 1]);
    expect(changes).toEqual(['False', 'True', 'False']);
  });

  it('counts as one restart of each container, and the Pod never ends', () => {
    const last = statuses(played).at(-1);
    const all = [...(last?.initContainerStatuses ?? []), ...(last?.containerStatuses ?? [])];
    expect(all.map(({ name, restartCount }) => [name, restartCount])).toEqual([
      ['setup', 1],
      ['app', 1],
      ['helper', 1],
    ]);
    expect(new Set(statuses(played).map(({ phase }) => phase))).toEqual(new Set(['Pending', 'Running']));
    expect(played.readyTurned('True')).toHaveLength(2);
  });

  it('is unknown to 1.35', () => {
    expect(startsOf(play(input, { kubernetes: '1.35' }), 'app')).toBe(1);
  });
});

it.each<[number, string]>([
  [0, 'terminated'],
  [1, 'waiting'],
])('a sidecar that ended with %d and is held back is shown as %s (K-200)', (code, state) => {
  const sidecar = { ...container({}, [run(step(0, ok()), exitStep(1, code))], 'proxy'), isSidecar: true };
  const played = play(pod([helper], { initContainers: [sidecar] }));
  const backOff = played.all('backOff')[0];
  const after = played.reader
    .versionsOf('status/Pod/default/web-0')
    .filter(({ since }) => backOff !== undefined && since > backOff.at)
    .map(({ index }) => (JSON.parse(played.reader.versionText(index)) as PodStatusText).status)
    .find(({ initContainerStatuses }) => initContainerStatuses?.[0]?.state.running === undefined);
  expect(Object.keys(after?.initContainerStatuses?.[0]?.state ?? {})).toEqual([state]);
});
