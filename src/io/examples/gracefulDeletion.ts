/** Deletion with a preStop sleep that is shorter than the readiness probe needs: traffic may still come at SIGTERM. */
export const GRACEFUL_DELETION = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: checkout
  labels: {app: checkout}
spec:
  replicas: 1
  selector:
    matchLabels: {app: checkout}
  template:
    metadata:
      labels: {app: checkout}
    spec:
      terminationGracePeriodSeconds: 30
      containers:
        - name: app
          image: registry.example/shop/checkout:2.4
          ports:
            - name: http
              containerPort: 8080
          lifecycle:
            preStop:
              sleep:
                seconds: 3   # too short: readiness needs two failures, 5 s apart
          readinessProbe:
            httpGet:
              path: /ready
              port: http
            periodSeconds: 5
            failureThreshold: 2
---
apiVersion: v1
kind: Service
metadata:
  name: checkout
spec:
  selector: {app: checkout}
  ports:
    - name: http
      port: 80
      targetPort: http
---
apiVersion: podtopool/v1
kind: Scenario
metadata:
  name: A preStop that is too short
duration: 60s
apps:
  - workload: checkout
    readyAfter: 2s
    onTerm:
      exitAfter: 12s   # finishes what it has begun
      exitCode: 0
      outages:
        - {from: 0, answer: fail, probes: [readiness]}
actions:
  - {at: 20s, do: deletePod, workload: checkout}
`;
