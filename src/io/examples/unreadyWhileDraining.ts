/** The last resort of kube-proxy are Pods that end and still serve; one that fails its probe is none. */
export const UNREADY_WHILE_DRAINING = `apiVersion: v1
kind: Service
metadata:
  name: report
spec:
  selector: {app: report}
  ports:
    - port: 80
      targetPort: 8080
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: report
spec:
  replicas: 1
  selector:
    matchLabels: {app: report}
  template:
    metadata:
      labels: {app: report}
    spec:
      containers:
        - name: app
          image: registry.example/shop/report:2.0.3
          ports:
            - containerPort: 8080
          readinessProbe:
            httpGet: {path: /ready, port: 8080}
            periodSeconds: 2
            failureThreshold: 2
---
apiVersion: podtopool/v1
kind: Scenario
metadata:
  name: A Pod fails readiness while it drains
duration: 90s
apps:
  - workload: report
    readyAfter: 12s
    onTerm:
      exitAfter: 20s   # serves on until then
      exitCode: 0
      outages:
        - {from: 0, answer: fail, probes: [readiness]}   # but tells its probe that it is leaving
clients:
  - name: dashboard
    from: {node: node-a}
    to: {service: report}
    start: 15s
    interval: 250ms
actions:
  - {at: 30s, do: deletePod, workload: report}
`;
