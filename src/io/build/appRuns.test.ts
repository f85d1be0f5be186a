import { describe, expect, it } from 'vitest';
import type { AppRun, ContainerInput, ProbeKind } from '../../sim/scenario.ts';
import { readScenario } from '../readScenario.ts';

const HANDLERS = {
  exec: 'exec: {command: [check]}',
  httpGet: 'httpGet: {port: 8080, path: /ready}',
  tcpSocket: 'tcpSocket: {port: 5432}',
  grpc: 'grpc: {port: 50051}',
} as const;

/** The runs of a container whose three probes have the same handler. */
const runs = (app: string, handler: keyof typeof HANDLERS = 'httpGet', timeoutSeconds = 1): readonly AppRun[] =>
  containerOf(app, handler, timeoutSeconds)?.runs ?? [];

/** A container whose three probes have the same handler. */
function containerOf(app: string, handler: keyof typeof HANDLERS, timeoutSeconds: number): ContainerInput | undefined {
  const probe = `{${HANDLERS[handler]}, timeoutSeconds: ${timeoutSeconds}}`;
  const text = `
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers: [{name: app, image: i, startupProbe: ${probe}, readinessProbe: ${probe}, livenessProbe: ${probe}}]
---
apiVersion: podtopool/v1
kind: Scenario
apps: [${app}]
`;
  const { scenario, issues } = readScenario(text);
  if (!scenario) throw new Error(issues.map(({ message }) => message).join('\n'));
  return scenario.pods[0]?.containers[0];
}

/** `0s failure 0.3ms, 2s success 1ms`: what one probe of the first run meets; `exit N` where the process ends. */
function story(app: string, kind: ProbeKind = 'readiness'): string {
  return (runs(app)[0]?.script ?? [])
    .flatMap(({ at, answers, exit }) => {
      const answer = answers[kind];
      if (exit !== null) return [`${at / 1e6}s exit ${exit}`];
      return answer ? [`${at / 1e6}s ${answer.outcome} ${answer.takes / 1e3}ms`] : [];
    })
    .join(', ');
}

describe('outages since the start of the scenario', () => {
  const outagesOf = (outage: string) => containerOf(`{outages: [{since: scenario, ${outage}}]}`, 'httpGet', 1)?.outages;

  it('belong to the world, not to a run', () => {
    expect(story('{outages: [{since: scenario, from: 60s, answer: hang}]}')).toBe('0s success 1ms');
    expect(outagesOf('from: 60s, to: 76s, answer: fail')).toMatchObject([
      {
        from: 60_000_000,
        until: 76_000_000,
        answers: { liveness: { outcome: 'failure', message: 'HTTP probe failed with statuscode: 503' } },
        serve: { port: null, path: null, serve: { state: 'answer', code: 503 } },
      },
    ]);
  });

  it.each<[string, string, readonly string[], object | null]>([
    ['only some probes', 'from: 1s, answer: fail, probes: [liveness]', ['liveness'], null],
    ['only a path that no probe asks', 'from: 1s, answer: fail, path: /api', [], { path: '/api' }],
    ['for ever', 'from: 1s, answer: refuse', ['startup', 'readiness', 'liveness'], { serve: { state: 'refuse' } }],
  ])('befall %s', (_name, outage, probes, serve) => {
    const [one] = outagesOf(outage) ?? [];
    expect(Object.keys(one?.answers ?? {})).toEqual(probes);
    if (serve === null) expect(one?.serve).toBeNull();
    else expect(one?.serve).toMatchObject(serve);
  });
});

