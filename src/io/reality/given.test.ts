import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { incarnations, keyAt, podNameOf } from './incarnations.ts';
import { podManifests } from './manifests.ts';
import { appOf, type PodObject, podObjects } from './podObjects.ts';
import { withObjects } from './recordedPods.ts';
import { settingsText } from './settings.ts';
import { readWorld, type World } from './world.ts';

const worldOf = (fields: object): World =>
  readWorld(() =>
    JSON.stringify({
      schema: 1,
      name: 'made-up',
      node: 'node-a',
      kubernetes: 'v1.37.2',
      t0Us: 1_000,
      endUs: 9_000,
      kubelet: { startedUs: [0] },
      proxy: { mode: 'nftables' },
      services: [],
      created: [],
      pods: [],
      containers: [],
      client: { everyMs: 50, timeoutMs: 1000 },
      ...fields,
    }),
  );
const TWICE = worldOf({
  pods: [
    { pod: 'web-0', uid: 'b', sandboxUs: [5_000, 5_010] },
    { pod: 'web-0', uid: 'a', sandboxUs: [2_000, 2_010] },
    { pod: 'web-1', uid: 'c', sandboxUs: [3_000, 3_010] },
    { pod: 'never-bound', uid: 'd', sandboxUs: [] },
  ],
});

/** A watch event of a Pod whose app waits for `at` ms. */
const event = (uid: string, name: string, at: number): string =>
  JSON.stringify({
    type: 'ADDED',
    object: {
      metadata: { uid, name, namespace: 'made-up', labels: { app: 'web' } },
      spec: {
        terminationGracePeriodSeconds: at,
        containers: [
          {
            name: 'app',
            image: 'app:1',
            volumeMounts: [{ name: 'kube-api-access', mountPath: '/var/run' }],
            env: [
              { name: 'PORT', value: '9090' },
              { name: 'APP_SCRIPT', value: `[[{"at":${at},"listen":true}]]` },
              { name: 'APP_TERM', value: 'ignore' },
            ],
          },
        ],
        volumes: [{ name: 'kube-api-access' }],
      },
    },
  });
const objectsOf = (...lines: string[]): ReadonlyMap<string, PodObject> => podObjects(() => lines.join('\n'));

describe('Pods of a recording', () => {
  it('are those that had a sandbox, as they came; a later one of the same name has a number', () => {
    expect(incarnations(TWICE).map(({ key, uid }) => `${key} ${uid}`)).toEqual(['web-0 a', 'web-1 c', 'web-0#2 b']);
  });

  it.each<[name: string, pod: string, at: number, key: string]>([
    ['the Pod that was there', 'web-0', 4_999, 'web-0'],
    ['the later one from its sandbox on', 'web-0', 5_000, 'web-0#2'],
    ['the first one before there was any', 'web-0', 1, 'web-0'],
    ['the name itself where nothing is known of it', 'web-9', 5_000, 'web-9'],
  ])('a name means %s', (_name, pod, at, key) => {
    expect(keyAt(incarnations(TWICE), pod, at)).toBe(key);
  });

  it('keep their name in their identity', () => {
    expect(['made-up/web-0', 'made-up/web-0#2'].map(podNameOf)).toEqual(['web-0', 'web-0']);
  });

  it('are as the watch first showed each, and take the place of what made them', () => {
    const objects = objectsOf(
      event('a', 'web-0', 5),
      event('a', 'web-0', 6),
      event('b', 'web-0', 7),
      event('c', 'web-1', 8),
    );
    const manifests = 'kind: StatefulSet\nmetadata: {name: web}\n---\nkind: Service\nmetadata: {name: web}\n';
    const documents = podManifests(manifests, withObjects(incarnations(TWICE), objects))
      .split('---\n')
      .map((text) => parse(text));
    expect(
      documents.map(({ kind, metadata, spec }) => [kind, metadata.name, spec?.terminationGracePeriodSeconds]),
    ).toEqual([
      ['Service', 'web', undefined],
      ['Pod', 'web-0', 5],
      ['Pod', 'web-1', 8],
      ['Pod', 'web-0--2', 7],
    ]);
    expect(documents[1].spec.containers[0]).not.toHaveProperty('volumeMounts');
  });

  it('that no watch shows are an error', () => {
    expect(() => withObjects(incarnations(TWICE), objectsOf(event('c', 'web-1', 8)))).toThrow(
      'pods-watch.jsonl: the pod web-0 of world.json is not in it',
    );
  });

  it('have their app in their environment', () => {
    const object = objectsOf(event('a', 'web-0', 5)).get('a');
    expect(object && appOf(object, 'app')).toEqual({
      runs: [[{ at: 5, listen: true }]],
      onSigterm: 'ignore',
      ports: ['9090'],
    });
    expect(object && appOf(object, 'other')).toEqual({ runs: [[]], onSigterm: undefined, ports: ['8080'] });
  });
});

describe('settings of a recording', () => {
  it.each<[name: string, fields: object, proxy: object, kubelet: object]>([
    ['are only the mode of the proxy where the rest is left out', {}, { mode: 'nftables' }, {}],
    [
      'are those of the mode in use',
      {
        proxy: {
          mode: 'iptables',
          config: { iptables: { minSyncPeriod: '100ms' }, nftables: { minSyncPeriod: '5s' } },
        },
      },
      { mode: 'iptables', minSyncPeriod: '100ms' },
      {},
    ],
    [
      'are those of the kubelet, where no length stands for the default',
      {
        kubelet: {
          startedUs: [0],
          config: { syncFrequency: '0s', crashLoopBackOff: { maxContainerRestartPeriod: '20s' } },
        },
      },
      { mode: 'nftables' },
      { crashLoopBackOff: { maxContainerRestartPeriod: '20s' } },
    ],
  ])('%s', (_name, fields, proxy, kubelet) => {
    expect(parse(settingsText(worldOf(fields)))).toMatchObject({ kind: 'Scenario', kubeProxy: proxy, kubelet });
  });

  it('of another shape are an error with its place', () => {
    expect(() => settingsText(worldOf({ kubelet: { startedUs: [0], config: { syncFrequency: 10 } } }))).toThrow(
      /world\.json, syncFrequency: /,
    );
  });
});
