/** kube-proxy rests after each sync, whoever's change it was. */
export const NEIGHBOUR_PRESSURE = `apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector: {app: web}
  ports:
    - port: 80
      targetPort: 8080
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
        - name: app
          image: registry.example/shop/web:1.8.2
          readinessProbe:
            httpGet: {path: /ready, port: 8080}
            periodSeconds: 5
---
apiVersion: v1
kind: Service
metadata:
  name: noisy
spec:
  selector: {app: noisy}
  ports:
    - port: 80
      targetPort: 8080
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: noisy
spec:
  replicas: 2
  podManagementPolicy: Parallel
  selector:
    matchLabels: {app: noisy}
  template:
    metadata:
      labels: {app: noisy}
    spec:
      containers:
        - name: app
          image: registry.example/other/noisy:0.9.0
---
apiVersion: podtopool/v1
kind: Scenario
metadata:
  name: A neighbour holds the rules back
duration: 60s
podsWithoutKubelet: [noisy]
kubeProxy:
  minSyncPeriod: 10s
apps:
  - workload: web
    readyAfter: 27s
actions:
  - {at: 28s, do: setReady, pod: noisy-0, ready: false}
`;
