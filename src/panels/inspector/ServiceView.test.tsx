import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { recordedRun } from '../../../test/support/recorded.ts';
import { finishedRunOf } from '../../../test/support/services.ts';
import { storesShowing } from '../../../test/support/stores.ts';
import { micros } from '../../base/units.ts';
import { StoresContext } from '../shared/index.ts';
import { ServiceView } from './ServiceView.tsx';

it('the rules of a node say which of their backends does not answer', async () => {
  const run = recordedRun('endtoend/rolling-replace-02');
  const at = micros(74.551e6);
  await act(async () => {
    render(
      <StoresContext value={storesShowing(run, at)}>
        <ServiceView run={run} at={at} />
      </StoresContext>,
    );
  });
  const choice = screen.getByRole('combobox', { name: 'Object or rules' });
  await userEvent.selectOptions(choice, screen.getAllByRole('option', { name: /^Rules of / })[0] as HTMLElement);
  const silent = [...document.querySelectorAll('.rules tr')].filter(({ textContent }) =>
    /nobody answers/.test(textContent ?? ''),
  );
  expect(silent.map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/old-0/)]);
});

it('the rules of a node say what it is let in from, and what the node itself gets', async () => {
  const run = finishedRunOf(`apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec: {nodeName: node-b, containers: [{name: app, image: i}]}
---
apiVersion: v1
kind: Node
metadata: {name: node-a}
---
apiVersion: v1
kind: Node
metadata: {name: node-b}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  type: LoadBalancer
  externalTrafficPolicy: Local
  loadBalancerSourceRanges: [10.0.0.0/8]
  selector: {app: web}
  ports: [{port: 80}]
---
apiVersion: podtopool/v1
kind: Scenario
duration: 5s
clients: []
kubeProxy: {clusterCIDR: 10.0.0.0/8}
`);
  await act(async () => {
    render(
      <StoresContext value={storesShowing(run, micros(4e6))}>
        <ServiceView run={run} at={micros(4e6)} />
      </StoresContext>,
    );
  });
  const choice = screen.getByRole('combobox', { name: 'Object or rules' });
  await userEvent.selectOptions(choice, screen.getByRole('option', { name: 'Rules of kube-proxy-node-a' }));
  const [, balancer, nodePort] = [...document.querySelectorAll('.rule-frontend')].map(({ textContent }) => textContent);
  expect(balancer).toMatch(/only from 10\.0\.0\.0\/8.*DROP.*From the node itself and its Pods:.*web100/s);
  expect(nodePort).toMatch(/DROP.*From the node itself and its Pods:.*web100/s);
  expect(nodePort).not.toMatch(/only from/);
});
