import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TRACE_JSON_SCHEMA } from '../io/export/traceJson.ts';
import { runCommand } from './commands.ts';

const POD = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
    - name: app
      image: registry.example/app:1
      readinessProbe:
        httpGet: {path: /ready, port: 8080}
        periodSeconds: 5
`;
const SCENARIO = `---
apiVersion: podtopool/v1
kind: Scenario
duration: 30s
apps: [{workload: web, readyAfter: 3s}]
`;

const folder = mkdtempSync(join(tmpdir(), 'podtopool-'));
function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function runs(args: readonly string[], stdin = ''): { status: number; out: string; err: string } {
  const result = { status: 0, out: '', err: '' };
  result.status = runCommand(args, {
    readStdin: () => stdin,
    out: (text) => {
      result.out += text;
    },
    err: (text) => {
      result.err += text;
    },
  });
  return result;
}

describe('podtopool simulate', () => {
  const web = file('web.yaml', POD + SCENARIO);

  it('prints one line an event, with time, component and words', () => {
    const { status, out } = runs(['simulate', web]);
    expect(status).toBe(0);
    expect(out).toMatch(/s\s+probeWorker\s+web\/app\/readiness\s+readiness probe of app: failure/);
    expect(out).toMatch(/s\s+status\s+web\s+Status manager stores v/);
  });

  it('reads standard input for -', () => {
    expect(runs(['simulate', '-'], POD + SCENARIO).out).toBe(runs(['simulate', web]).out);
  });

  it.each<[string, readonly string[]]>([
    ['the same seed', []],
    ['small steps', ['--seed', '1']],
  ])('gives the same text for %s', (_name, args) => {
    expect(runs(['simulate', web, ...args]).out).toBe(runs(['simulate', web]).out);
  });

  it('another version of Kubernetes gives another run', () => {
    expect(runs(['simulate', web, '--kubernetes', '1.20']).out).not.toBe(runs(['simulate', web]).out);
    expect(runs(['simulate', web, '--kubernetes', 'v1.37.2']).out).toBe(runs(['simulate', web]).out);
  });

  it('another seed gives another run', () => {
    expect(runs(['simulate', web, '--seed', '2']).out).not.toBe(runs(['simulate', web]).out);
  });

  it('--lane keeps the events of that component only', () => {
    const lines = runs(['simulate', web, '--lane', 'api']).out.trim().split('\n');
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.every((line) => /s {2}api /.test(line))).toBe(true);
  });

  it('--until ends the run there', () => {
    const times = runs(['simulate', web, '--until', '5s']).out.matchAll(/^\s*([\d.]+)/gm);
    expect(Math.max(...[...times].map(([, time]) => Number(time)))).toBeLessThan(5);
  });

  it('--pin decides a draw', () => {
    const { out } = runs(['simulate', web, '--pin', 'podWorkers/requeue/default/web=1234567']);
    expect(out).toMatch(/Next pass at the latest in 1\.235/);
  });

  const REQUEUE = 'podWorkers/requeue/default/web';
  it.each<[string, readonly string[], RegExp]>([
    ['of a name that nothing draws', [`${REQUEUE}s=1`], /by the name .*webs\. Did you mean podWorkers\/requeue.*web\?/],
    ['of a name like nothing', ['__proto__=1'], /nothing is drawn by the name __proto__\. Names: docs/],
    ['with a word where a number is drawn', [`${REQUEUE}=soon`], /a pin of .*web is no result of that draw/],
    ['beyond the last draw', Array(50).fill(`${REQUEUE}=9e7`), /is drawn \d times only, and has 50 pins/],
  ])('warns of a pin %s, and simulates', (_name, pins, warning) => {
    const { status, out, err } = runs(['simulate', web, ...pins.flatMap((pin) => ['--pin', pin])]);
    expect(status).toBe(0);
    expect(err).toMatch(warning);
    expect(out).toContain('Action: createPod');
  });

  it('warns of an idle pin of the Scenario document too, and not of one that decides', () => {
    const draws = `draws: {${REQUEUE}: [70000000], status/selekt/node-a: [ticker]}\n`;
    const { err } = runs(['simulate', file('draws.yaml', POD + SCENARIO + draws)]);
    expect(err).toMatch(/^podtopool: warning: nothing is drawn by the name status\/selekt\/node-a/);
  });

  it('--format json is versioned and holds every event and object version', () => {
    const json = JSON.parse(runs(['simulate', web, '--format', 'json']).out);
    expect(json.schema).toBe(TRACE_JSON_SCHEMA);
    expect(json.events.length).toBe(runs(['simulate', web]).out.trim().split('\n').length);
    const patch = json.events.find((event: { payload: { verb?: string } }) => event.payload.verb === 'patch');
    const version = json.objects['api/Pod/default/web'].find(
      (one: { version: number }) => one.version === patch.payload.object,
    );
    expect(version.content.status.phase).toBe('Pending');
  });

  it('--format recording is a recording that conformance passes and simulate reads', () => {
    const recorded = file('recorded.json', runs(['simulate', web, '--format', 'recording=kubelet']).out);
    expect(runs(['conformance', recorded])).toMatchObject({
      status: 0,
      out: expect.stringMatching(/1 passed, 0 failed\n$/),
    });
    const again = JSON.parse(runs(['simulate', recorded, '--format', 'recording']).out);
    expect(again.events).toEqual(JSON.parse(runs(['simulate', web, '--format', 'recording']).out).events);
  });

  it('reads a packed recording as it is', () => {
    const packed = 'test/recordings/kubelet/crash-loop-6s.json.gz';
    expect(runs(['simulate', packed, '--lane', 'runtime']).out).toMatch(/container app is started, attempt 3/);
  });

  it('--no-pins leaves the recorded draws out', () => {
    const recorded = file('recorded.json', runs(['simulate', web, '--format', 'recording', '--seed', '3']).out);
    expect(runs(['simulate', recorded, '--seed', '9']).out).not.toBe(
      runs(['simulate', recorded, '--seed', '9', '--no-pins']).out,
    );
  });

  it('names file, line and column of a mistake, shows the line with a caret, and what to do', () => {
    const broken = file('broken.yaml', POD.replace('periodSeconds: 5', 'periodSecond: 5'));
    const { status, err, out } = runs(['simulate', broken]);
    expect([status, out]).toEqual([3, '']);
    expect(err).toContain(`${broken}:10:9: error: `);
    expect(err).toMatch(/\n {8}periodSecond: 5\n {8}\^+\n= .*periodSeconds/);
  });

  it.each<[string, readonly string[], number, RegExp]>([
    ['no file', ['simulate'], 2, /name one file/],
    ['a file that is not there', ['simulate', 'no-such.yaml'], 2, /cannot read no-such.yaml/],
    ['an unknown option', ['simulate', web, '--fast'], 2, /--fast/],
    ['an unknown format', ['simulate', web, '--format', 'xml'], 2, /unknown format "xml"/],
    ['an unknown lane', ['simulate', web, '--lane', 'proxy'], 2, /unknown lane "proxy"/],
    ['a version that nobody knows', ['simulate', web, '--kubernetes', '1.99'], 2, /1\.99 is not known.*1\.20.*1\.37/],
    ['a seed that is no number', ['simulate', web, '--seed', 'x'], 2, /no whole number/],
    ['a time that is none', ['simulate', web, '--until', 'soon'], 2, /--until soon/],
    ['a time beyond a week', ['simulate', web, '--until', '9000000h'], 2, /--until must be 604800 or less/],
    ['a seed that would be cut', ['simulate', web, '--seed', '4294967297'], 2, /--seed must be 2147483647 or less/],
    ['a pin without a value', ['simulate', web, '--pin', 'a='], 2, /not NAME=VALUE/],
    ['a pin that lies in the past', ['simulate', web, '--pin', 'a=-5'], 2, /--pin a=-5: .*0 or more/],
    ['a pin that never comes', ['simulate', web, '--pin', 'a=1e30'], 2, /--pin a=1e30: .*longest period/],
    ['a pin that starts like a number', ['simulate', web, '--pin', 'a=5s'], 2, /--pin a=5s: a pinned draw must be/],
    ['an unknown command', ['simulat', web], 2, /unknown command "simulat"/],
    ['JSON that is cut off', ['simulate', file('cut.json', '{"schema": 1, "scenario": {')], 3, /cut.json/],
  ])('says what is wrong with %s', (_name, args, status, message) => {
    const result = runs(args);
    expect(result.status).toBe(status);
    expect(result.err).toMatch(message);
  });
});

describe('podtopool conformance', () => {
  it.each<[string, readonly string[], number, RegExp]>([
    ['no folder', ['conformance'], 2, /name a folder/],
    ['a folder that is not there', ['conformance', 'no-such-folder'], 2, /cannot read no-such-folder/],
    ['a folder without recordings', ['conformance', mkdtempSync(join(tmpdir(), 'empty-'))], 2, /no recordings/],
  ])('refuses %s', (_name, args, status, message) => {
    const result = runs(args);
    expect(result.status).toBe(status);
    expect(result.err).toMatch(message);
  });

  it('counts a file that is no recording as failed, and goes on', () => {
    const mixed = mkdtempSync(join(tmpdir(), 'mixed-'));
    writeFileSync(join(mixed, 'a.json'), 'no json');
    writeFileSync(join(mixed, 'b.json'), runs(['simulate', '-', '--format', 'recording'], POD).out);
    const { status, out } = runs(['conformance', mixed]);
    expect(status).toBe(1);
    expect(out).toMatch(/FAIL .*a\.json: could not be compared/);
    expect(out).toMatch(/1 passed, 1 failed\n$/);
  });

  it.each([
    [
      'another component',
      { schema: 1, components: ['pkg/kubelet', 'cloud-controller-manager'] },
      /not modelled yet: cloud-controller-manager$/m,
    ],
    ['cases', { schema: 1, topic: 'lifecycle', cases: [{}] }, /not modelled yet: cases of lifecycle$/m],
    ['rows', { schema: 1, rows: [{}] }, /not modelled yet: rows without a run$/m],
  ])('says what is missing for a recording with %s', (_name, recording, message) => {
    const folder = mkdtempSync(join(tmpdir(), 'other-'));
    writeFileSync(join(folder, 'a.json'), JSON.stringify(recording));
    const { status, out } = runs(['conformance', folder]);
    expect(status).toBe(1);
    expect(out).toMatch(message);
  });

  it('says so when --only leaves nothing', () => {
    const { status, err } = runs(['conformance', 'test/recordings', '--only', 'no-such']);
    expect(status).toBe(2);
    expect(err).toMatch(/none of \d+ recordings has "no-such" in its path/);
  });

  it('--only keeps the files with that text in their path', () => {
    const result = runs(['conformance', 'test/recordings', '--only', 'crash-loop-6s']);
    expect(result.out).toMatch(/^pass .*crash-loop-6s.*\n1 passed, 0 failed\n$/);
  });

  it('--verbose shows both sides around the first difference', () => {
    const recording = JSON.parse(runs(['simulate', '-', '--format', 'recording'], POD).out);
    recording.events[10].t += 1;
    const { out } = runs(['conformance', '--verbose', file('moved.json', JSON.stringify(recording))]);
    expect(out).toMatch(/ {2}expected\n[\s\S]* {2}got\n/);
  });
});

describe('podtopool why and path', () => {
  const web = file(
    'service.yaml',
    `apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
