import { caseRuns, first } from './caseRuns.ts';
import type { ReadRun } from './readRun.ts';

/** What is special about the world of a client. */
export interface World {
  readonly service?: string;
  readonly pod?: string;
  readonly scenario?: string;
  readonly nodes?: readonly string[];
  readonly replicas?: number;
}

/** Clients of a Service of two Pods that answer from their start and are asked for readiness each second. */
export function clientRun(clients: string, world: World = {}): ReadRun {
  const { service = '', pod = '', scenario = '', nodes = ['node-a'], replicas = 2 } = world;
  const manifests = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: app
        image: registry.example/web:1
        ports: [{containerPort: 8080}]
        readinessProbe: {httpGet: {port: 8080}, periodSeconds: 1}
${pod}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{name: http, port: 80, targetPort: 8080}]${service}}
${nodes.map((name) => `---\napiVersion: v1\nkind: Node\nmetadata: {name: ${name}}`).join('\n')}`;
  const [ran] = caseRuns(manifests, `duration: 60s\n${scenario}\nclients: [${clients}]`, [1]);
  if (!ran) throw new Error('no run');
  return ran;
}

export const attempts = (ran: ReadRun) => ran.all('clientAttempt');
export const outcomes = (ran: ReadRun): readonly string[] => [
  ...new Set(attempts(ran).map(({ payload }) => payload.outcome)),
];
/** When the first request was answered, s. */
export const served = (ran: ReadRun): number =>
  first(ran.all('clientAttempt', ({ payload }) => payload.outcome === 'served').map(({ at }) => at / 1e6));
/** Somebody deletes the first Pod. */
export const DELETE_FIRST = 'actions: [{at: 20s, do: deletePod, pod: default/web#1/0}]';
/** When a request last went to the Pod that is deleted at 20 s, s. */
export const lastToFirst = (ran: ReadRun): number =>
  (ran.all('clientAttempt', ({ payload }) => payload.pod === 'default/web#1/0').at(-1)?.at ?? 0) / 1e6;
