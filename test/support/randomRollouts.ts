/** Deployments that kubelets run and that somebody rolls out, scales and takes back, as YAML would have them. Nothing fails. */
import * as fc from 'fast-check';
import { readScenario } from '../../src/io/readScenario.ts';
import type { Scenario } from '../../src/sim/scenario.ts';

const int = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });
const share = fc.oneof(int(0, 3), fc.constantFrom('25%', '34%', '100%'));

const action = fc.record({
  at: int(30, 110),
  what: fc.oneof(
    { weight: 4, arbitrary: fc.constant('do: rollOut') },
    fc.constantFrom('do: undo', 'do: pause', 'do: resume'),
    int(1, 7).map((replicas) => `do: scale, replicas: ${replicas}`),
  ),
});

/** One Deployment `web` behind a Service on two nodes, changed up to five times from 30 s on. */
export const randomRollouts: fc.Arbitrary<Scenario> = fc
  .record({
    seed: int(1, 1_000_000),
    replicas: int(1, 7),
    maxSurge: share,
    maxUnavailable: share,
    minReadySeconds: fc.constantFrom(0, 0, 3, 8),
    periodSeconds: int(1, 4),
    readyAfter: int(0, 6),
    preStop: int(0, 4),
    actions: fc.array(action, { minLength: 1, maxLength: 5 }),
  })
  // The API server refuses a strategy that could not begin (ValidateRollingUpdateDeployment).
  .filter(({ maxSurge, maxUnavailable }) => maxSurge !== 0 || maxUnavailable !== 0)
  .map((all) => {
    const { scenario, issues } = readScenario(textOf(all));
    if (!scenario) throw new Error(issues.map(({ message }) => message).join('; '));
    return scenario;
  });

interface Rollouts {
  readonly seed: number;
  readonly replicas: number;
  readonly maxSurge: number | string;
  readonly maxUnavailable: number | string;
  readonly minReadySeconds: number;
  readonly periodSeconds: number;
  readonly readyAfter: number;
  readonly preStop: number;
  readonly actions: readonly { readonly at: number; readonly what: string }[];
}

const textOf = (all: Rollouts): string => `apiVersion: v1
kind: Node
metadata: {name: node-a}
---
apiVersion: v1
kind: Node
metadata: {name: node-b}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: ${all.replicas}
  minReadySeconds: ${all.minReadySeconds}
  strategy: {rollingUpdate: {maxSurge: ${all.maxSurge}, maxUnavailable: ${all.maxUnavailable}}}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: app
          image: i
          lifecycle: {preStop: {sleep: {seconds: ${all.preStop}}}}
          readinessProbe: {httpGet: {port: 8080}, periodSeconds: ${all.periodSeconds}}
---
apiVersion: podtopool/v1
kind: Scenario
duration: 3m
seed: ${all.seed}
apps: [{workload: web, readyAfter: ${all.readyAfter}s}]
clients: []
actions: [${all.actions.map(({ at, what }) => `{at: ${at}s, workload: web, ${what}}`).join(', ')}]
`;
