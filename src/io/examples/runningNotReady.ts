/** A long period costs up to one period between "can answer" and Ready. */
export const RUNNING_NOT_READY = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {app: web}
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
          ports:
            - name: http
              containerPort: 8080
          readinessProbe:
            httpGet:
              path: /ready
              port: http
            periodSeconds: 30
            timeoutSeconds: 2
---
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector: {app: web}
  ports:
    - name: http
      port: 80
      targetPort: http
---
apiVersion: podtopool/v1
kind: Scenario
metadata:
  name: Running but not Ready
duration: 90s
apps:
  - workload: web
    readyAfter: 12s   # since the start of the container
    answersIn: 5ms
`;
