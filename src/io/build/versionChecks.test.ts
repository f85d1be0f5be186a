import { expect, it } from 'vitest';
import { readScenario } from '../readScenario.ts';

const POD = (container: string, init = ''): string => `apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec:
  containers:
    - {name: app, image: i, ${container}}
  initContainers: [${init}]
`;
const SERVICE = (spec: string): string => `${POD('ports: []')}---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}], ${spec}}
`;
const SCENARIO = (fields: string): string => `${POD('ports: []')}---
apiVersion: podtopool/v1
kind: Scenario
${fields}
`;
const told = (text: string, minor: number): readonly string[] =>
  readScenario(text, [{ path: 'kubernetes', value: minor }]).issues.flatMap(({ severity, line, message }) =>
    message.includes('from Kubernetes') ? [`${line} ${severity} ${message}`] : [],
  );

it.each<[field: string, text: string, since: number, message: string]>([
  [
    'a sidecar',
    POD('ports: []', '{name: proxy, image: i, restartPolicy: Always}'),
    29,
    '7 warning the sidecar proxy is there from Kubernetes 1.29 on; in 1.28 it is an init container that has to end',
  ],
  [
    'a sleep hook',
    POD('lifecycle: {preStop: {sleep: {seconds: 5}}}'),
    30,
    '6 warning the sleep action of preStop of app is there from Kubernetes 1.30 on; in 1.29 the API server drops it',
  ],
  [
    'a restart policy of a container',
    POD('restartPolicy: Never'),
    35,
    '6 warning restartPolicy of container app is there from Kubernetes 1.35 on; in 1.34 the API server drops it',
  ],
  [
    'the restart of all containers',
    POD(
      'restartPolicy: Never, restartPolicyRules: [{action: RestartAllContainers, exitCodes: {operator: In, values: [1]}}]',
    ),
    36,
    '6 warning RestartAllContainers of container app is there from Kubernetes 1.36 on; in 1.35 nothing restarts all containers',
  ],
  [
    'two address families',
    SERVICE('ipFamilyPolicy: PreferDualStack'),
    21,
    '12 warning ipFamilyPolicy PreferDualStack is there from Kubernetes 1.21 on; in 1.20 dual stack is off by default: it is simulated all the same',
  ],
  [
    'the longest crash back-off',
    SCENARIO('kubelet: {crashLoopBackOff: {maxContainerRestartPeriod: 60s}}'),
    35,
    '11 warning maxContainerRestartPeriod is there from Kubernetes 1.35 on; in 1.34 the longest wait is 5 minutes',
  ],
  [
    'a gate that came later',
    SCENARIO('kubelet: {featureGates: {ReduceDefaultCrashLoopBackOffDecay: true}}'),
    33,
    '11 warning the gate ReduceDefaultCrashLoopBackOffDecay, as it is modelled, is there from Kubernetes 1.33 on; in 1.32 it does nothing here',
  ],
  [
    'a grpc probe',
    POD('livenessProbe: {grpc: {port: 1}}'),
    24,
    '6 warning the grpc liveness probe of app is there from Kubernetes 1.24 on; in 1.23 it is refused',
  ],
  [
    'a grace period of a probe',
    POD('livenessProbe: {tcpSocket: {port: 1}, terminationGracePeriodSeconds: 5}'),
    25,
    '6 warning terminationGracePeriodSeconds of the liveness probe of app is there from Kubernetes 1.25 on; in 1.24 it does not count',
  ],
  [
    'trafficDistribution',
    SERVICE('trafficDistribution: PreferClose'),
    31,
    '12 warning trafficDistribution PreferClose is there from Kubernetes 1.31 on; in 1.30 it does not count',
  ],
  [
    'one of its later values',
    SERVICE('trafficDistribution: PreferSameNode'),
    34,
    '12 warning trafficDistribution PreferSameNode is there from Kubernetes 1.34 on; in 1.33 it does not count',
  ],
  [
    'internalTrafficPolicy',
    SERVICE('internalTrafficPolicy: Local'),
    22,
    '12 warning internalTrafficPolicy is there from Kubernetes 1.22 on; in 1.21 it does not count',
  ],
  [
    'the nftables mode',
    SCENARIO('kubeProxy: {mode: nftables}'),
    31,
    '11 warning the nftables mode is there from Kubernetes 1.31 on; in 1.30 kube-proxy has it behind a gate at most: it is simulated all the same',
  ],
  [
    'a feature gate',
    SCENARIO('kubelet: {featureGates: {EventedPLEG: true}}'),
    37,
    '11 warning the gate EventedPLEG, as it is modelled, is there from Kubernetes 1.37 on; in 1.36 it does nothing here',
  ],
])('%s is told of where the version does not have it', (_field, text, since, message) => {
  expect(told(text, since - 1)).toEqual([message]);
  expect(told(text, since)).toEqual([]);
});
