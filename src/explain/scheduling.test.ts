import { describe, expect, it } from 'vitest';
import { finishedRunOf } from '../../test/support/services.ts';
import { micros } from '../base/units.ts';
import { podsOf } from './podsOf.ts';
import { type Why, whyAt } from './why.ts';
import { pathEn } from './words/pathEn.ts';
import { pathZh } from './words/pathZh.ts';

const node = (name: string, fields = ''): string =>
  `apiVersion: v1\nkind: Node\nmetadata: {name: ${name}}\n${fields}\n---\n`;
const CORDONED = 'spec: {unschedulable: true}';
const TAINTED = 'spec: {taints: [{key: gpu, effect: NoSchedule}]}';
const SMALL = "status: {allocatable: {pods: '1'}}";

/** The last of `replicas` Pods of a Deployment, asked at 20 s. */
function lastPod(nodes: string, replicas: number, actions = ''): Why {
  const run = finishedRunOf(`${nodes}apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: i}]}
---
apiVersion: podtopool/v1
kind: Scenario
startTime: 2026-01-01T00:00:00Z
duration: 1m
actions: [${actions}]
`);
  const pod = [...podsOf(run.scenario).values()][replicas - 1];
  if (pod === undefined) throw new Error('no Pod');
  return whyAt(run, { pod, service: 'default/web', node: null, at: micros(20e6) });
}

describe('a Pod that no node takes', () => {
  it.each<[name: string, nodes: string, replicas: number, reason: string]>([
    ['all are cordoned', node('a', CORDONED), 1, '0/1 nodes are available: 1 node(s) were unschedulable.'],
    ['all are tainted', node('a', TAINTED), 1, '0/1 nodes are available: 1 node(s) had untolerated taint(s).'],
    ['all are full', node('a', SMALL) + node('b', SMALL), 3, '0/2 nodes are available: 2 Too many pods.'],
    [
      'each for its own reason, sorted',
      node('a', CORDONED) + node('b', SMALL) + node('c', TAINTED),
      2,
      '0/3 nodes are available: 1 Too many pods, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable.',
    ],
  ])('%s', (_name, nodes, replicas, reason) => {
    const why = lastPod(nodes, replicas);
    expect(why.missing).toMatchObject({ kind: 'scheduled', value: reason });
    expect(why.answer.because).toEqual({ kind: 'unscheduled', reason });
    expect(pathEn.answer(why)).toContain(reason);
    expect(pathZh.answer(why)).toContain(reason);
    expect(why.proof).toMatch(/^kubectl describe pod /);
  });

  it('a Node with room takes it', () => {
    expect(lastPod(node('a', SMALL) + node('b'), 3).links.find(({ kind }) => kind === 'scheduled')?.value).toBe('b');
  });

  it('gets one when a node is uncordoned', () => {
    expect(lastPod(node('a', CORDONED), 1, '{at: 10s, do: uncordon, node: a}').isBackend).toBe(true);
  });
});
