/** One failure costs a whole period, however short its cause. */
export const HIDDEN_BY_PERIOD = `apiVersion: v1
kind: Service
metadata:
  name: cart
spec:
  selector: {app: cart}
  ports:
    - port: 80
      targetPort: 8080
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: cart
spec:
  replicas: 1
  selector:
    matchLabels: {app: cart}
  template:
    metadata:
      labels: {app: cart}
    spec:
      containers:
        - name: app
          image: registry.example/shop/cart:3.1.0
          ports:
            - containerPort: 8080
          readinessProbe:
            httpGet: {path: /ready, port: 8080}
            periodSeconds: 30
            failureThreshold: 1
---
apiVersion: podtopool/v1
kind: Scenario
metadata:
  name: A long period hides a healthy Pod
duration: 2m
apps:
  - workload: cart
    outages:
      - {from: 30s, to: 33s, answer: fail}   # three seconds of 503, just when a probe asks
`;