---
${POD.replace('metadata: {name: web}', 'metadata: {name: web, labels: {app: web}}')}${SCENARIO}`,
  );

  it('why says what is missing, when it comes, and how to see it in a cluster', () => {
    const { status, out } = runs(['why', web, '--at', '2']);
    expect(status).toBe(0);
    expect(out).toMatch(/^Why is web not a backend of web at 2\.000\u00a0s\?\n.*It becomes a backend at/);
    expect(out).toMatch(/\n> - app serves \(app\) .*comes at/);
    expect(out).toMatch(/In a real cluster: kubectl logs web -c app -n default/);
    expect(out).toMatch(/\nWhat would shorten the wait:\n(.* a backend at .*\n)+.* does not help /);
  });

  describe('a name that a StatefulSet gives anew', () => {
    const again = file(
      'again.yaml',
      `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: app, image: i, ports: [{containerPort: 80}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: db}
spec: {selector: {app: db}, ports: [{port: 80}]}
---
apiVersion: podtopool/v1
kind: Scenario
duration: 60s
actions: [{at: 30s, do: rollOut, workload: db}]
`,
    );

    it.each([
      ['before', '20', /\+ is not being deleted +since 0\./],
      ['after', '50', /\+ is not being deleted +since 3\d\./],
    ])('why means the Pod of the instant: %s', (_, at, since) => {
      const { status, out } = runs(['why', again, '--pod', 'db-0', '--at', at]);
      expect(status).toBe(0);
      expect(out).toMatch(since);
    });

    it('path shows them all', () => {
      const { out } = runs(['path', again, '--pod', 'db-0']);
      expect(out.match(/^db-0 \(default\/db#\S+\) default\/db$/gm)).toHaveLength(2);
    });
  });

  it('path has each hop with its share', () => {
    const { status, out } = runs(['path', web, '--pod', 'web']);
    expect(status).toBe(0);
    expect(out).toMatch(/^web default\/web\n {2}in, node-a: .*\n {4}1 wait for probe .* %\n {4}2 probe/);
  });

  it.each<[name: string, args: readonly string[], message: RegExp]>([
    ['why without an instant', ['why', web], /why: say when: --at 11\.34s/],
    ['an instant that is none', ['why', web, '--at', 'noon'], /--at noon is no instant; write 11\.34/],
    [
      'a Pod that is not there',
      ['why', web, '--at', '1', '--pod', 'db'],
      /--pod db is not in the scenario; there are web/,
    ],
    [
      'a Service that is not there',
      ['why', web, '--at', '1', '--service', 'db'],
      /--service db is not .* default\/web/,
    ],
    [
      'a node that is not there',
      ['why', web, '--at', '1', '--node', 'x'],
      /--node x is not in the scenario; there are node-a/,
    ],
    ['two files', ['path', web, web], /path: name one file/],
    ['an option of another command', ['path', web, '--at', '1'], /Unknown option '--at'/],
    ['a length that is none', ['path', web, '--until', 'soon'], /path: --until soon is no length of time/],
  ])('%s is refused, and the message says what to write', (_name, args, message) => {
    const { status, err } = runs(args);
    expect(status).toBe(2);
    expect(err).toMatch(message);
  });

  it('a text without a Service has no path to print', () => {
    const { status, err } = runs(['path', '-'], POD + SCENARIO);
    expect(status).toBe(3);
    expect(err).toMatch(/no slice of any Service ever lists a Pod/);
  });
});
