import { expect, it } from 'vitest';
import type { PodInput } from '../scenario.ts';
import { editsBetween, joined } from '../trace/textEdits.ts';
import type { ApiPod } from './apiPod.ts';
import { EMPTY_STATUS, type PodStatus } from './podStatus.ts';
import { cachedStatusPieces, podPieces } from './podText.ts';

const INPUT = {
  name: 'web-0',
  namespace: 'default',
  uid: 'u-0',
  node: '',
  target: '',
  owner: null,
  isStatic: false,
  containers: [{ name: 'app', image: 'web:1' }],
} as unknown as PodInput;
const POD: ApiPod = {
  input: INPUT,
  resourceVersion: 7,
  generation: 1,
  creationTimestamp: 60,
  labels: {},
  annotations: {},
  deletionTimestamp: null,
  deletionGracePeriodSeconds: null,
  status: EMPTY_STATUS,
};
const RUNNING: PodStatus = {
  ...EMPTY_STATUS,
  phase: 'Running',
  podIPs: ['10.0.0.1', 'fd00::1'],
  startTime: 61,
  observedGeneration: 1,
  conditions: [
    { type: 'Ready', status: 'False', reason: 'ContainersNotReady', message: 'says "no"', lastTransitionTime: 61 },
    { type: 'example.com/gate', status: 'True', reason: '', message: '', lastTransitionTime: 0 },
  ],
  containerStatuses: [
    {
      name: 'app',
      image: 'web:1',
      containerID: 'c-1',
      ready: false,
      started: true,
      restartCount: 1,
      state: { is: 'running', startedAt: 63 },
      lastState: { is: 'terminated', exitCode: 1, reason: 'Error', startedAt: 61, finishedAt: 62 },
    },
  ],
};
const METADATA = {
  name: 'web-0',
  namespace: 'default',
  uid: 'u-0',
  resourceVersion: '7',
  generation: 1,
  creationTimestamp: '1970-01-01T00:01:00Z',
};
const EMPTY = { phase: 'Pending', conditions: [], containerStatuses: [] };
const WAITING = {
  name: 'init',
  image: 'init:1',
  containerID: '',
  ready: false,
  started: false,
  restartCount: 0,
  state: { is: 'waiting', reason: 'PodInitializing', message: 'waits' },
  lastState: null,
} as const;

it.each<[name: string, pod: Partial<ApiPod>, shown: object]>([
  ['a bare Pod', {}, { metadata: METADATA, spec: {}, status: EMPTY }],
  [
    'labels, annotations and a deletion',
    { labels: { app: 'we"b' }, annotations: { a: '1' }, deletionTimestamp: 90, deletionGracePeriodSeconds: 30 },
    {
      metadata: {
        ...METADATA,
        labels: { app: 'we"b' },
        annotations: { a: '1' },
        deletionTimestamp: '1970-01-01T00:01:30Z',
        deletionGracePeriodSeconds: 30,
      },
      spec: {},
      status: EMPTY,
    },
  ],
  [
    'an owned Pod on a node, with its containers',
    { input: { ...INPUT, node: 'n', target: 't', owner: { kind: 'ReplicaSet', name: 'web', uid: 'r' } } as PodInput },
    {
      metadata: { ...METADATA, ownerReferences: [{ kind: 'ReplicaSet', name: 'web', uid: 'r', controller: true }] },
      spec: { nodeName: 'n', target: 't', containers: [{ name: 'app', image: 'web:1' }] },
      status: EMPTY,
    },
  ],
  [
    'a whole status',
    { status: RUNNING },
    {
      metadata: METADATA,
      spec: {},
      status: {
        phase: 'Running',
        conditions: [
          {
            type: 'Ready',
            status: 'False',
            reason: 'ContainersNotReady',
            message: 'says "no"',
            lastTransitionTime: '1970-01-01T00:01:01Z',
          },
          { type: 'example.com/gate', status: 'True', lastTransitionTime: null },
        ],
        containerStatuses: [
          {
            name: 'app',
            image: 'web:1',
            containerID: 'c-1',
            ready: false,
            started: true,
            restartCount: 1,
            state: { running: { startedAt: '1970-01-01T00:01:03Z' } },
            lastState: {
              terminated: {
                exitCode: 1,
                reason: 'Error',
                startedAt: '1970-01-01T00:01:01Z',
                finishedAt: '1970-01-01T00:01:02Z',
              },
            },
          },
        ],
        podIP: '10.0.0.1',
        podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }],
        startTime: '1970-01-01T00:01:01Z',
        observedGeneration: 1,
      },
    },
  ],
  [
    'why it failed, and an init container that waits',
    {
      status: {
        ...EMPTY_STATUS,
        phase: 'Failed',
        reason: 'Evicted',
        message: 'low on "resource"',
        initContainerStatuses: [WAITING],
      },
    },
    {
      metadata: METADATA,
      spec: {},
      status: {
        phase: 'Failed',
        reason: 'Evicted',
        message: 'low on "resource"',
        conditions: [],
        initContainerStatuses: [
          {
            name: 'init',
            image: 'init:1',
            ready: false,
            started: false,
            restartCount: 0,
            state: { waiting: { reason: 'PodInitializing', message: 'waits' } },
            lastState: {},
          },
        ],
        containerStatuses: [],
      },
    },
  ],
])('the text of a Pod shows %s', (_name, over, shown) => {
  expect(joined(podPieces({ ...POD, ...over }))).toBe(JSON.stringify({ apiVersion: 'v1', kind: 'Pod', ...shown }));
});

it('the text of a cached status has its version', () => {
  expect(joined(cachedStatusPieces(3, EMPTY_STATUS))).toBe(JSON.stringify({ version: 3, status: EMPTY }));
});

it('two versions of a Pod differ only in the pieces of what has changed', () => {
  const later = { ...POD, resourceVersion: 8, status: { ...RUNNING, startTime: 62 } };
  expect(editsBetween(podPieces({ ...POD, status: RUNNING }), podPieces(later)).map(({ text }) => text)).toEqual([
    '8',
    '2',
  ]);
});
