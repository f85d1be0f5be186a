import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ReadResult, readScenario } from '../../src/io/readScenario.ts';

const sample = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const names = (objects: readonly { kind: string; name: string; line: number }[]): string[] =>
  objects.map(({ kind, name, line }) => `${kind} ${name} (line ${line})`);
const numbers = (result: ReadResult, probe: string): Record<string, string> =>
  Object.fromEntries(
    [...result.model.settings]
      .filter(([path]) => path.startsWith(`${probe}/`))
      .map(([path, { value, from, line }]) => [
        path.slice(probe.length + 1),
        `${value} ${from}${line === null ? '' : ` line ${line}`}`,
      ]),
  );

describe('a dashboard Deployment as operators ship it', () => {
  const result = readScenario(sample('dashboard-deployment.yaml'));

  it('reads without errors and gives one Pod for each replica, in its namespace', () => {
    expect(result.issues.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(result.scenario?.pods.map(({ identity, createdAt }) => [identity, createdAt])).toEqual([
      ['monitoring/dashboard#1/0', 0],
      ['monitoring/dashboard#1/1', 20_000],
    ]);
  });

  it('fills the defaults in and says where each number comes from', () => {
    expect(numbers(result, 'monitoring/dashboard/dashboard/readiness')).toEqual({
      initialDelaySeconds: '0 kubernetesDefault',
      periodSeconds: '10 kubernetesDefault',
      timeoutSeconds: '1 kubernetesDefault',
      successThreshold: '1 kubernetesDefault',
      failureThreshold: '3 kubernetesDefault',
    });
    expect(numbers(result, 'monitoring/dashboard/dashboard/liveness')).toMatchObject({
      initialDelaySeconds: '60 manifest line 45',
      periodSeconds: '10 kubernetesDefault',
      failureThreshold: '10 manifest line 47',
    });
  });

  it('finds the number of a named port in the container', () => {
    expect(result.scenario?.pods[0]?.containers[0]?.probes.readiness?.handler).toEqual({
      type: 'httpGet',
      target: ':3000/api/health',
    });
  });

  it('names the node selector as not modelled, with its line', () => {
    expect(result.notModelled).toMatchObject([{ field: 'nodeSelector', line: 24 }]);
  });
});

describe('the output of helm template', () => {
  const result = readScenario(sample('helm-output.yaml'));

  it('uses what it knows, ignores the rest by name, and skips documents that only hold a comment', () => {
    expect(names(result.used)).toEqual(['Service shop (line 12)', 'Deployment shop (line 23)']);
    expect(names(result.ignored)).toEqual(['ServiceAccount shop (line 4)', 'HorizontalPodAutoscaler shop (line 56)']);
    expect(result.scenario?.pods.map(({ identity }) => identity)).toEqual(['default/shop#1/0']);
  });

  it('reads the init container and the hook, and says that the end of the first is assumed', () => {
    expect(result.scenario?.pods[0]).toMatchObject({
      containers: [{ name: 'shop', latencyIndex: 0, isSidecar: false, preStop: { type: 'sleep', seconds: 5 } }],
      initContainers: [{ name: 'migrate', latencyIndex: 1, isSidecar: false, preStop: null }],
    });
    expect(result.issues.filter(({ message }) => message.includes('migrate')).map(({ line }) => line)).toEqual([37]);
  });

  it('leaves out nothing that counts', () => {
    expect(result.notModelled).toEqual([]);
  });

  it('reads a merged anchor, and a null probe as none', () => {
    const probes = result.scenario?.pods[0]?.containers[0]?.probes;
    expect(probes?.startup).toMatchObject({
      periodSeconds: 3,
      failureThreshold: 20,
      handler: { type: 'grpc', target: ':50051' },
    });
    expect(probes?.readiness).toMatchObject({ periodSeconds: 3, failureThreshold: 2 });
    expect(probes?.liveness).toBeNull();
  });

  it('creates the Deployment 20 ms after the Service before it', () => {
    expect(result.scenario?.pods[0]?.createdAt).toBe(20_000);
  });
});

it('a StatefulSet gives Pods with its own names and no warning about order when it is Parallel', () => {
  const result = readScenario(sample('statefulset.yaml'));
  expect(result.scenario?.pods.map(({ name }) => name)).toEqual(['vault-0', 'vault-1', 'vault-2']);
  expect(result.issues).toEqual([]);
  expect(result.scenario?.pods[0]?.containers[0]?.probes.readiness?.handler).toEqual({
    type: 'exec',
    target: '/bin/sh -ec vault status',
  });
});

it('a List is unpacked: a DaemonSet has a Pod on each node, a bare Pod goes where it says', () => {
  const result = readScenario(sample('list.yaml'));
  expect(result.scenario?.nodes).toEqual(['node-1', 'node-2']);
  expect(result.scenario?.pods.map(({ identity, node, restartPolicy }) => [identity, node, restartPolicy])).toEqual([
    ['kube-system/agent#1/0', 'node-1', 'Always'],
    ['kube-system/agent#1/1', 'node-2', 'Always'],
    ['default/once', 'node-2', 'Never'],
  ]);
});
