/** Endpoints stop at 1,000 addresses, slices do not. */
export const ENDPOINTS_1001 = `apiVersion: v1
kind: Service
metadata:
  name: feed
spec:
  selector: {app: feed}
  ports:
    - port: 80
      targetPort: 8080
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: crowd
spec:
  replicas: 1000
  selector:
    matchLabels: {app: feed, role: crowd}
  template:
    metadata:
      labels: {app: feed, role: crowd}
    spec:
      containers:
        - name: app
          image: registry.example/shop/feed:2.0.0
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: one-more
spec:
  replicas: 1
  selector:
    matchLabels: {app: feed, role: one-more}
  template:
    metadata:
      labels: {app: feed, role: one-more}
    spec:
      containers:
        - name: app
          image: registry.example/shop/feed:2.0.0
          readinessProbe:
            httpGet: {path: /ready, port: 8080}
            periodSeconds: 5
---
apiVersion: podtopool/v1
kind: Scenario
metadata:
  name: The 1,001st endpoint
duration: 60s
podsWithoutKubelet: [crowd]
apps:
  - workload: one-more
    readyAfter: 8s
`;
