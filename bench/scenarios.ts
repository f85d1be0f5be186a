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

/** A Deployment of 100 Pods with two probes each for an hour. */
export const HUNDRED_PODS = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 100
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: app
          image: registry.example/web:1
          readinessProbe: {${HTTP}}
          livenessProbe: {${HTTP}}
---
apiVersion: podtopool/v1
kind: Scenario
duration: 1h
apps: [{workload: web, readyAfter: 12s, answersIn: 5ms}]
`;