describe('what an app does', () => {
  it.each<[name: string, app: string, kind: ProbeKind, story: string]>([
    ['it answers from its start on when nothing is said', '', 'readiness', '0s success 1ms'],
    ['its port is refused until it is ready', '{readyAfter: 2.4s}', 'readiness', '0s failure 0.3ms, 2.4s success 1ms'],
    ['A1: one probe takes longer than the others', '{startup: {answersIn: 3s}}', 'startup', '0s success 3000ms'],
    ['A1: the other probes do not', '{startup: {answersIn: 3s}}', 'liveness', '0s success 1ms'],
    [
      'B5: readiness fails for a time',
      '{outages: [{from: 300s, to: 420s, answer: fail, probes: [readiness]}]}',
      'readiness',
      '0s success 1ms, 300s failure 1ms, 420s success 1ms',
    ],
    [
      'B5: liveness sees nothing of it',
      '{outages: [{from: 300s, to: 420s, answer: fail, probes: [readiness]}]}',
      'liveness',
      '0s success 1ms',
    ],
    [
      'K1: startup succeeds later than readiness could',
      '{startup: {readyAfter: 40s}}',
      'startup',
      '0s failure 0.3ms, 40s success 1ms',
    ],
    [
      'L3: it hangs for good',
      '{readyAfter: 20s, outages: [{from: 1000s, answer: hang}]}',
      'liveness',
      '0s failure 0.3ms, 20s success 1ms, 1000s failure Infinityms',
    ],
    [
      'it answers late for a time',
      '{answersIn: 5ms, outages: [{from: 10, to: 20, answer: slow, takes: 4s}]}',
      'readiness',
      '0s success 5ms, 10s success 4000ms, 20s success 5ms',
    ],
    [
      'of outages that overlap the later entry counts',
      '{outages: [{from: 1, to: 9, answer: hang}, {from: 3, to: 5, answer: fail}]}',
      'readiness',
      '0s success 1ms, 1s failure Infinityms, 3s failure 1ms, 5s failure Infinityms, 9s success 1ms',
    ],
    [
      'it ends by itself, and nothing follows',
      '{exit: {at: 3s, code: 1}, outages: [{from: 5s, answer: fail}]}',
      'readiness',
      '0s success 1ms, 3s exit 1',
    ],
  ])('%s', (_name, app, kind, expected) => {
    expect(story(app, kind)).toBe(expected);
  });

  it('each start has its entry of runs, with what the app says beside it', () => {
    const starts = runs('{readyAfter: 1s, runs: [{exit: {at: 3s, code: 1}}, {readyAfter: 2s}]}');
    expect(starts.map(({ script }) => script.map(({ at, exit }) => [at / 1e6, exit]))).toEqual([
      [
        [0, null],
        [1, null],
        [3, 1],
      ],
      [
        [0, null],
        [2, null],
      ],
    ]);
  });

  it.each([
    ['{}', null],
    ['{onTerm: {}}', { exitAfter: 50_000, exitCode: 143, script: [] }],
    ['{onTerm: {exitAfter: 5s, exitCode: 0}}', { exitAfter: 5_000_000, exitCode: 0, script: [] }],
    ['{onTerm: {ignore: true}}', { exitAfter: null, exitCode: 143, script: [] }],
  ])('at SIGTERM %s gives %o', (app, onTerm) => {
    expect(runs(app)[0]?.onTerm).toEqual(onTerm);
  });
});

/** Answers of readiness: `0s failure`. */
const steps = (script: AppRun['script'] | undefined): string =>
  (script ?? []).map(({ at, answers }) => `${at / 1e6}s ${answers.readiness?.outcome}`).join(', ');

it('at SIGTERM the outages begin, and where one ends the app answers well again', () => {
  const [run] = runs(
    '{readyAfter: 9s, onTerm: {outages: [{from: 2s, to: 4s, answer: fail}, {from: 7s, answer: hang}]}}',
  );
  expect(steps(run?.onTerm?.script)).toBe('2s failure, 4s success, 7s failure');
});

describe.each(['postStart', 'preStop'] as const)('a %s hook', (name) => {
  const containerOf = (hook: string, app = ''): ContainerInput | undefined => {
    const text = `
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers: [{name: app, image: i, ports: [{name: http, containerPort: 1}], lifecycle: {${name}: ${hook}}}]
---
apiVersion: podtopool/v1
kind: Scenario
apps: [${app}]
`;
    return readScenario(text).scenario?.pods[0]?.containers[0];
  };
  const hookOf = (hook: string, app: string): AppRun['preStop'] | undefined => containerOf(hook, app)?.runs[0]?.[name];
  it.each<[name: string, hook: string, app: string, expected: unknown]>([
    ['whose command ends well at once', '{exec: {command: [x]}}', '', { outcome: 'success', takes: 0 }],
    ['whose command only sleeps takes its time', '{exec: {command: [sleep, "5"]}}', '', { takes: 5_000_000 }],
    [
      'takes what the scenario says',
      '{exec: {command: [sleep, "5"]}}',
      `{${name}: {answersIn: 2s}}`,
      { takes: 2_000_000 },
    ],
    ['can fail', '{httpGet: {port: http}}', `{${name}: {fails: true}}`, { outcome: 'failure', takes: 0 }],
    [
      'that asks a port which the container does not have fails at once',
      '{httpGet: {port: https}}',
      `{${name}: {answersIn: 2s}}`,
      { outcome: 'error', takes: 0 },
    ],
    ['of type tcpSocket fails at once', '{tcpSocket: {port: 1}}', `{${name}: {answersIn: 2s}}`, { outcome: 'error' }],
  ])('%s', (_name, hook, app, expected) => {
    expect(hookOf(hook, app)?.answer).toMatchObject(expected as object);
  });
  it('has outages that count from its begin', () => {
    expect(steps(hookOf('{exec: {command: [x]}}', `{${name}: {outages: [{from: 1s, answer: fail}]}}`)?.script)).toBe(
      '1s failure',
    );
  });
  it.each([
    ['{exec: {command: [x]}}', { type: 'exec' }],
    ['{httpGet: {port: http}}', { type: 'httpGet' }],
    ['{sleep: {seconds: 5}}', { type: 'sleep', seconds: 5 }],
  ])('%s is one of the container', (hook, expected) => {
    expect(containerOf(hook)?.[name]).toEqual(expected);
  });
  it('of type sleep is the business of the kubelet alone', () => {
    expect(hookOf('{sleep: {seconds: 5}}', `{${name}: {answersIn: 9s}}`)).toBeNull();
  });
});

