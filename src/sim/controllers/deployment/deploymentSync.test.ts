import { describe, expect, it } from 'vitest';
import { meta } from '../../../../test/support/cluster.ts';
import { testCluster } from '../../../../test/support/clusterContext.ts';
import { type DeploymentObject, type PodTemplate, type ReplicaSetObject, WORKLOAD } from '../../api/workloadObjects.ts';
import type { Task } from '../../kernel/kernel.ts';
import { NO_REF } from '../../trace/ref.ts';
import type { WorkloadContext } from '../workloads/context.ts';
import { DeploymentSync } from './deploymentSync.ts';
import type { DeploymentWriter } from './deploymentWriter.ts';

/** One sync of a Deployment that wants four Pods, with a writer that tells what it is asked for. */

const template = (revision: number): PodTemplate =>
  ({ text: `image ${revision}`, hash: `h${revision}`, labels: {} }) as PodTemplate;

const deployment = (over: Partial<DeploymentObject['spec']> = {}): DeploymentObject => ({
  meta: { ...meta('web'), uid: 'web-uid', annotations: { [WORKLOAD.revision]: '2' } },
  spec: {
    replicas: 4,
    selector: {},
    template: template(2),
    strategy: 'RollingUpdate',
    maxSurge: 0,
    maxUnavailable: 1,
    minReadySeconds: 0,
    progressDeadlineSeconds: 600,
    revisionHistoryLimit: 10,
    paused: false,
    ...over,
  },
  status: {
    observedGeneration: 1,
    replicas: 0,
    updatedReplicas: 0,
    readyReplicas: 0,
    availableReplicas: 0,
    unavailableReplicas: 0,
    terminatingReplicas: 0,
    conditions: [],
  },
});

/** A set of a revision: its size, and how many of its Pods its status says are available. */
const replicaSet = (revision: number, replicas: number, available: number, desired = 4): ReplicaSetObject => ({
  meta: {
    ...meta(`web-h${revision}`),
    uid: `set-${revision}`,
    creationTimestamp: revision,
    ownerUid: 'web-uid',
    ownerName: 'Deployment/web',
    annotations: {
      [WORKLOAD.revision]: String(revision),
      [WORKLOAD.desiredReplicas]: String(desired),
      [WORKLOAD.maxReplicas]: String(desired),
    },
  },
  spec: { replicas, minReadySeconds: 0, selector: {}, template: template(revision) },
  status: {
    observedGeneration: 1,
    replicas: available,
    fullyLabeledReplicas: available,
    readyReplicas: available,
    availableReplicas: available,
    terminatingReplicas: 0,
    conditions: [],
  },
});

interface Given {
  readonly deployment?: DeploymentObject;
  readonly sets: readonly ReplicaSetObject[];
  /** Sets that the cache shows when the answer to a creation is there. */
  readonly later?: readonly ReplicaSetObject[];
  /** What creations and deletions of sets are refused with. */
  readonly refusal?: { readonly code: number; readonly error: string };
}

/** The writes, the condition that they tell last, and how the sync ends. */
function sync({ deployment: given = deployment(), sets, later = sets, refusal }: Given) {
  const told: string[] = [];
  let progressing = '';
  const answer = <T>(object: T) => (refusal ? { ...refusal, ref: NO_REF } : { object, ref: NO_REF });
  const say = <T>(what: string, result: T): Task<T> => {
    told.push(what);
    return (function* () {
      yield* [];
      return result;
    })();
  };
  const writer = {
    updateStatus: (_: unknown, { conditions }: DeploymentObject['status']) => {
      progressing = conditions.find(({ type }) => type === 'Progressing')?.reason ?? '';
      return say('status', { object: given, ref: NO_REF });
    },
    createSet: (_: unknown, set: ReplicaSetObject) => say(`create ${set.meta.name}`, answer(set)),
    updateSet: (set: ReplicaSetObject) => say(`update ${set.meta.name}`, { object: set, ref: NO_REF }),
    deleteSet: (set: ReplicaSetObject) => say(`delete ${set.meta.name}`, answer(null)),
    scale: (_: unknown, set: ReplicaSetObject, size: number) =>
      say(`scale ${set.meta.name} ${size}`, { scaled: set.spec.replicas !== size, set, error: '' }),
    tellFailure: (_: unknown, reason: string) => void told.push(reason),
  };
  const run = new DeploymentSync({
    context: testCluster().context as WorkloadContext,
    writer: writer as unknown as DeploymentWriter,
    deployment: given,
    sets,
    cached: () => later,
    hasOldPods: () => false,
    log: () => {},
    requeue: () => {},
    ref: NO_REF,
  }).run();
  const { value: error } = run.next();
  return { told, error, progressing };
}

