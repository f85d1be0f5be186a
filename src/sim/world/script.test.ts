import { describe, expect, it } from 'vitest';
import {
  clusterInput,
  clusterScenario,
  nodeObject,
  readyCondition,
  runningStatus,
  scriptedPod,
  service,
} from '../../../test/support/cluster.ts';
import { at } from '../../../test/support/proxyRun.ts';
import { type ReadRun, readRun } from '../../../test/support/readRun.ts';
import { microsSpan } from '../../base/units.ts';
import { EMPTY_STATUS } from '../api/podStatus.ts';
import type { ScriptedWrite, StoredInput } from '../clusterInput.ts';

const POD = 'default/web-0';
const existing: readonly StoredInput[] = [
  { resource: 'nodes', object: nodeObject('node-a', { zone: 'a' }) },
  { resource: 'pods', object: scriptedPod('web-0', { app: 'web' }, runningStatus(['10.244.0.1'], true)) },
  { resource: 'pods', object: scriptedPod('web-1', { app: 'web' }, runningStatus(['10.244.0.2'], true)) },
  { resource: 'services', object: service('web') },
];

const played = (...writes: readonly ScriptedWrite[]): ReadRun =>
  readRun(clusterScenario(clusterInput({ existing, writes }), 20));

/** The object from the writes on, as kubectl shows it. */
function stored({ reader }: ReadRun, key: string): Record<string, unknown> {
  const version = reader.versionsOf(`api/${key}`).at(-1);
  return JSON.parse(reader.versionText(version?.index ?? -1)) as Record<string, unknown>;
}
/** `<verb> <resource> <name>` and the code of what the script wrote, from t = 0 on. */
const written = (run: ReadRun): readonly string[] =>
  run
    .all('apiWrite', (event) => event.at >= 0 && event.payload.actor === 'script')
    .map(
      ({ payload }) =>
        `${payload.verb} ${payload.resource} ${payload.name} ${payload.code}${payload.noop ? ' noop' : ''}`,
    );
const podCommits = (run: ReadRun): number =>
  run.all('stored', (event) => event.at >= 0 && event.subject.pod !== '').length;

describe('a script writes of a Pod', () => {
  it.each<[string, readonly ScriptedWrite[], object]>([
    [
      'both readiness conditions, with the second of the change',
      [{ at: at(3.7), do: 'setReady', pod: POD, ready: false }],
      {
        conditions: [
          { type: 'Ready', status: 'False', lastTransitionTime: '2026-01-01T00:00:03Z' },
          { type: 'ContainersReady', status: 'False', lastTransitionTime: '2026-01-01T00:00:03Z' },
        ],
      },
    ],
    [
      'the phase, without its readiness',
      [{ at: at(1), do: 'setPhase', pod: POD, phase: 'Failed', ready: null }],
      { phase: 'Failed', conditions: [{ status: 'True' }] },
    ],
    [
      'the phase with its readiness',
      [{ at: at(1), do: 'setPhase', pod: POD, phase: 'Succeeded', ready: false }],
      { phase: 'Succeeded', conditions: [{ status: 'False' }, { status: 'False' }] },
    ],
    [
      'its addresses',
      [{ at: at(1), do: 'setPodIPs', pod: POD, podIPs: ['10.0.0.9', 'fd00::9'] }],
      { podIP: '10.0.0.9', podIPs: [{ ip: '10.0.0.9' }, { ip: 'fd00::9' }] },
    ],
  ])('%s', (_name, writes, status) => {
    expect(stored(played(...writes), `Pod/${POD}`).status).toMatchObject(status);
  });

  it('an address, and so it runs', () => {
    const pod = scriptedPod('new', {}, { ...EMPTY_STATUS, conditions: [readyCondition(false)] });
    const run = played(
      { at: at(1), do: 'create', stored: { resource: 'pods', object: pod } },
      { at: at(2), do: 'setPodIPs', pod: 'default/new', podIPs: ['10.0.0.9'] },
    );
    expect(stored(run, 'Pod/default/new').status).toMatchObject({ phase: 'Running', podIP: '10.0.0.9' });
  });

  it.each<[string, readonly ScriptedWrite[], object]>([
    [
      'labels in place of all others',
      [{ at: at(1), do: 'labelPod', pod: POD, labels: { a: '1' } }],
      { labels: { a: '1' } },
    ],
    [
      'annotations beside the others',
      [
        { at: at(1), do: 'annotatePod', pod: POD, annotations: { a: '1' } },
        { at: at(2), do: 'annotatePod', pod: POD, annotations: { b: '2' } },
      ],
      { annotations: { a: '1', b: '2' } },
    ],
    [
      'the end of its grace period',
      [{ at: at(1.5), do: 'deletePod', pod: POD, graceSeconds: 30 }],
      { deletionTimestamp: '2026-01-01T00:00:31Z' },
    ],
  ])('%s', (_name, writes, metadata) => {
    expect(stored(played(...writes), `Pod/${POD}`).metadata).toMatchObject(metadata);
  });

  it.each<[string, ScriptedWrite]>([
    ['readiness that it has', { at: at(2), do: 'setReady', pod: POD, ready: true }],
    ['labels that it has', { at: at(2), do: 'labelPod', pod: POD, labels: { app: 'web' } }],
    ['nothing of one that is not there', { at: at(2), do: 'setReady', pod: 'default/nobody', ready: true }],
  ])('%s: nothing is stored (C-002)', (_name, write) => {
    // The first write completes the conditions, which the builder leaves at one.
    const first = { at: at(1), do: 'setPhase', pod: POD, phase: 'Running', ready: true } as const;
    expect(podCommits(played(first, write))).toBe(podCommits(played(first)));
  });

  it('its removal', () => {
    const run = played({ at: at(1), do: 'removePod', pod: POD });
    expect(run.all('stored', ({ at: t, payload }) => t === at(1) && payload.type === 'DELETED')).toHaveLength(1);
  });

  it('many of one kind in steps, as one action', () => {
    const pods = [0, 1].map((n) => `default/web-${n}`);
    const run = played({ at: at(1), do: 'setReadyRange', set: 'web', ready: false, pods, step: microsSpan(300) });
    const commits = run.all('stored', (event) => event.subject.pod !== '' && event.at > 0).map((event) => event.at);
    expect(commits).toEqual([1_000_000, 1_000_300]);
    expect(run.all('action', (event) => event.at > 0)).toHaveLength(1);
  });
});

