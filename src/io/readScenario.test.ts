import { describe, expect, it } from 'vitest';
import { parseText } from './manifest/parse.ts';
import { applyOverrides, readScenario } from './readScenario.ts';

/** A Pod `web` with one container `app`; `probes` is indented below the container. */
const pod = (probes: string, name = 'web'): string => `apiVersion: v1
kind: Pod
metadata: {name: ${name}}
spec:
  containers:
    - name: app
      image: registry.example/app:1
${probes.replace(/^/gm, '      ')}
`;
const scenario = (fields: string): string => `---\napiVersion: podtopool/v1\nkind: Scenario\n${fields}\n`;
const PAUSED = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  paused: true
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: i}]}
`;
const HTTP = 'readinessProbe:\n  httpGet: {port: 8080}\n';

/** `line:column severity message` of all issues. */
const told = (text: string): string[] =>
  readScenario(text).issues.map(({ line, column, severity, message }) => `${line}:${column} ${severity} ${message}`);
const remedies = (text: string): (string | null)[] => readScenario(text).issues.map(({ remedy }) => remedy);

describe('what is refused, where, and why', () => {
  it.each<[name: string, text: string, issues: string[]]>([
    [
      'a number as the value of a variable',
      pod('env: [{name: WORKERS, value: 4}]'),
      ['8:36 error value must be a text, not 4'],
    ],
    [
      'a name of a header with a space',
      pod('readinessProbe: {httpGet: {port: 80, httpHeaders: [{name: X Probe, value: a}]}}'),
      ['8:65 error this is no name of an HTTP header'],
    ],
    [
      'two ports of one name',
      pod('ports: [{name: web, containerPort: 80}, {name: web, containerPort: 81}]'),
      ['8:54 error two ports are called web'],
    ],
    [
      'a word that YAML reads as true where a text belongs',
      pod(HTTP).replace('{name: web}', '{name: web, annotations: {note: yes}}'),
      ['3:43 error note must be a text, not true'],
    ],
    [
      'prose above the manifest',
      `Here is the manifest:\n${pod(HTTP)}`,
      ['1:1 error unknown field Here is the manifest'],
    ],
    [
      'a number in quotes',
      pod(`${HTTP}  periodSeconds: "5"`),
      ['10:24 error periodSeconds must be a number, not the text "5"'],
    ],
    ['a fraction', pod(`${HTTP}  periodSeconds: 1.5`), ['10:24 error periodSeconds must be a whole number, not 1.5']],
    ['a negative number', pod(`${HTTP}  timeoutSeconds: -1`), ['10:25 error timeoutSeconds must be 0 or more, not -1']],
    ['a misspelt field', pod(`${HTTP}  periodSecond: 5`), ['10:9 error unknown field periodSecond']],
    ['a misspelt probe', pod('readinesProbe: {httpGet: {port: 80}}'), ['8:7 error unknown field readinesProbe']],
    [
      'successThreshold 2 for liveness',
      pod('livenessProbe: {tcpSocket: {port: 1}, successThreshold: 2}'),
      ['8:63 error successThreshold must be 1 for liveness and startup'],
    ],
    [
      'a grace period for readiness',
      pod(`${HTTP}  terminationGracePeriodSeconds: 9`),
      ['10:40 error terminationGracePeriodSeconds must not be set for readiness'],
    ],
    [
      'a grace period of 0 for liveness',
      pod('livenessProbe: {tcpSocket: {port: 1}, terminationGracePeriodSeconds: 0}'),
      ['8:76 error terminationGracePeriodSeconds must be 1 or more, not 0'],
    ],
    [
      'a probe without a handler',
      pod('startupProbe: {periodSeconds: 5}'),
      ['8:7 error the startup probe has no handler'],
    ],
    [
      'a probe with two handlers',
      pod('startupProbe: {exec: {command: [a]}, grpc: {port: 1}}'),
      ['8:7 error the startup probe has more than one handler: exec, grpc'],
    ],
    [
      'httpGet with its children too far left',
      pod('readinessProbe:\n  httpGet:\n  path: /status'),
      ['8:7 error the readiness probe has no handler', '10:9 error unknown field path'],
    ],
    [
      'a port name for grpc',
      pod('readinessProbe: {grpc: {port: api}}'),
      ['8:37 error port of a grpc probe must be a number'],
    ],
    [
      'a port in quotes',
      pod('readinessProbe: {httpGet: {port: "80"}}'),
      ['8:40 error the port "80" is a text of digits, which is no port name'],
    ],
    [
      'a port out of range',
      pod('readinessProbe: {tcpSocket: {port: 65536}}'),
      ['8:42 error a port must be between 1 and 65535'],
    ],
    [
      'a command as one text',
      pod('readinessProbe: {exec: {command: cat /ready}}'),
      ['8:40 error command must be a list, not the text "cat /ready"'],
    ],
    [
      'an unknown restart policy',
      pod('').replace('spec:', 'spec:\n  restartPolicy: always'),
      ['5:18 error restartPolicy must be Always or OnFailure or Never, not the text "always"'],
    ],
    [
      'two Pods of one name',
      `${pod(HTTP)}---\n${pod(HTTP)}`,
      ['14:18 error Pod default/web has the same name as the Pod on line 2'],
    ],
    ['a container without an image', pod('').replace(/ *image: .*\n/, ''), ['6:7 error image is required']],
    [
      'a Deployment of an old API group',
      'apiVersion: extensions/v1beta1\nkind: Deployment\n',
      ['1:13 error there is no Deployment in apiVersion extensions/v1beta1'],
    ],
    ['a fragment of a container', 'name: app\nimage: a\n', ['1:1 error kind is required']],
    [
      'mappings thousands of levels deep',
      Array.from({ length: 5000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
      ['1:1 error the text is nested too deeply to be read'],
    ],
    [
      'a length that no clock can count',
      pod('') + scenario('apps: [{exit: {at: 99999999999s}}, {answersIn: 1e300}]'),
      ['12:20 error this is longer than a year', '12:48 error this is longer than a year'],
    ],
    ['brackets without an end', '['.repeat(50_000), ['1:1 error the text is nested too deeply to be read']],
    ['a tab as indent', 'apiVersion: v1\nspec:\n\ta: 1\n', ['3:1 error not YAML: Tabs are not allowed as indentation']],
    [
      'a template that was not rendered',
      pod('').replace('web', '{{ .Values.name }}'),
      ['3:19 error this is a template that was not rendered'],
    ],
    [
      'a template in the third document, with the marks of three files',
      `\uFEFF${pod('', 'one')}---\r\n\uFEFF${pod('', 'two')}---\r\n\uFEFFa: {{ b }}: c\r\n`,
      ['19:5 error this is a template that was not rendered'],
    ],
    ['an alias without an anchor', pod('readinessProbe: *check'), ['8:23 error the alias *check has no anchor']],
    ['an empty text', '', ['1:1 error the text holds no Kubernetes object']],
    ['a text of comments', '# nothing\n---\n# here\n', ['1:1 error the text holds no Kubernetes object']],
    [
      'more Pods than can be drawn',
      `${deployment('replicas: 1999') + pod('', 'one')}---\n${pod('', 'two')}`,
      ['7:13 error 2001 Pods are more than the 2000 that can be simulated'],
    ],
    [
      'a Deployment whose Pods do not restart',
      deployment('', 'restartPolicy: Never'),
      ['14:22 error restartPolicy must be Always in a workload that keeps its Pods'],
    ],
    [
      'a probe of an init container',
      init('{name: init, image: i, readinessProbe: {tcpSocket: {port: 1}}}'),
      ['5:43 error readinessProbe must not be set for an init container that runs to its end'],
    ],
    [
      'a hook of an init container',
      init('{name: init, image: i, restartPolicy: OnFailure, lifecycle: {preStop: {sleep: {seconds: 1}}}}'),
      ['5:69 error lifecycle must not be set for an init container that runs to its end'],
    ],
    [
      'an init container with the name of another',
      init('{name: app, image: i}'),
      ['5:27 error two containers are called app'],
    ],
    [
      'a hook with two handlers',
      pod('lifecycle: {preStop: {exec: {command: [a]}, sleep: {seconds: 1}}}'),
      ['8:19 error the preStop hook has more than one handler: exec, sleep'],
    ],
    ['a hook without a handler', pod('lifecycle: {preStop: {}}'), ['8:19 error the preStop hook has no handler']],
    [
      'a negative sleep',
      pod('lifecycle: {preStop: {sleep: {seconds: -1}}}'),
      ['8:46 error seconds must be 0 or more, not -1'],
    ],
    [
      'a sleep that is longer than the grace period',
      pod('lifecycle: {preStop: {sleep: {seconds: 31}}}'),
      ['8:46 error preStop.sleep.seconds must not be more than terminationGracePeriodSeconds (30), but is 31'],
    ],
    [
      'a postStart sleep that is longer than the grace period',
      pod('lifecycle: {postStart: {sleep: {seconds: 31}}}'),
      ['8:48 error postStart.sleep.seconds must not be more than terminationGracePeriodSeconds (30), but is 31'],
    ],
    [
      'a deadline of 0',
      pod('').replace('spec:', 'spec:\n  activeDeadlineSeconds: 0'),
      ['5:26 error activeDeadlineSeconds must be 1 or more, not 0'],
    ],
    [
      'a deadline in a workload that keeps its Pods',
      deployment('', 'activeDeadlineSeconds: 5'),
      ['14:30 error activeDeadlineSeconds must not be set in a workload that keeps its Pods'],
    ],
    [
      'a readiness gate without a name',
      pod('').replace('spec:', 'spec:\n  readinessGates: [{conditionType: a b}]'),
      ['5:36 error this is no name for a condition'],
    ],
    [
      'a selector that does not match',
      deployment('').replace('labels: {app: a}', 'labels: {app: b}'),
      ['12:7 error the selector does not match the labels of the template'],
    ],
    [
      'draws pinned to no length of time',
      `${pod(HTTP)}${scenario('draws: {a: [-1, 1e30, 0.5, ticker]}')}`,
      [
        '14:13 error a pinned draw must be 0 or more, and no longer than the longest period',
        '14:17 error a pinned draw must be 0 or more, and no longer than the longest period',
      ],
    ],
  ])('%s', (_name, text, issues) => {
    expect(told(text)).toEqual(issues);
    expect(readScenario(text).scenario).toBeNull();
    expect(remedies(text)).not.toContain(null);
  });

  it('all errors of all documents are told at once, in order', () => {
    const text = `${pod('readinessProbe: {tcpSocket: {port: 0}}')}---\n${pod('livenessProbe: {}', 'other')}${scenario('durations: 1m')}`;
    expect(told(text)).toEqual([
      '8:42 error a port must be between 1 and 65535',
      '17:7 error the liveness probe has no handler',
      '21:1 error unknown field durations',
    ]);
  });

  it('a workload with an error is not called missing as well', () => {
    const text =
      pod('readinessProbe:\n  httpGet: {port: 8080}\n  periodSecond: 5\n') + scenario('apps: [{workload: web}]');
    expect(told(text)).toHaveLength(1);
    const named = told(pod(HTTP) + scenario('apps: [{workload: wep}]'));
    expect(named.join()).toContain('there is no workload wep in this text');
  });

  it('an issue about a number of a probe names its setting, for the slider', () => {
    const [issue] = readScenario(pod(`${HTTP}  periodSeconds: -5`)).issues;
    expect(issue).toMatchObject({
      path: 'spec.containers[0].readinessProbe.periodSeconds',
      setting: 'default/web/app/readiness/periodSeconds',
    });
  });

  it.each([
    ['periodSecond: 5', 'Did you mean periodSeconds?'],
    ['initial_delay_seconds: 5', 'Did you mean initialDelaySeconds?'],
    ['periodSeconds: "5"', 'Write 5 without quotes.'],
    ['periodSeconds: 10s', 'Write the number of seconds, without a unit.'],
  ])('the remedy for %s is: %s', (line, remedy) => {
    expect(remedies(pod(`${HTTP}  ${line}`))).toEqual([remedy]);
  });
});

/** The Pod `web` with one more init container. */
function init(container: string): string {
  return pod('').replace('spec:', `spec:\n  initContainers: [${container}]`);
}

/** A Deployment `a`; `spec` and `podSpec` are one line each. */
function deployment(spec: string, podSpec = ''): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: a
spec:
  selector: {matchLabels: {app: a}}
  ${spec}
  template:
    metadata:
      # a comment
      # another one
      labels: {app: a}
    spec:
      ${podSpec}
      containers: [{name: app, image: i}]
---
`;
}

