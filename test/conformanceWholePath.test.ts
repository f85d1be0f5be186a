import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRecording } from '../src/cli/conformance.ts';
import { play } from '../src/cli/play.ts';
import { checkRecording } from '../src/io/recording/conformance.ts';

type Fields = Readonly<Record<string, unknown>>;
interface Recording {
  readonly components: readonly string[];
  readonly scenario: { readonly draws: Fields; readonly world: Fields };
  readonly initial: Fields;
  readonly counts: Fields;
  readonly final: Readonly<Record<string, Fields>>;
  readonly events: readonly ({ readonly t: number; readonly lane: string; readonly type: string } & Fields)[];
}
type Spoil = (recording: Recording) => object;

const parsed = (name: string): Recording =>
  readRecording(join(import.meta.dirname, 'recordings', `${name}.json.gz`)) as Recording;

/** Changes the first event of a lane and type. */
const changing =
  (lane: string, type: string, fields: Fields): Spoil =>
  (recording) => {
    const first = recording.events.findIndex((event) => event.lane === lane && event.type === type);
    return {
      ...recording,
      events: recording.events.map((event, i) => (i === first ? { ...event, ...fields } : event)),
    };
  };
/** Leaves the first event of a lane and type out. */
const without =
  (lane: string, type: string): Spoil =>
  (recording) => {
    const first = recording.events.findIndex((event) => event.lane === lane && event.type === type);
    return { ...recording, events: recording.events.filter((_event, i) => i !== first) };
  };

/** Adds actions to the world. */
const doing =
  (...more: readonly Fields[]): Spoil =>
  ({ scenario, ...rest }) => {
    const { actions } = scenario.world as { readonly actions: readonly Fields[] };
    return { ...rest, scenario: { ...scenario, world: { ...scenario.world, actions: [...actions, ...more] } } };
  };

describe('conformance of workloads and of the whole path reports', () => {
  it.each<[string, string, Spoil, RegExp]>([
    [
      'a ReplicaSet that is scaled a microsecond later',
      'workloads/rolling-default-01',
      changing('api', 'replicasets', { t: 2_005_525 }),
      /2005524 api replicasets .*N-0/,
    ],
    [
      'another number of Pods to delete',
      'workloads/rolling-default-01',
      changing('controller', 'tooMany', { deleting: 2 }),
      /2015757 controller tooMany .*got tooMany .*"deleting":1.*N-021/,
    ],
    [
      'a Kubernetes event that the recording lacks',
      'workloads/rolling-default-01',
      without('k8sEvent', 'create'),
      /k8sEvent .*expected nothing, got create/,
    ],
    [
      'the state of an object at the end',
      'workloads/rolling-default-01',
      (one) => ({ ...one, final: { ...one.final, deployments: {} } }),
      /final\.deployments\.web: expected undefined, got/,
    ],
    [
      'a tie between victims that was drawn at another instant',
      'workloads/bad-strategy-01',
      ({ scenario, ...rest }) => {
        const victimTies = (scenario.draws.victimTies as readonly { t: number }[]).map((tie) => ({
          ...tie,
          t: tie.t + 1,
        }));
        return { ...rest, scenario: { ...scenario, draws: { ...scenario.draws, victimTies } } };
      },
      /draw .*victim|expected/,
    ],
    [
      'an attempt with another outcome',
      'endtoend/rolling-replace-01',
      changing('client', 'attempt', { outcome: 'refused' }),
      /client .*expected attempt .*refused.*got attempt .*served/,
    ],
    [
      'rules that come into force a microsecond later',
      'endtoend/rolling-replace-01',
      changing('proxy', 'backends', { t: 66_105_255 }),
      /66105254 proxy/,
    ],
    [
      'a probe of a kubelet that the recording lacks',
      'endtoend/rolling-replace-01',
      without('probe', 'attempt'),
      /probe .*got attempt/,
    ],
    [
      'a number of events that the recording only counts',
      'endtoend/rolling-replace-01',
      (one) => ({ ...one, counts: { ...one.counts, 'client/attempt': 1 } }),
      /counts\.client\/attempt: expected 1, got 90/,
    ],
    [
      'actions, kinds and patches of workloads that the model lacks, by name, instead of leaving them out',
      'workloads/rolling-default-01',
      doing(
        { atUs: 1, do: 'restoreBackup' },
        { atUs: 2, do: 'create', object: { kind: 'Job', metadata: { name: 'once' } } },
        { atUs: 3, do: 'patch', resource: 'jobs', name: 'once' },
      ),
      /^not modelled yet: action restoreBackup, kind Job, patch of jobs$/,
    ],
    [
      'an action on the whole path that the model lacks, by name',
      'endtoend/rolling-replace-01',
      doing({ atUs: 1, do: 'drain', node: 'node-1' }),
      /^not modelled yet: action drain$/,
    ],
  ])('%s', (_name, recording, spoil, message) => {
    const verdict = checkRecording(spoil(parsed(recording)), play);
    expect(verdict.passed).toBe(false);
    expect(verdict.message).toMatch(message);
  });
});
