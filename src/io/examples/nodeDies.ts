/** Nobody on the node can say that it is gone: the control plane waits for the Lease, and then for the toleration. */
export const NODE_DIES = `apiVersion: v1
kind: Node
metadata: {name: node-a}
---
apiVersion: v1
kind: Node
metadata: {name: node-b}
---
apiVersion: v1
kind: Node
metadata: {name: node-c}
---
apiVersion: v1
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
  replicas: 3
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
            periodSeconds: 5
---
apiVersion: podtopool/v1
kind: Scenario
metadata:
  name: A node dies
duration: 10m
apps:
  - workload: cart
    readyAfter: 4s
clients:
  - name: shop
    from: {node: node-a}
    to: {service: cart}
    start: 10s
    interval: 500ms
actions:
  - {at: 60s, do: stopNode, node: node-b}
  - {at: 8m, do: startNode, node: node-b}
`;