it('reading ends after 100 broken documents, and says where', () => {
  const broken = 'a: [1\n---\n';
  const issues = told(broken.repeat(150));
  expect(issues).toHaveLength(101);
  expect(issues.at(-1)).toBe('200:1 error 100 documents are broken: what follows was not read');
  expect(told(broken.repeat(99) + pod(''))).toHaveLength(99);
});

describe('what is accepted, and what is said about it', () => {
  it.each<[name: string, text: string, issues: string[]]>([
    ['Windows line ends and a byte order mark', `\uFEFF${pod(HTTP)}`.replaceAll('\n', '\r\n'), []],
    [
      'JSON',
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'a' },
        spec: { containers: [{ name: 'a', image: 'i' }] },
      }),
      [],
    ],
    ['a number that begins with 0, which is octal', pod(`${HTTP}  periodSeconds: 010\n  timeoutSeconds: 0x10`), []],
    ['yes for true', pod(HTTP).replace('spec:', 'spec:\n  shareProcessNamespace: yes\n  hostNetwork: no'), []],
    ['separators at both ends', `---\n${pod(HTTP)}---\n\n`, []],
    [
      'a key that comes twice: the last counts',
      pod(`${HTTP}  periodSeconds: 5\n  periodSeconds: 7`),
      ['11:9 warning periodSeconds is given twice: on line 10 and on line 11; line 11 is used'],
    ],
    [
      'an explicit 0',
      pod(`${HTTP}  periodSeconds: 0`),
      ['10:24 note periodSeconds: 0 means "not set", so that the default of 10 is used'],
    ],
    [
      'a port name that no port has',
      pod('readinessProbe: {httpGet: {port: http}}'),
      [
        '8:40 warning no port of the container is called http: each run of the readiness probe is an error that counts for nothing, so that the container never becomes ready',
      ],
    ],
    [
      'another kind',
      `${pod(HTTP)}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n`,
      ['13:7 note ConfigMap c is ignored: this kind is not part of the model'],
    ],
    [
      "Knative's Service",
      `${pod(HTTP)}---\napiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {name: c}\n`,
      ['13:7 warning Service c is ignored: this kind is not part of the model'],
    ],
    [
      'tcpSocket hooks',
      pod('lifecycle: {preStop: {tcpSocket: {port: 80}}, postStart: {tcpSocket: {port: 80}}}'),
      [
        '8:29 warning the kubelet cannot run a tcpSocket hook: the preStop hook always fails, so that SIGTERM is sent at once',
        '8:65 warning the kubelet cannot run a tcpSocket hook: the postStart hook always fails, so that the container is killed each time it has started',
      ],
    ],
    [
      'a hook that asks a port without a number',
      pod('lifecycle: {postStart: {httpGet: {port: http}}}'),
      [
        '8:47 warning no port of the container is called http: the postStart hook always fails, so that the container is killed each time it has started',
      ],
    ],
    [
      'a postStart hook whose length nobody knows',
      pod('lifecycle: {postStart: {exec: {command: [warm-up]}}}'),
      ['8:38 note how long the postStart hook of app takes is not known: here it ends at once'],
    ],
    [
      'a preStop hook whose length nobody knows',
      pod('lifecycle: {preStop: {exec: {command: [drain]}}}'),
      ['8:36 note how long the preStop hook of app takes is not known: here it ends at once'],
    ],
    [
      'an init container of which nothing is said',
      pod('').replace('spec:', 'spec:\n  initContainers: [{name: migrate, image: i}]'),
      ['5:27 note what the init container migrate does is not known: here it ends well after 1 s ≈'],
    ],
    ['a restart policy of one container', pod('restartPolicy: Never'), []],
    [
      'a Pod that a kubelet has from a file',
      pod('').replace('{name: web}', '{name: web, annotations: {kubernetes.io/config.source: file}}'),
      [
        '3:37 warning static Pod of Pod web is not yet modelled: it is created at the API server like any other Pod, unless staticPods of the Scenario names it',
      ],
    ],
    [
      'a Pod in the network of its node',
      pod('').replace('spec:', 'spec:\n  hostNetwork: true'),
      [
        '5:3 warning hostNetwork of Pod web is not yet modelled: the Pod gets an address of its own, and two of its kind may share a node',
      ],
    ],
    [
      'a port of the node',
      pod('ports: [{containerPort: 80, hostPort: 80}]'),
      ['8:35 note hostPort of Pod web is not yet modelled: two Pods with it may share a node'],
    ],
    [
      'a budget that selects by expressions',
      `${pod('')}---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {maxUnavailable: 0, selector: {matchExpressions: [{key: app, operator: Exists}]}}
`,
      [
        '13:38 warning matchExpressions of PodDisruptionBudget web is not yet modelled: it selects by matchLabels alone',
      ],
    ],
    [
      'a Deployment that is paused as it comes',
      PAUSED,
      ['1:1 warning Deployment web is paused from its start: it makes no Pod until it is resumed'],
    ],
    [
      'a Deployment that is paused, and resumed later',
      `${PAUSED}${scenario('actions: [{at: 20s, do: resume, workload: web}]')}`,
      [],
    ],
    [
      'a bare Pod beside a Node that is cordoned',
      `${pod('')}---\napiVersion: v1\nkind: Node\nmetadata: {name: a}\nspec: {unschedulable: true}\n`,
      [
        '1:1 warning no Node of this text takes Pod web: in a cluster it would wait without a node, here it runs on one of them all the same',
      ],
    ],
    [
      'a bare Pod beside a Node that is tainted, and one that is not',
      `${pod('')}---\napiVersion: v1\nkind: Node\nmetadata: {name: a}\nspec: {taints: [{key: x, effect: NoSchedule}]}\n---\napiVersion: v1\nkind: Node\nmetadata: {name: b}\n`,
      [],
    ],
    [
      'a negative grace period of the Pod',
      pod('').replace('spec:', 'spec:\n  terminationGracePeriodSeconds: -1'),
      ['5:34 note the API server makes 1 of a negative terminationGracePeriodSeconds'],
    ],
  ])('%s', (_name, text, issues) => {
    expect(told(text)).toEqual(issues);
    expect(readScenario(text).scenario).not.toBeNull();
  });

  it('of equal keys the last one counts, for the value and for its line', () => {
    const { settings } = readScenario(pod(`${HTTP}  periodSeconds: 5\n  periodSeconds: 7`)).model;
    expect(settings.get('default/web/app/readiness/periodSeconds')).toEqual({ value: 7, from: 'manifest', line: 11 });
  });

  it('a Pod has its deadline, gates and init containers', () => {
    const fields = 'activeDeadlineSeconds: 9, readinessGates: [{conditionType: lb.example/ready}]';
    const text = init('{name: proxy, image: i, restartPolicy: Always, readinessProbe: {tcpSocket: {port: 1}}}').replace(
      'spec:',
      `spec:\n  ${fields.replace(', ', '\n  ')}`,
    );
    const { scenario: read, issues, model } = readScenario(text);
    expect(issues).toEqual([]);
    expect(read?.pods[0]).toMatchObject({
      activeDeadlineSeconds: 9,
      readinessGates: ['lb.example/ready'],
      containers: [{ name: 'app', latencyIndex: 0, isSidecar: false }],
      initContainers: [
        { name: 'proxy', latencyIndex: 1, isSidecar: true, probes: { readiness: { handler: { target: ':1' } } } },
      ],
    });
    expect(model.settings.get('default/web/activeDeadlineSeconds')).toEqual({ value: 9, from: 'manifest', line: 5 });
  });

  it('0 is the default for four numbers, and 0 for the delay', () => {
    const zeros =
      'initialDelaySeconds: 0, periodSeconds: 0, timeoutSeconds: 0, successThreshold: 0, failureThreshold: 0';
    const { scenario: read } = readScenario(pod(`livenessProbe: {tcpSocket: {port: 1}, ${zeros}}`));
    expect(read?.pods[0]?.containers[0]?.probes.liveness).toEqual({
      initialDelaySeconds: 0,
      periodSeconds: 10,
      timeoutSeconds: 1,
      successThreshold: 1,
      failureThreshold: 3,
      terminationGracePeriodSeconds: null,
      handler: { type: 'tcpSocket', target: ':1' },
    });
  });

  it('the Pods of a StatefulSet that starts them in order are left to its controller', () => {
    const { scenario, notModelled } = readScenario(deployment('replicas: 2').replace('Deployment', 'StatefulSet'));
    expect(notModelled).toEqual([]);
    expect(scenario?.pods).toEqual([]);
    expect(scenario?.cluster?.workloads?.running).toContain('statefulset');
  });
});

