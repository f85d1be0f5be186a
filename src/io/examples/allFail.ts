/** A dependency that all Pods ask makes all of them not ready. */
export const ALL_FAIL = `apiVersion: v1
kind: Service
metadata:
  name: search
spec:
  selector: {app: search}
  ports:
    - name: http
      port: 80
      targetPort: http
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: search
spec:
  replicas: 3
  selector:
    matchLabels: {app: search}
  template:
    metadata:
      labels: {app: search}
    spec:
      containers:
        - name: app
          image: registry.example/shop/search:5.0.2
          ports:
            - {name: http, containerPort: 9200}
          readinessProbe:
            httpGet: {path: /ready, port: http}
            periodSeconds: 5
            failureThreshold: 2
---
apiVersion: podtopool/v1
kind: Scenario
metadata:
  name: All Pods fail readiness
duration: 2m
apps:
  - workload: search
    outages:
      - {from: 30s, to: 60s, answer: fail, probes: [readiness]}   # the database that /ready asks is away
`;
