import { describe, expect, it, vi } from 'vitest';
import { caseRuns } from '../../test/support/caseRuns.ts';
import { micros } from '../base/units.ts';
import { finishedRun } from '../sim/trace/podsOfRun.ts';
import { TraceReader } from '../sim/trace/reader.ts';
import { whyAt } from './why.ts';

const appOf = (name: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  replicas: 2
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      containers:
      - name: app
        image: registry.example/app:1
        ports: [{containerPort: 8080}]
        readinessProbe: {httpGet: {port: 8080}, periodSeconds: 1}
---
apiVersion: v1
kind: Service
metadata: {name: ${name}}
spec: {selector: {app: ${name}}, ports: [{port: 80, targetPort: 8080}]}
---
`;

describe('whyAt', () => {
  it.each([
    ['before it is a backend', 0.5],
    ['while it is one', 30],
  ])('reads the slices of no other Service, but for the one version that says whose they are: %s', (_name, seconds) => {
    const [ran] = caseRuns(`${appOf('web')}${appOf('other')}`, 'duration: 60s', [1]);
    if (ran === undefined) throw new Error('no run');
    const reader = new TraceReader(ran.reader.data);
    const run = finishedRun(ran.scenario, reader);
    const pod = run.scenario.pods.find(({ identity }) => identity.startsWith('default/web'));
    if (pod === undefined) throw new Error('no Pod');
    const [other = ''] = reader.objectKeys.filter((key) => key.startsWith('api/EndpointSlice/default/other'));
    const read = vi.spyOn(reader, 'versionText');
    whyAt(run, { pod, service: 'default/web', node: null, at: micros(seconds * 1e6) });
    const versions = reader.versionsOf(other).map(({ index }) => index);
    expect(versions.length).toBeGreaterThan(2);
    expect(versions.filter((index) => read.mock.calls.some(([asked]) => asked === index))).toEqual([versions[0]]);
  });
});