describe('a script writes other objects', () => {
  it.each<[string, readonly ScriptedWrite[], readonly string[]]>([
    [
      'a Service that is there already is a conflict',
      [{ at: at(1), do: 'create', stored: { resource: 'services', object: service('web') } }],
      ['create services web 409'],
    ],
    [
      'a Service that changes nothing is no write',
      [{ at: at(1), do: 'replace', stored: { resource: 'services', object: service('web') } }],
      ['update services web 200 noop'],
    ],
    [
      'a deletion of a Service',
      [{ at: at(1), do: 'deleteService', service: 'default/web' }],
      ['delete services web 200'],
    ],
    ['a deletion of what is not there is left out', [{ at: at(1), do: 'deleteEndpoints', name: 'default/x' }], []],
    [
      'the labels of a Node',
      [{ at: at(1), do: 'labelNode', node: 'node-a', labels: { zone: 'b' } }],
      ['update nodes node-a 200'],
    ],
    [
      'the readiness of a Node that is ready is no write',
      [{ at: at(1), do: 'nodeReady', node: 'node-a', ready: true }],
      ['update nodes node-a 200 noop'],
    ],
    [
      'Endpoints without addresses',
      [{ at: at(1), do: 'dropEndpointsAddresses', name: 'default/web' }],
      ['update endpoints web 200'],
    ],
  ])('%s', (_name, writes, expected) => {
    expect(written(played(...writes))).toEqual(expected);
  });

  const generations = (write: ScriptedWrite): readonly number[] =>
    played(write)
      .all('stored', ({ at: t, payload }) => t >= 0 && payload.resource === 'endpointslices')
      .map(({ payload }) => payload.generation);

  it('a slice without its first endpoint, which the controller puts back (C-213)', () => {
    expect(generations({ at: at(1), do: 'touchSlice', service: 'default/web', annotations: null })).toEqual([2, 3]);
  });

  it('an annotation of a slice, which the controller lets be', () => {
    expect(generations({ at: at(1), do: 'touchSlice', service: 'default/web', annotations: { a: '1' } })).toEqual([1]);
  });

  it('the end of all slices of a Service, which the controller makes again', () => {
    const run = played({ at: at(1), do: 'deleteSlices', service: 'default/web' });
    const types = run.all('stored', ({ at: t, payload }) => t >= 0 && payload.resource === 'endpointslices');
    expect(types.map(({ payload }) => payload.type)).toEqual(['DELETED', 'ADDED']);
  });
});

it('the kubelet of a node leaves Pods to the script that speaks for them', () => {
  const scenario = clusterScenario(clusterInput({ existing }), 20, { nodes: ['node-a'] });
  const run = readRun(scenario);
  expect(run.all('startContainer')).toEqual([]);
  expect(run.all('statusSet')).toEqual([]);
});
