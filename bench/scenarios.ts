/** What the bench simulates, as people would paste it. */

const HTTP = 'httpGet: {path: /healthz, port: 8080}, periodSeconds: 10';

/** One Pod with three probes for ten minutes. */
export const ONE_POD = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
    - name: app
      image: registry.example/web:1
      startupProbe: {${HTTP}, failureThreshold: 30}
      readinessProbe: {${HTTP}}
      livenessProbe: {${HTTP}}
---
apiVersion: podtopool/v1
kind: Scenario
duration: 10m
apps: [{workload: web, readyAfter: 12s, answersIn: 5ms}]
`;

/** A readiness failure of 35 s every two minutes: the Pod leaves and comes back. */
const FLAPS = Array.from({ length: 29 }, (_, i) => {
  const from = 120 * (i + 1);
  return `{from: ${from}s, to: ${from + 35}s, probes: [readiness], answer: fail}`;
}).join(', ');
const NODES = Array.from({ length: 20 }, (_, i) => `apiVersion: v1\nkind: Node\nmetadata: {name: node-${i}}\n---\n`);

const PROBES = [
  `startupProbe: {${HTTP}, failureThreshold: 30}`,
  `readinessProbe: {${HTTP}}`,
  `livenessProbe: {${HTTP}}`,
];
const deployment = (name: string, replicas: number, probes = PROBES): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      containers:
        - name: app
          image: registry.example/web:1
          ${probes.join('\n          ')}
---
`;

/** The Service of a Deployment. */
const serviceOf = (name: string): string => `apiVersion: v1
kind: Service
metadata: {name: ${name}}
spec: {selector: {app: ${name}}, ports: [{port: 80, targetPort: 8080}]}
---
`;

/** A Deployment of 100 Pods with two probes each for an hour. */
export const HUNDRED_PODS = `${deployment('web', 100, PROBES.slice(1))}apiVersion: podtopool/v1
kind: Scenario
duration: 1h
apps: [{workload: web, readyAfter: 12s, answersIn: 5ms}]
`;

/** `pods` Pods on 20 nodes, three probes each, one in a hundred flapping, for an hour. */
export const crowd = (
  pods: number,
): string => `${NODES.join('')}${deployment('web', pods - pods / 100)}${deployment('flaps', pods / 100)}apiVersion: podtopool/v1
kind: Scenario
duration: 1h
apps:
  - {workload: web, readyAfter: 12s, answersIn: 5ms}
  - {workload: flaps, readyAfter: 12s, answersIn: 5ms, outages: [${FLAPS}]}
`;

/** When the Pod at a place turns, spread over 280 s from `from` on; no two turn together. */
const turnAt = (place: number, of: number, from: number): string =>
  `${(from + (place / of) * 280 + ((place * 7919) % 1000) / 10_000).toFixed(4)}s`;

/** `pods` Pods that no kubelet runs behind `services` Services on 20 nodes; each turns not ready once and ready once. */
export function crowdBehind(services: number, pods: number): string {
  const names = Array.from({ length: services }, (_, i) => `web-${i}`);
  const each = pods / services;
  const turns = names.flatMap((name, service) =>
    Array.from({ length: each }, (_, i) => {
      const place = i * services + service;
      const pod = `default/${name}#1/${i}`;
      return [
        `  - {at: ${turnAt(place, pods, 5)}, do: setReady, pod: '${pod}', ready: false}`,
        `  - {at: ${turnAt(place, pods, 305)}, do: setReady, pod: '${pod}', ready: true}`,
      ].join('\n');
    }),
  );
  const objects = names.map((name) => deployment(name, each, []) + serviceOf(name));
  return `${NODES.join('')}${objects.join('')}apiVersion: podtopool/v1
kind: Scenario
duration: 10m
podsWithoutKubelet: [${names.join(', ')}]
actions:
${turns.join('\n')}
`;
}

/**
 * `deployments` Deployments, `pods` Pods in all, on 20 nodes, each behind a Service; after five minutes all are restarted.
 * Clients on all nodes make 100 requests a second.
 */
export function rollingRestart(deployments: number, pods: number): string {
  const names = Array.from({ length: deployments }, (_, i) => `web-${i}`);
  const clients = NODES.map(
    (_, i) => `{name: c${i}, from: {node: node-${i}}, to: {service: ${names[i % deployments]}}, interval: 0.2s}`,
  );
  return `${NODES.join('')}${names.map((name) => deployment(name, pods / deployments) + serviceOf(name)).join('')}apiVersion: podtopool/v1
kind: Scenario
duration: 30m
apps: [${names.map((name) => `{workload: ${name}, readyAfter: 5s, answersIn: 5ms}`).join(', ')}]
actions: [${names.map((name) => `{at: 300s, do: rollOut, workload: ${name}, image: 'registry.example/web:2'}`).join(', ')}]
clients: [${clients.join(', ')}]
`;
}