it.each([
  ['010', 8],
  ['0x10', 16],
  ['7.0', 7],
  ['1e1', 10],
])('the number %s is %i, as for kubectl', (written, value) => {
  const { scenario } = readScenario(pod(`${HTTP}  periodSeconds: ${written}`));
  expect(scenario?.pods[0]?.containers[0]?.probes.readiness?.periodSeconds).toBe(value);
});

describe('the world without a Scenario document', () => {
  const { scenario: world } = readScenario(pod(HTTP));

  it('has one node, a kubelet that has run for a day, and the latencies that were measured', () => {
    expect(world).toMatchObject({
      kubernetes: '1.37',
      wallClock: null,
      seed: 1,
      nodes: ['node-a'],
      kubelet: {
        processStart: -86_400_000_000,
        syncLoopDelay: null,
        syncFrequencySeconds: 60,
        maxContainerRestartPeriodSeconds: 300,
      },
      latency: { apiRequest: 3_000, watch: 3_700, criRunPodSandbox: 800_000, perContainer: 120 },
    });
  });

  it('lasts as long as the slowest probe needs, in steps', () => {
    const lasts = (probe: string): number => (readScenario(pod(probe)).scenario?.duration ?? 0) / 1e6;
    expect(lasts(HTTP)).toBe(60);
    expect(lasts(`${HTTP}  periodSeconds: 40`)).toBe(120);
    expect(lasts(`${HTTP}  periodSeconds: 3600`)).toBe(600);
  });
});