describe('a set that cannot be created (N-011; getNewReplicaSet)', () => {
  const old = replicaSet(1, 4, 4);

  it('is told by the Progressing condition and an Event, and tried again', () => {
    const refusal = { code: 500, error: 'Internal error occurred: injected' };
    expect(sync({ sets: [old], refusal })).toEqual({
      told: ['create web-h2', 'status', 'ReplicaSetCreateError'],
      progressing: 'ReplicaSetCreateError',
      error: refusal.error,
    });
  });

  it('is told by the Event alone without a progress deadline', () => {
    const refusal = { code: 500, error: 'Internal error occurred: injected' };
    const given = deployment({ progressDeadlineSeconds: 2 ** 31 - 1 });
    expect(sync({ deployment: given, sets: [old], refusal }).told).toEqual(['create web-h2', 'ReplicaSetCreateError']);
  });

  const refusal = { code: 409, error: 'replicasets.apps "web-h2" already exists' };
  it('because it is there, is waited for while the cache does not show it', () => {
    const { told, error } = sync({ sets: [old], refusal });
    expect([told, error]).toEqual([['create web-h2'], 'replicaset.apps "web-h2" not found']);
  });

  it('because it is there, is the new one once the cache shows it: nothing new is told', () => {
    const { told, error } = sync({ sets: [old], refusal, later: [old, replicaSet(2, 0, 0)] });
    expect(error).toBe('');
    expect(told.slice(0, 2)).toEqual(['create web-h2', 'scale web-h1 3']);
  });
});

describe('sizes of the sets (N-011)', () => {
  it.each<[string, Given, readonly string[]]>([
    ['unhealthy Pods of an old set go first', { sets: [replicaSet(1, 4, 3), replicaSet(2, 0, 0)] }, ['scale web-h1 3']],
    [
      'an old set whose status is that of a larger size ends the reckoning: nothing shrinks (cleanupUnhealthyReplicas)',
      { sets: [replicaSet(1, 3, 4), replicaSet(2, 1, 1)] },
      [],
    ],
    [
      'a new set that has no room keeps its annotations too, though another size is wanted by now (scaleReplicaSetAndRecordEvent)',
      { deployment: deployment({ replicas: 6 }), sets: [replicaSet(1, 6, 5, 6), replicaSet(2, 0, 0)] },
      ['scale web-h1 5'],
    ],
  ])('%s', (_, given, writes) => {
    expect(sync(given).told.filter((one) => one !== 'status')).toEqual(writes);
  });
});

describe('old sets beyond the history (cleanupDeployment)', () => {
  const complete = { ...deployment({ revisionHistoryLimit: 0 }).status, replicas: 4, updatedReplicas: 4 };
  const given = {
    ...deployment({ revisionHistoryLimit: 0 }),
    status: { ...complete, readyReplicas: 4, availableReplicas: 4 },
  };
  const sets = [replicaSet(1, 0, 0), replicaSet(2, 4, 4)];

  it('one that is gone already is as good as deleted', () => {
    const { told, error } = sync({ deployment: given, sets, refusal: { code: 404, error: 'not found' } });
    expect([told.filter((one) => one.startsWith('delete')), error]).toEqual([['delete web-h1'], '']);
  });
  it('any other refusal ends the sync', () => {
    const { error } = sync({ deployment: given, sets, refusal: { code: 500, error: 'injected' } });
    expect(error).toBe('injected');
  });
});
