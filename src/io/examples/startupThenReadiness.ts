/** Three exec probes: startup success triggers readiness at once, liveness keeps its own ticks (case A1). */
export const STARTUP_THEN_READINESS = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ledger
  labels: {app: ledger}
spec:
  replicas: 1
  selector:
    matchLabels: {app: ledger}
  template:
    metadata:
      labels: {app: ledger}
    spec:
      containers:
        - name: app
          image: registry.example/bank/ledger:4.1
          ports:
            - containerPort: 9000
          startupProbe:
            exec:
              command: [/bin/ledger, check, --warm-up]
            periodSeconds: 10
            timeoutSeconds: 140
            failureThreshold: 1
          readinessProbe:
            exec:
              command: [/bin/ledger, check, --ready]
            periodSeconds: 30
          livenessProbe:
            exec:
              command: [/bin/ledger, check, --alive]
            periodSeconds: 30
---
apiVersion: v1
kind: Service
metadata:
  name: ledger
spec:
  selector: {app: ledger}
  ports:
    - port: 9000
---
apiVersion: podtopool/v1
kind: Scenario
metadata:
  name: Startup, then readiness at once
duration: 90s
apps:
  - workload: ledger
    startup:
      answersIn: 3s   # the warm-up check takes its time
    answersIn: 20ms
`;