describe('the Scenario document', () => {
  const world = (fields: string) => readScenario(pod(HTTP) + scenario(fields));

  it('sets time, seed, kubelet, latencies and draws', () => {
    const text = `metadata: {name: Title}
duration: 1m30s
seed: 7
kubernetes: 1.37
startTime: 2026-01-31T12:00:00.25Z
kubelet: {syncFrequency: 90, crashLoopBackOff: {maxContainerRestartPeriod: 60s}, uptime: 10m}
latencies: {watch: 12ms, workerTurn: 31us}
draws: {podWorkers/requeue/default/web: [5, ticker]}`;
    const result = world(text);
    expect(result.issues).toEqual([]);
    expect(result.title).toBe('Title');
    expect(result.scenario).toMatchObject({
      duration: 90_000_000,
      seed: 7,
      wallClock: Date.UTC(2026, 0, 31, 12) * 1000 + 250_000,
      kubelet: { processStart: -600_000_000, syncFrequencySeconds: 90, maxContainerRestartPeriodSeconds: 60 },
      latency: { watch: 12_000, workerTurn: 31 },
      pins: {
        'podWorkers/requeue/default/web': [
          { value: 5, at: null },
          { value: 'ticker', at: null },
        ],
      },
    });
    expect(result.model.settings.get('latencies/watch')).toEqual({ value: 12, from: 'scenario', line: 20 });
  });

  it.each([
    ['30s', 30_000_000],
    ['-1m0.5s', -60_500_000],
    ['2', 2_000_000],
  ])('sets the clock of a node %s ahead', (ahead, us) => {
    expect(world(`clockSkew: {node-a: ${ahead}}`).scenario?.clockSkew).toEqual({ 'node-a': us });
  });

  it.each([
    ['clockSkew: {node-b: 5s}', '14:21 error there is no node node-b in this text'],
    ['clockSkew: {node-a: early}', '14:21 error this is no length of time'],
    ['duration: soon', '14:11 error this is no length of time'],
    ['duration: 0', '14:11 error duration must be 1 or more, not 0'],
    ['kubernets: "1.37"', '14:1 error unknown field kubernets'],
    ['kubernetes: "1.38"', '14:13 error Kubernetes 1.38 is not known'],
    ['kubernetes: newest', '14:13 error Kubernetes newest is not known'],
    [
      'kubernetes: "1.19"',
      '14:13 error Kubernetes 1.19 is older than 1.20, the oldest version that this product covers',
    ],
    ['startTime: noon', '14:12 error this is no date and time'],
    ['latencies: {wach: 1ms}', '14:13 error unknown field wach'],
    [
      'kubelet: {crashLoopBackOff: {maxContainerRestartPeriod: 10m}}',
      '14:57 error maxContainerRestartPeriod must be 300 or less, not 600',
    ],
    ['apps: [{workload: wev}]', '14:19 error there is no workload wev in this text'],
    ['apps: [{container: sidecar}]', '14:20 error there is no container sidecar in this text'],
    ['apps: [{pod: a, workload: web}]', '14:14 error an app has either workload or pod'],
    ['apps: [{outages: [{from: 5s, to: 4s, answer: fail}]}]', '14:34 error to must be later than from'],
    ['apps: [{outages: [{from: 5s, answer: slow}]}]', '14:19 error a slow answer needs takes'],
    [
      'apps: [{runs: [{outages: [{since: scenario, from: 5s, answer: fail}]}]}]',
      '14:35 error since: scenario belongs to the outages of an app',
    ],
    [
      'apps: [{onTerm: {outages: [{since: scenario, from: 5s, answer: fail}]}}]',
      '14:36 error since: scenario belongs to the outages of an app',
    ],
  ])('%s is refused', (fields, issue) => {
    expect(
      world(fields).issues.map(({ line, column, severity, message }) => `${line}:${column} ${severity} ${message}`),
    ).toEqual([issue]);
  });

  it.each([
    ['"1.20"', '1.20'],
    ['"v1.29.4"', '1.29'],
    ['1.37', '1.37'],
  ])('kubernetes: %s is simulated as %s', (written, version) => {
    expect(world(`kubernetes: ${written}`).scenario?.kubernetes).toBe(version);
  });

  it('kubernetes can be changed like every other setting, within the same limits', () => {
    const text = pod(HTTP);
    const at = (value: number) => readScenario(text, [{ path: 'kubernetes', value }]);
    expect(at(24).scenario?.kubernetes).toBe('1.24');
    expect(at(19).issues.map(({ message }) => message)).toEqual(['kubernetes must be 20 or more, not 19']);
  });

  it('a second one is refused', () => {
    expect(told(pod(HTTP) + scenario('seed: 1') + scenario('seed: 2'))).toEqual([
      '17:7 error there is a second Scenario document; the first is on line 13',
    ]);
  });
});

