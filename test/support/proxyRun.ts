/** Runs of one kube-proxy on node-a in front of a Service `web`, for tests of its modes. */
import { type Micros, micros, seconds } from '../../src/base/units.ts';
import type { Labels, ServiceSpec } from '../../src/sim/api/objects.ts';
import type { ConntrackEntry, ProxyInput, ScriptedWrite, StoredInput } from '../../src/sim/clusterInput.ts';
import type { Frontend, ServiceRules } from '../../src/sim/proxy/rules.ts';
import {
  clusterInput,
  clusterScenario,
  nodeObject,
  proxyInput,
  runningStatus,
  scriptedPod,
  service,
} from './cluster.ts';
import { type ReadRun, readRun } from './readRun.ts';

interface ProxyRun {
  /** Nodes of the Pods `web-0`, `web-1`…, which are all ready: `web-<n>` has the address 10.244.0.1<n>. */
  readonly pods: readonly string[];
  readonly spec?: Partial<ServiceSpec>;
  readonly proxy?: Partial<ProxyInput>;
  readonly writes?: readonly ScriptedWrite[];
  readonly conntrack?: readonly Omit<ConntrackEntry, 'proxy'>[];
  readonly kubernetes?: string;
  /** s. */
  readonly duration?: number;
}

const LABELS: Labels = { app: 'web' };
export const at = (second: number): Micros => micros(seconds(second));
export const podIp = (n: number): string => `10.244.0.1${n}`;

/** A write of the readiness of `web-<n>`. */
export const setReady = (second: number, n: number, ready: boolean): ScriptedWrite => ({
  at: at(second),
  do: 'setReady',
  pod: `default/web-${n}`,
  ready,
});
export const deletePod = (second: number, n: number): ScriptedWrite => ({
  at: at(second),
  do: 'deletePod',
  pod: `default/web-${n}`,
  graceSeconds: 30,
});

export function proxyRun({ pods, spec = {}, proxy = {}, writes = [], ...rest }: ProxyRun): ReadRun {
  const existing: readonly StoredInput[] = [
    ...['node-a', 'node-b'].map((name): StoredInput => ({ resource: 'nodes', object: nodeObject(name) })),
    ...pods.map((node, n): StoredInput => {
      const object = scriptedPod(`web-${n}`, LABELS, runningStatus([podIp(n)], true), { node });
      return { resource: 'pods', object };
    }),
    { resource: 'services', object: service('web', spec) },
  ];
  const conntrack = (rest.conntrack ?? []).map((entry) => ({ proxy: 'proxy-a', ...entry }));
  const cluster = clusterInput({ existing, proxies: [proxyInput('proxy-a', proxy)], writes, conntrack });
  const { kubernetes = '1.37', duration = 10 } = rest;
  return readRun(clusterScenario(cluster, duration, { kubernetes }));
}

/** What the syncs from t = 0 on wrote. */
export const sizes = (run: ReadRun): readonly unknown[] =>
  run.all('proxySync', ({ at: begin }) => begin >= 0).map(({ payload }) => JSON.parse(payload.write));

/** The frontends of `web` as the run leaves them. */
export function frontends({ reader }: ReadRun): readonly Frontend[] {
  const last = reader.versionsOf('rules/proxy-a/IPv4/default/web').at(-1);
  return last ? (JSON.parse(reader.versionText(last.index)) as ServiceRules).frontends : [];
}
