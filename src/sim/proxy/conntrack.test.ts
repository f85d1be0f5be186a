import { expect, it } from 'vitest';
import { servicePort } from '../../../test/support/cluster.ts';
import { deletePod, podIp, proxyRun, setReady } from '../../../test/support/proxyRun.ts';
import type { ServiceSpec } from '../api/objects.ts';
import type { ScriptedWrite } from '../clusterInput.ts';

const AWAY = 'node-b';
const dns: Partial<ServiceSpec> = {
  type: 'NodePort',
  ports: [servicePort({ protocol: 'UDP', port: 53, targetPort: 5353, nodePort: 30_053 })],
};
const entry = (dest: string, n: number, protocol: 'UDP' | 'TCP' = 'UDP') =>
  ({ from: `10.244.9.9:4000${n}`, dest, backend: `${podIp(n)}:5353`, protocol }) as const;
const VIP = '10.96.0.10:53';
const NODE_PORT = '192.168.0.2:30053';

/** Clients of the entries that a run deletes. */
const deleted = (writes: readonly ScriptedWrite[], pods: number, kubernetes = '1.37'): readonly string[] => {
  const conntrack = [entry(VIP, 0), entry(VIP, 1), entry(NODE_PORT, 0), entry(VIP, 0, 'TCP'), entry('10.0.0.9:53', 0)];
  const run = proxyRun({ pods: new Array<string>(pods).fill(AWAY), spec: dns, writes, conntrack, kubernetes });
  return run
    .all('conntrackDelete', ({ at }) => at > 0)
    .map(({ payload }) => `${payload.protocol} ${payload.dest} ${payload.backend}`);
};
const CLUSTER_IP_ENTRY = `UDP ${VIP} ${podIp(0)}:5353`;
const NODE_PORT_ENTRY = `UDP ${NODE_PORT} ${podIp(0)}:5353`;

it.each<[string, readonly ScriptedWrite[], number, string, readonly string[]]>([
  [
    'entries of an endpoint that serves no more go, by cluster IP and node port; TCP and others stay',
    [setReady(2, 0, false)],
    2,
    '1.37',
    [CLUSTER_IP_ENTRY, NODE_PORT_ENTRY],
  ],
  ['an endpoint that terminates and serves keeps its entries', [deletePod(2, 0)], 2, '1.37', []],
  [
    'they go when it serves no more',
    [deletePod(2, 0), setReady(4, 0, false)],
    2,
    '1.37',
    [CLUSTER_IP_ENTRY, NODE_PORT_ENTRY],
  ],
  [
    'with the last serving endpoint only those of the node port stay',
    [setReady(2, 0, false), setReady(2, 1, false)],
    2,
    '1.37',
    [CLUSTER_IP_ENTRY, `UDP ${VIP} ${podIp(1)}:5353`],
  ],
  [
    'from 1.32 to 1.36 a Service without serving endpoints kept all',
    [setReady(2, 0, false), setReady(2, 1, false)],
    2,
    '1.36',
    [],
  ],
  [
    'before that they went too',
    [setReady(2, 0, false), setReady(2, 1, false)],
    2,
    '1.31',
    [CLUSTER_IP_ENTRY, `UDP ${VIP} ${podIp(1)}:5353`],
  ],
])('%s', (_, writes, pods, kubernetes, gone) => {
  expect(deleted(writes, pods, kubernetes)).toEqual(gone);
});

it('the table is not looked at when no UDP Service has a change of endpoints', () => {
  const tcp = proxyRun({ pods: [AWAY, AWAY], writes: [setReady(2, 0, false)], conntrack: [entry(VIP, 0)] });
  expect(tcp.all('conntrackList')).toEqual([]);
});

it('a failed sync cleans nothing up', () => {
  const fail = { from: deletePod(2, 0).at, until: deletePod(30, 0).at };
  const run = proxyRun({
    pods: [AWAY, AWAY],
    spec: dns,
    proxy: { fail },
    writes: [setReady(2, 0, false)],
    conntrack: [entry(VIP, 0)],
  });
  expect(run.all('conntrackList', ({ at }) => at > 0)).toEqual([]);
});
