/** A sidecar holds the app back by its startup probe, and the Pod by its readiness (case M1). */
export const SIDECAR_GATE = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: orders
  labels: {app: orders}
spec:
  replicas: 1
  selector:
    matchLabels: {app: orders}
  template:
    metadata:
      labels: {app: orders}
    spec:
      initContainers:
        - name: proxy
          image: registry.example/mesh/proxy:1.30
          restartPolicy: Always   # a sidecar
          startupProbe:
            tcpSocket:
              port: 15021
            periodSeconds: 1
            failureThreshold: 30
          readinessProbe:
            httpGet:
              path: /healthz/ready
              port: 15021
            periodSeconds: 2
      containers:
        - name: app
          image: registry.example/shop/orders:5.0
          ports:
            - containerPort: 8080
---
apiVersion: v1
kind: Service
metadata:
  name: orders
spec:
  selector: {app: orders}
  ports:
    - port: 80
      targetPort: 8080
---
apiVersion: podtopool/v1
kind: Scenario
metadata:
  name: A sidecar gates by startup only
duration: 60s
apps:
  - workload: orders
    container: proxy
    startup:
      readyAfter: 3s
    readiness:
      readyAfter: 20s
`;
