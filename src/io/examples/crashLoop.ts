/** Liveness without a startup probe kills what starts slowly; the back-off grows with each kill. */
export const CRASH_LOOP = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: search
  labels: {app: search}
spec:
  replicas: 1
  selector:
    matchLabels: {app: search}
  template:
    metadata:
      labels: {app: search}
    spec:
      terminationGracePeriodSeconds: 10
      containers:
        - name: app
          image: registry.example/search/node:7.17
          ports:
            - name: http
              containerPort: 9200
          readinessProbe:
            httpGet:
              path: /health
              port: http
            periodSeconds: 5
          livenessProbe:
            httpGet:
              path: /health
              port: http
            periodSeconds: 10
            failureThreshold: 3
---
apiVersion: v1
kind: Service
metadata:
  name: search
spec:
  selector: {app: search}
  ports:
    - port: 9200
---
apiVersion: podtopool/v1
kind: Scenario
metadata:
  name: Liveness kills a slow starter
duration: 5m
apps:
  - workload: search
    readyAfter: 40s   # longer than 3 x 10 s
    onTerm:
      exitAfter: 1s
      exitCode: 0
`;
