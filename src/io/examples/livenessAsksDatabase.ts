/** What a restart cannot cure, liveness should not ask. */
export const LIVENESS_ASKS_DATABASE = `apiVersion: v1
kind: Service
metadata:
  name: orders
spec:
  selector: {app: orders}
  ports:
    - port: 80
      targetPort: 8080
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: orders
spec:
  replicas: 3
  selector:
    matchLabels: {app: orders}
  template:
    metadata:
      labels: {app: orders}
    spec:
      containers:
        - name: app
          image: registry.example/shop/orders:4.4.0
          ports:
            - containerPort: 8080
          startupProbe:
            httpGet: {path: /ready, port: 8080}
            periodSeconds: 2
            failureThreshold: 30
          readinessProbe:
            httpGet: {path: /ready, port: 8080}
            periodSeconds: 5
          livenessProbe:
            httpGet: {path: /health, port: 8080}   # asks the database
            periodSeconds: 5
---
apiVersion: podtopool/v1
kind: Scenario
metadata:
  name: A database blip restarts every Pod
duration: 3m
apps:
  - workload: orders
    readyAfter: 25s   # warms its caches
    outages:
      - {since: scenario, from: 60s, to: 76s, answer: fail, path: /health}   # the database is away
clients:
  - name: shop
    from: {node: node-a}
    to: {service: orders}
    start: 35s
    interval: 500ms
`;
