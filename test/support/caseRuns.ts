import { expect } from 'vitest';
import { readScenario } from '../../src/io/readScenario.ts';
import { type ReadRun, readRun } from './readRun.ts';

/** "At once" in the handed cases: a pass, a poke, a PATCH. Seconds. */
export const AT_ONCE = 0.1;

/** Runs manifests beside a Scenario document once for each seed, which is another phase of all timers. */
export function caseRuns(manifests: string, scenario: string, seeds = [1, 2, 3, 4, 5]): readonly ReadRun[] {
  return seeds.map((seed) => {
    const text = `${manifests.trim()}
---
apiVersion: podtopool/v1
kind: Scenario
seed: ${seed}
${scenario.trim()}
`;
    const { scenario: read, issues } = readScenario(text);
    expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
    if (!read) throw new Error('no scenario');
    return readRun(read);
  });
}

/** A Pod `web`; `spec` is its spec, from the margin on. */
export const podText = (spec: string): string => `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
${indent(spec, 2)}`;

export const indent = (text: string, by: number): string =>
  text
    .trim()
    .split('\n')
    .map((line) => `${' '.repeat(by)}${line}`)
    .join('\n');

export const first = (list: readonly number[]): number => list[0] ?? Number.NaN;

/** Real starts of a container, s. */
export const startsOf = (run: ReadRun, container: string): readonly number[] =>
  run.all('startContainer', ({ subject }) => subject.container === container).map(({ end }) => end / 1e6);

/** End of the attempt that made the startup probe succeed, s. */
export const startupEnd = (run: ReadRun, container = 'app'): number =>
  (run.all(
    'resultSet',
    ({ subject, payload }) =>
      subject.probe === 'startup' && subject.container === container && payload.result === 'success',
  )[0]?.at ?? Number.NaN) / 1e6;

interface ContainerView {
  readonly name: string;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly state: { readonly waiting?: { readonly reason: string } };
}
/** What `kubectl get pod -o yaml` shows from `since` on, s. */
export interface PodView {
  readonly since: number;
  readonly metadata: { readonly deletionTimestamp?: string };
  readonly status: {
    readonly phase: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
    readonly containerStatuses?: readonly ContainerView[];
    readonly initContainerStatuses?: readonly ContainerView[];
  };
}

/** The versions of a Pod in the API, oldest first. */
export const podViews = ({ reader }: ReadRun, identity = 'default/web'): readonly PodView[] =>
  reader.versionsOf(`api/Pod/${identity}`).map(({ index, since }) => ({
    ...(JSON.parse(reader.versionText(index)) as Omit<PodView, 'since'>),
    since: since / 1e6,
  }));

/** The version that holds at `t`, s. */
export function podAt(run: ReadRun, t: number, identity = 'default/web'): PodView {
  const view = podViews(run, identity).findLast(({ since }) => since <= t);
  if (!view) throw new Error(`no Pod at ${t} s`);
  return view;
}

export const conditionOf = ({ status }: PodView, type: string) =>
  status.conditions?.find((condition) => condition.type === type);

/** kubectl's READY column: sidecars count. */
export function readyColumn({ status }: PodView, sidecars: readonly string[] = []): string {
  const counted = [
    ...(status.containerStatuses ?? []),
    ...(status.initContainerStatuses ?? []).filter(({ name }) => sidecars.includes(name)),
  ];
  return `${counted.filter(({ ready }) => ready).length}/${counted.length}`;
}
