/** Half a millisecond of "not ready" costs a second in the slices. */
export const TINY_FLAP = `apiVersion: v1
kind: Service
metadata:
  name: quote
spec:
  selector: {app: quote}
  ports:
    - port: 80
      targetPort: 8080
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: quote
spec:
  replicas: 2
  podManagementPolicy: Parallel
  selector:
    matchLabels: {app: quote}
  template:
    metadata:
      labels: {app: quote}
    spec:
      containers:
        - name: app
          image: registry.example/shop/quote:1.4.1
---
apiVersion: podtopool/v1
kind: Scenario
metadata:
  name: A flap of half a millisecond
duration: 20s
podsWithoutKubelet: [quote]
latencies: {controllerOwnWatch: 3.7ms} # longer than the answer to a write takes
actions:
  - {at: 10s, do: setReady, pod: quote-0, ready: false}
  - {at: 10.0005s, do: setReady, pod: quote-0, ready: true}
`;
