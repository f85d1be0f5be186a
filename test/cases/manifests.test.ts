import { describe, expect, it } from 'vitest';
import { readScenario } from '../../src/io/readScenario.ts';

/** YAML that confuses parsers, as people pasted it. */
const read = (text: string) => {
  const { scenario, issues } = readScenario(text);
  return {
    pods: scenario?.pods.map(({ name }) => name) ?? null,
    services: scenario?.cluster?.writes.flatMap((write) =>
      write.do === 'create' && write.stored.resource === 'services' ? [write.stored.object] : [],
    ),
    said: issues.map(({ line, severity, message }) => `${line} ${severity} ${message}`),
  };
};

describe('Y1: documents that hold only a comment', () => {
  const { pods, services, said } = read(`---
# Source: demo/templates/a.yaml
---
apiVersion: v1
kind: Service
metadata: {name: a}
spec: {selector: {app: a}, ports: [{port: 80}]}
`);
  it('one Service, without a Pod, and no error', () => {
    expect(pods).toEqual([]);
    expect(services).toHaveLength(1);
    expect(said).toEqual(['7 warning the selector of Service a matches no Pod of this text: it has no backends']);
  });
  it('its only port needs no name, and its targetPort is 80', () => {
    expect(services?.[0]?.spec.ports).toMatchObject([{ name: '', port: 80, targetPort: 80 }]);
  });
});

describe('Y3: the same key twice', () => {
  const { pods, said } = read(`apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  containers:
    - name: app
      image: i
      livenessProbe: {httpGet: {port: 80}, periodSeconds: 10}
      readinessProbe:
        httpGet: {port: 80}
        timeoutSeconds: 2
        timeoutSeconds: 4
      livenessProbe: {httpGet: {port: 80}, periodSeconds: 30}
`);
  it('both lines are named, and which one is used: the last, as kubectl has it', () => {
    expect(said).toEqual([
      '12 warning timeoutSeconds is given twice: on line 11 and on line 12; line 12 is used',
      '13 warning livenessProbe is given twice: on line 8 and on line 13; line 13 is used',
    ]);
    expect(pods).toEqual(['a']);
  });
});

describe('Y5: httpGet with its children one level too far left', () => {
  const pod = (...lines: string[]): string => `apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  containers:
    - name: app
      image: i
      readinessProbe:
        httpGet:
        path: /status
${lines.join('\n')}`;
  it('a syntax error at the line of the port', () => {
    expect(read(pod('          port: http')).said).toEqual([
      '11 error not YAML: Nested mappings are not allowed in compact mappings',
    ]);
  });
  it('without the port: no handler, and an unknown field', () => {
    expect(read(pod()).said).toEqual(['8 error the readiness probe has no handler', '10 error unknown field path']);
  });
});

describe('Y7: a leading and a trailing separator', () => {
  const deployment = (indent: string): string =>
    `apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
spec:
  selector: {matchLabels: {app: d}}
  template:
    metadata: {labels: {app: d}}
    spec: {containers: [{name: app, image: i}]}`
      .split('\n')
      .join(`\n${indent}`);
  it('the real objects and nothing else', () => {
    const { pods, said } = read(`---\n${deployment('')}\n---\n\n`);
    expect(pods).toHaveLength(1);
    expect(said).toEqual([]);
  });
  it('items of a List are unpacked', () => {
    const service =
      '  - {apiVersion: v1, kind: Service, metadata: {name: d}, spec: {selector: {app: d}, ports: [{port: 80}]}}';
    const { pods, services, said } = read(
      `---\napiVersion: v1\nkind: List\nitems:\n  - ${deployment('    ')}\n${service}\n---\n\n`,
    );
    expect([pods?.length, services?.length, said]).toEqual([1, 1, []]);
  });
  it('JSON is read like YAML', () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'j' },
      spec: { containers: [{ name: 'a', image: 'i' }] },
    };
    expect(read(JSON.stringify(pod, null, 2))).toMatchObject({ pods: ['j'], said: [] });
  });
});

describe('O5: maxSurge "1" is not 1', () => {
  const said = (surge: string, unavailable: string): readonly string[] =>
    read(`apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
spec:
  selector: {matchLabels: {app: d}}
  strategy: {rollingUpdate: {maxSurge: ${surge}, maxUnavailable: ${unavailable}}}
  template:
    metadata: {labels: {app: d}}
    spec: {containers: [{name: app, image: i}]}
`).said;
  it.each([
    ['1', '1'],
    ['25%', '"25%"'],
    ['1%', '1%'],
  ])('%s and %s are accepted', (surge, unavailable) => {
    expect(said(surge, unavailable)).toEqual([]);
  });
  it.each([
    ['"1"', '1', 'maxSurge'],
    ['1', '"1.0"', 'maxUnavailable'],
    ['x', '1', 'maxSurge'],
    ['1.5', '1', 'maxSurge'],
  ])('%s and %s are refused: a text is digits and a percent sign', (surge, unavailable, field) => {
    expect(said(surge, unavailable)).toEqual([`6 error ${field} must be a whole number or a percentage`]);
  });
});
