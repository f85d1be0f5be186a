import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { storesShowing } from '../../../test/support/stores.ts';
import { micros } from '../../base/units.ts';
import { stateAt } from '../../explain/stateAt.ts';
import { whyAt } from '../../explain/why.ts';
import { readScenario } from '../../io/readScenario.ts';
import type { PodInput } from '../../sim/scenario.ts';
import { simulate } from '../../sim/simulate.ts';
import { finishedRun } from '../../sim/trace/podsOfRun.ts';
import { TraceReader } from '../../sim/trace/reader.ts';
import { StoresContext } from '../shared/index.ts';
import { WhoSees } from './WhoSees.tsx';

/** Its app can answer at 2 s, its probe sees that at 10 s, its gate opens at 45 s. */
const GATED = `apiVersion: v1
kind: Pod
metadata: {name: web-0, labels: {app: web}}
spec:
  readinessGates: [{conditionType: lb.example/target-ready}]
  containers:
    - name: app
      image: a
      readinessProbe: {httpGet: {path: /r, port: 8080}, periodSeconds: 10}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: podtopool/v1
kind: Scenario
duration: 60s
apps: [{pod: web-0, readyAfter: 2s}]
actions:
  - {at: 45s, do: patchCondition, pod: web-0, condition: lb.example/target-ready, status: "True"}
  - {at: 50s, do: deletePod, pod: web-0, graceSeconds: 1}
`;

describe('WhoSees', () => {
  it.each([
    ['while the app starts, as its log tells', 2.5],
    ['while the probe has not seen it, as events tell', 5],
    ['while a gate holds it back, as its conditions tell', 20],
    ['while the slice is on its way', 45.01],
    ['when it is gone, that it is', 58],
  ])('proves the first missing link as the card that answers why does: %s', (_name, seconds) => {
    const { scenario } = readScenario(GATED);
    if (scenario === null) throw new Error('the text has errors');
    const run = finishedRun(scenario, new TraceReader(simulate(scenario)));
    const [pod] = run.scenario.pods as readonly [PodInput];
    const at = micros(seconds * 1e6);
    render(
      <StoresContext value={storesShowing(run, at)}>
        <WhoSees run={run} state={stateAt(run, pod, at)} />
      </StoresContext>,
    );
    const { missing, proof } = whyAt(run, { pod, service: 'default/web', node: null, at });
    expect(missing).not.toBeNull();
    expect(screen.getByText(proof)).toBeDefined();
  });
});
