import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRecording } from '../src/cli/conformance.ts';
import { play } from '../src/cli/play.ts';
import { checkRecording } from '../src/io/recording/conformance.ts';
import type { RecordedEvent } from '../src/io/recording/event.ts';

/** What a recording would show if its world were another one: what no kept recording reaches. */

type Loose = Readonly<Record<string, unknown>>;
interface World {
  faults: Loose[];
  behaviours: Record<string, Record<string, unknown>>;
  actions: (Loose & { object?: { kind: string; spec: Record<string, unknown> } })[];
}

function shown(name: string, change: (world: World, events: Loose[]) => void): readonly (RecordedEvent & Loose)[] {
  const recording = readRecording(join(import.meta.dirname, 'recordings', `${name}.json.gz`)) as {
    readonly scenario: { readonly world: World };
    readonly events: Loose[];
  };
  change(recording.scenario.world, recording.events);
  return checkRecording(recording, play).got;
}

const fault = (actor: string, verb: string, resource: string, over: Loose = {}): Loose => ({
  actor,
  verb,
  resource,
  code: 500,
  count: 1,
  fromUs: 0,
  ...over,
});

describe('an injected answer of the API', () => {
  it('to a write that is stored is told with the object and its error (README of traces/workloads: committed)', () => {
    const events = shown('workloads/create-errors-01', (world) => {
      world.faults = [fault('replicaset', 'create', 'pods', { code: 504, committed: true })];
    });
    const created = events.find(({ type, actor }) => type === 'pods' && actor === 'replicaset');
    expect(created).toMatchObject({ code: 504, error: 'Timeout: injected timeout', injected: true, committed: true });
    expect(created).toHaveProperty('object.phase', 'Pending');
  });

  it('to the deletion of a Pod of a DaemonSet fails the sync in the words of the Pod control (N-022)', () => {
    const events = shown('workloads/ds-rolling-01', (world) => {
      world.faults = [fault('daemonset', 'delete', 'pods')];
    });
    expect(events.find(({ type }) => type === 'syncError')?.error).toBe(
      'unable to delete pods: Internal error occurred: injected',
    );
  });
});

describe('a patch that the API server refuses (README of traces/workloads: 422)', () => {
  it('is told with the recorded answer, and changes nothing', () => {
    const t = 25_000_000;
    const answer = { code: 422, error: 'Deployment.apps "small" is invalid' };
    const patch = { resource: 'deployments', name: 'small' };
    const events = shown('workloads/bad-strategy-01', (world, recorded) => {
      world.actions.push({ atUs: t, do: 'patch', ...patch, patch: { spec: { replicas: 1 } } });
      recorded.push({ t, lane: 'api', type: 'deployments', actor: 'script', verb: 'patch', name: 'small', ...answer });
    });
    expect(events.filter((event) => event.t === t)).toMatchObject([
      { lane: 'action', type: 'patch', ...patch },
      { lane: 'api', type: 'deployments', actor: 'script', verb: 'patch', name: 'small', ...answer },
    ]);
    const resized = ({ type, changed }: Loose) => type === 'deployments' && 'replicas' in ((changed as Loose) ?? {});
    expect(events.filter(resized)).toEqual([]);
  });
});

describe('a Pod that fails before its image would be ready (README of traces/workloads: behaviours)', () => {
  it('never becomes ready', () => {
    const events = shown('workloads/ds-failed-01', (world) => {
      for (const behaviour of Object.values(world.behaviours)) behaviour.failUs = 200_000;
    });
    const told = events.filter(({ type, actor }) => type === 'pods' && String(actor).startsWith('kubelet/'));
    expect(told.some(({ changed }) => (changed as Loose | undefined)?.phase === 'Failed')).toBe(true);
    expect(told.some(({ changed }) => (changed as Loose | undefined)?.ready === true)).toBe(false);
  });
});

describe('a ReplicaSet with minReadySeconds (N-013, N-020)', () => {
  it('counts a Pod that becomes available while others are created: Pods are judged once it has acted', () => {
    const due = 142_000_000;
    const events = shown('workloads/min-ready-single-01', (world) => {
      const patch = { spec: { replicas: 2 } };
      world.actions.push({ atUs: due - 8500, do: 'patch', name: 'web', resource: 'deployments', patch });
    });
    const asked = events.find(({ type, t }) => type === 'tooFew' && t > due - 8500);
    const told = events.find(({ type, actor, t }) => type === 'replicasets' && actor === 'replicaset' && t > due);
    expect(asked?.t).toBeLessThan(due);
    expect(told).toHaveProperty('changed.status.availableReplicas', 1);
  });
});

describe('a StatefulSet with minReadySeconds (N-013, N-022)', () => {
  it('goes on to the next Pod when the one before is available, to the second', () => {
    const events = shown('workloads/sts-ordered-01', (world) => {
      for (const { object } of world.actions) if (object) object.spec.minReadySeconds = 10;
    });
    const first = (type: string, pod?: string) =>
      events.find((event) => event.type === type && (!pod || event.pod === pod || event.name === pod));
    const ready = events.find(
      ({ type, name, changed }) => type === 'pods' && name === 'db-0' && (changed as Loose)?.ready,
    );
    expect(first('recheckAfterMinReady')?.minReadySeconds).toBe(10);
    expect(first('waitAvailable')?.t).toBe(first('recheckAfterMinReady')?.t);
    const due = Math.floor((ready?.t ?? Number.NaN) / 1e6) * 1e6 + 10e6;
    expect(first('unavailable', 'db-1')?.t).toBe(due);
    expect(first('pods', 'db-1')?.t).toBeGreaterThan(due);
  });
});