describe('an init container', () => {
  const exits = (apps: string): unknown => {
    const text = `
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  initContainers: [{name: init, image: i}, {name: proxy, image: i, restartPolicy: Always}]
  containers: [{name: app, image: i}]
---
apiVersion: podtopool/v1
kind: Scenario
apps: ${apps}
`;
    return readScenario(text).scenario?.pods[0]?.initContainers.map(({ runs: starts }) =>
      starts.map(({ script }) => {
        const end = script.find(({ exit }) => exit !== null);
        return end ? `${end.at / 1e6}s ${end.exit}` : 'never';
      }),
    );
  };
  it.each<[name: string, apps: string, expected: string[][]]>([
    ['ends well after 1 s; a sidecar does not end', '[]', [['1s 0'], ['never']]],
    ['is not meant by an entry without its name; a sidecar is', '[{exit: {at: 9s}}]', [['1s 0'], ['9s 0']]],
    ['ends as the entry with its name says', '[{container: init, exit: {at: 5s, code: 3}}]', [['5s 3'], ['never']]],
    [
      'that failed first ends well next time',
      '[{container: init, runs: [{exit: {at: 5s, code: 3}}, {}]}]',
      [['5s 3', '1s 0'], ['never']],
    ],
  ])('%s', (_name, apps, expected) => {
    expect(exits(apps)).toEqual(expected);
  });
});

describe('the words of the event', () => {
  it.each<[handler: keyof typeof HANDLERS, app: string, outcome: string, message: string]>([
    ['httpGet', '{outages: [{from: 0, answer: fail}]}', 'failure', 'HTTP probe failed with statuscode: 503'],
    [
      'httpGet',
      '{outages: [{from: 0, answer: fail, status: 404}]}',
      'failure',
      'HTTP probe failed with statuscode: 404',
    ],
    [
      'httpGet',
      '{outages: [{from: 0, answer: refuse}]}',
      'failure',
      'Get "http://:8080/ready": dial tcp :8080: connect: connection refused',
    ],
    ['tcpSocket', '{outages: [{from: 0, answer: fail}]}', 'failure', 'dial tcp :5432: connect: connection refused'],
    ['grpc', '{outages: [{from: 0, answer: fail}]}', 'failure', 'service unhealthy (responded with "NOT_SERVING")'],
    [
      'grpc',
      '{outages: [{from: 0, answer: refuse}]}',
      'failure',
      'timeout: failed to connect service ":50051" within 1s: context deadline exceeded',
    ],
    ['exec', '{outages: [{from: 0, answer: fail}]}', 'failure', ''],
    [
      'exec',
      '{outages: [{from: 0, answer: error}]}',
      'error',
      'rpc error: code = Unknown desc = failed to exec in container',
    ],
  ])('%s with %s', (handler, app, outcome, message) => {
    expect(runs(app, handler)[0]?.script[0]?.answers.readiness).toMatchObject({ outcome, message });
  });

  it('a hang says nothing of its own: the prober has the words', () => {
    const answer = runs('{outages: [{from: 0, answer: hang}]}', 'httpGet')[0]?.script[0]?.answers.readiness;
    expect(answer).toEqual({ outcome: 'failure', takes: Number.POSITIVE_INFINITY, message: '' });
  });

  it('B4: an answer within the timeout is no timeout', () => {
    expect(runs('{startup: {answersIn: 40s}}', 'exec', 95)[0]?.script[0]?.answers.startup).toEqual({
      outcome: 'success',
      takes: 40_000_000,
      message: '',
    });
  });
});

describe('whose app it is', () => {
  const text = (apps: string): string => `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 2
  podManagementPolicy: Parallel
  selector: {matchLabels: {app: db}}
  template: {metadata: {labels: {app: db}}, spec: {containers: [{name: a, image: i}, {name: b, image: i}]}}
---
apiVersion: podtopool/v1
kind: Scenario
apps: ${apps}
`;
  const readyAt = (apps: string): number[][] | undefined =>
    readScenario(text(apps)).scenario?.pods.map(({ containers }) =>
      containers.map(({ runs: [run] }) => (run?.script.at(-1)?.at ?? 0) / 1e6),
    );

  it.each<[name: string, apps: string, expected: number[][]]>([
    [
      'everyone without a name',
      '[{readyAfter: 1}]',
      [
        [1, 1],
        [1, 1],
      ],
    ],
    [
      'one container',
      '[{container: b, readyAfter: 1}]',
      [
        [0, 1],
        [0, 1],
      ],
    ],
    [
      'one Pod by its name',
      '[{pod: db-1, readyAfter: 1}]',
      [
        [0, 0],
        [1, 1],
      ],
    ],
    [
      'one Pod by its identity',
      '[{pod: default/db#1/0, readyAfter: 1}]',
      [
        [1, 1],
        [0, 0],
      ],
    ],
    [
      'the last entry that fits',
      '[{readyAfter: 1}, {workload: db, container: a, readyAfter: 2}, {pod: db-0, container: a, readyAfter: 3}]',
      [
        [3, 1],
        [2, 1],
      ],
    ],
  ])('%s', (_name, apps, expected) => {
    expect(readyAt(apps)).toEqual(expected);
  });
});