describe('sliders', () => {
  const parsed = parseText(pod(`${HTTP}  periodSeconds: 5`));
  const path = 'default/web/app/readiness/periodSeconds';

  it('replace a number of the text and say so', () => {
    const { scenario: changed, model } = applyOverrides(parsed, [{ path, value: 30 }]);
    expect(changed?.pods[0]?.containers[0]?.probes.readiness?.periodSeconds).toBe(30);
    expect(model.settings.get(path)).toEqual({ value: 30, from: 'slider', line: null });
  });

  it('leave the parsed text as it was', () => {
    applyOverrides(parsed, [{ path, value: 30 }]);
    expect(applyOverrides(parsed, []).scenario?.pods[0]?.containers[0]?.probes.readiness?.periodSeconds).toBe(5);
  });

  it('keep the same rules as the text, with the issue where the text gives the number', () => {
    const { scenario: changed, issues } = applyOverrides(parsed, [{ path, value: -3 }]);
    expect(changed).toBeNull();
    expect(issues).toMatchObject([
      { severity: 'error', line: 10, column: 24, setting: path, message: 'periodSeconds must be 0 or more, not -3' },
    ]);
  });

  it('are named, and change nothing, when the text no longer has what they are about', () => {
    const { scenario: changed, issues } = applyOverrides(parsed, [
      { path: 'default/gone/app/readiness/periodSeconds', value: 3 },
    ]);
    expect(changed).toEqual(applyOverrides(parsed, []).scenario);
    expect(issues).toMatchObject([{ severity: 'warning', setting: 'default/gone/app/readiness/periodSeconds' }]);
  });

  it('of a grace period that gets shorter than a preStop sleep say so themselves', () => {
    const grace = 'default/web/terminationGracePeriodSeconds';
    const text = pod('lifecycle: {preStop: {sleep: {seconds: 20}}}');
    const { scenario: changed, issues } = readScenario(text, [{ path: grace, value: 10 }]);
    expect(changed).toBeNull();
    expect(issues).toMatchObject([{ severity: 'error', line: 8, setting: grace }]);
  });

  it('set how long a postStart hook takes, in every run', () => {
    const text =
      pod('lifecycle: {postStart: {httpGet: {port: 80}}}') +
      scenario('apps: [{postStart: {answersIn: 1s}, runs: [{postStart: {fails: true}}, {}]}]');
    const runs = readScenario(text, [{ path: 'default/web/app/postStart.answersIn', value: 9 }]).scenario?.pods[0]
      ?.containers[0]?.runs;
    expect(runs?.map(({ postStart }) => postStart?.answer)).toMatchObject([
      { takes: 9e6, outcome: 'failure' },
      { takes: 9e6, outcome: 'success' },
    ]);
  });

  it('set how long a preStop hook takes, in every run', () => {
    const text =
      pod('lifecycle: {preStop: {exec: {command: [x]}}}') +
      scenario('apps: [{preStop: {answersIn: 1s}, runs: [{}, {}]}]');
    const runs = readScenario(text, [{ path: 'default/web/app/preStop.answersIn', value: 9 }]).scenario?.pods[0]
      ?.containers[0]?.runs;
    expect(runs?.map(({ preStop }) => preStop?.answer.takes)).toEqual([9e6, 9e6]);
  });

  it('set when the app answers, in every run', () => {
    const text = pod(HTTP) + scenario('apps: [{readyAfter: 1s, runs: [{}, {readyAfter: 9s}]}]');
    const runs = readScenario(text, [{ path: 'default/web/app/readyAfter', value: 2.4 }]).scenario?.pods[0]
      ?.containers[0]?.runs;
    expect(runs?.map(({ script }) => script.map(({ at }) => at))).toEqual([
      [0, 2_400_000],
      [0, 2_400_000],
    ]);
  });
});
