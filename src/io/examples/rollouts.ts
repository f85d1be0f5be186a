interface Rollout {
  readonly title: string;
  /** Seconds of the preStop sleep; null without a hook. */
  readonly preStop: number | null;
  /** When clients begin, s: after the first rules. */
  readonly start: number;
  /** Lines of the Scenario document that only this one has. */
  readonly settings: string;
}

const rollout = ({ title, preStop, start, settings }: Rollout): string => `apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector: {app: web}
  ports:
    - port: 80
      targetPort: 8080
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  strategy:
    rollingUpdate: {maxSurge: 1, maxUnavailable: 0}
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
            - containerPort: 8080
${preStop === null ? '' : `          lifecycle:\n            preStop:\n              sleep: {seconds: ${preStop}}\n`}          readinessProbe:
            httpGet: {path: /ready, port: 8080}
            periodSeconds: 3
---
apiVersion: podtopool/v1
kind: Scenario
metadata:
  name: ${title}
duration: 90s
${settings}apps:
  - workload: web
    readyAfter: 4s
    onTerm: {exitAfter: 1ms, exitCode: 0}   # stops listening at once
clients:
  - name: shop
    from: {node: node-a}
    to: {service: web}
    start: ${start}s
    interval: 100ms
actions:
  - {at: 30s, do: rollOut, workload: web, image: 'registry.example/shop/web:1.9.0'}
`;

/** The process is gone before the rules are: each of the old Pods takes requests with it. */
export const ROLLOUT_DROPS = rollout({
  title: 'A rollout that drops requests',
  preStop: null,
  start: 10,
  settings: '',
});

/** The hook outlasts the rules: nobody is sent to a Pod that has stopped. */
export const ROLLOUT_DROPS_NONE = rollout({ title: 'A rollout that drops none', preStop: 5, start: 10, settings: '' });

/** The same hook is too short where kube-proxy may rest for ten seconds. */
export const PRE_STOP_BEFORE_RULES = rollout({
  title: 'A preStop shorter than the rules',
  preStop: 5,
  start: 20,
  settings: 'kubeProxy:\n  minSyncPeriod: 10s\n',
});
