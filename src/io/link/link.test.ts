import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { micros } from '../../base/units.ts';
import type { PodInput } from '../../sim/scenario.ts';
import { EXAMPLES } from '../examples/examples.ts';
import { readScenario } from '../readScenario.ts';
import { MOST_BYTES, pack, unpack } from './codec.ts';
import { decodeLink, encodeLink, LINK_LENGTH_LIMIT, type LinkState } from './link.ts';
import { upgradePayload } from './upgrade.ts';

fc.configureGlobal({ seed: 1 });

const SECRET = 'hunter2';
const TEXT = `# ${SECRET}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  annotations: {note: ${SECRET}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 20
      containers:
        - name: app
          image: ${SECRET}/app:1
          command: [${SECRET}]
          lifecycle: {preStop: {exec: {command: [sh, -c, 'drain ${SECRET}']}}, postStart: {exec: {command: [sh, -c, 'warm ${SECRET}']}}}
          env: [{name: PASSWORD, value: ${SECRET}}]
          ports: [{name: http, containerPort: 8080}]
          startupProbe: {exec: {command: [check, ${SECRET}]}, failureThreshold: 30}
          readinessProbe:
            httpGet: {port: http, path: /ready, host: ${SECRET}, httpHeaders: [{name: Authorization, value: ${SECRET}}]}
            periodSeconds: 7
---
apiVersion: v1
kind: Secret
metadata: {name: s}
stringData: {password: ${SECRET}}
---
apiVersion: podtopool/v1
kind: Scenario
duration: 5m
apps: [{workload: web, readyAfter: 2.4s}]
`;
const state = (over: Partial<LinkState> = {}): LinkState => ({
  text: TEXT,
  overrides: [],
  playhead: null,
  window: null,
  language: null,
  ...over,
});

function fragment(of: LinkState, fullText = false): string {
  const result = encodeLink(of, { fullText });
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}
function decoded(link: string): LinkState {
  const result = decodeLink(link);
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}
const problem = (link: string): string => {
  const result = decodeLink(link);
  return result.ok ? 'fine' : result.problem.kind;
};
const linkOf = (payload: unknown): string => `#v1.d.${pack(JSON.stringify(payload))}`;

/** What a link replaces, replaced: images, commands, and the words of exec events, which quote the command. */
const scrubbed = (pods: readonly PodInput[] | undefined): unknown =>
  JSON.parse(
    JSON.stringify(pods, (key, value: unknown) => {
      if (key === 'image' || key === 'message') return '';
      return key === 'target' && typeof value === 'string' && !value.startsWith(':') ? 'check' : value;
    }),
  );

describe('a link without the full text', () => {
  it('gives a text that simulates the same, images and commands aside', () => {
    const before = readScenario(TEXT).scenario;
    const after = readScenario(decoded(fragment(state())).text).scenario;
    expect(scrubbed(after?.pods)).toEqual(scrubbed(before?.pods));
    expect({ ...after, pods: [] }).toEqual({ ...before, pods: [] });
  });

  it('gives the same simulation back for any numbers and handlers', () => {
    const handler = fc.constantFrom(
      'exec: {command: [a, b]}',
      'httpGet: {port: http}',
      'tcpSocket: {port: 5432}',
      'grpc: {port: 1}',
    );
    const probe = fc.tuple(handler, fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 20 }));
    const hook = fc.constantFrom(
      '',
      ', lifecycle: {preStop: {exec: {command: [drain, now]}}}',
      ', lifecycle: {preStop: {exec: {command: [sh, -c, sleep 4.5]}}}',
      ', lifecycle: {preStop: {httpGet: {port: http, path: /stop}}}',
      ', lifecycle: {preStop: {sleep: {seconds: 7}}}',
      ', lifecycle: {postStart: {exec: {command: [a]}}}',
      ', lifecycle: {postStart: {exec: {command: [sleep, "3"]}}, preStop: {sleep: {seconds: 2}}}',
      ', lifecycle: {preStop: {tcpSocket: {port: 1}}}',
    );
    const manifest = fc.record({
      replicas: fc.nat(4),
      readiness: probe,
      liveness: probe,
      kind: fc.constantFrom('Deployment', 'StatefulSet', 'ReplicaSet'),
      hook,
      grace: fc.integer({ min: 7, max: 90 }),
      gates: fc.subarray(['{conditionType: lb.example/ready}', '{conditionType: other}']),
    });
    fc.assert(
      fc.property(manifest, ({ replicas, readiness, liveness, kind, hook: lifecycle, grace, gates }) => {
        const written = ([type, period, failures]: typeof readiness): string =>
          `{${type}, periodSeconds: ${period}, failureThreshold: ${failures}}`;
        const ports = 'ports: [{name: http, containerPort: 80}]';
        const text = `apiVersion: apps/v1
kind: ${kind}
metadata: {name: web, namespace: shop}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: ${grace}
      readinessGates: [${gates.join(', ')}]
      initContainers:
        - {name: init, image: i, command: [migrate]}
        - {name: proxy, image: i, restartPolicy: Always, ${ports}, startupProbe: ${written(liveness)}${lifecycle}}
      containers:
        - {name: app, image: i, ${ports}, readinessProbe: ${written(readiness)}, livenessProbe: ${written(liveness)}${lifecycle}}
---
apiVersion: v1
kind: Pod
metadata: {name: once}
spec: {activeDeadlineSeconds: ${grace}, containers: [{name: app, image: i}]}
---
apiVersion: podtopool/v1
kind: Scenario
apps: [{container: app, preStop: {fails: true}, onTerm: {outages: [{from: 0, answer: fail}]}}]
actions: [{at: 9s, do: deletePod, workload: web}, {at: 8s, do: removeStaticPod, pod: once}]
staticPods: [once]
`;
        const before = readScenario(text).scenario;
        const after = readScenario(decoded(fragment(state({ text }))).text).scenario;
        expect(before).not.toBeNull();
        expect(scrubbed(after?.pods)).toEqual(scrubbed(before?.pods));
        expect(after?.actions).toEqual(before?.actions);
      }),
      { numRuns: 50 },
    );
  });

  it('holds nothing of images, commands, environment, headers, annotations, comments and other kinds', () => {
    expect(decoded(fragment(state())).text).not.toContain(SECRET);
  });

  it('is refused for a text with errors, with what to do', () => {
    const result = encodeLink(state({ text: TEXT.replace('periodSeconds: 7', 'periodSeconds: -7') }), {
      fullText: false,
    });
    expect(result).toMatchObject({
      ok: false,
      problem: { kind: 'hasErrors', remedy: 'Correct the errors, or include the full text.' },
    });
  });

  it('of a usual Deployment is well within the limit', () => {
    expect(fragment(state()).length).toBeLessThan(LINK_LENGTH_LIMIT / 2);
  });
});

it('a link with the full text gives the text back as typed, errors and all', () => {
  const text = `${TEXT}\n  : not YAML {{`;
  expect(decoded(fragment(state({ text }), true)).text).toBe(text);
});

it.each(EXAMPLES.map(({ id, text }) => [id, text]))('the example %s is carried by its name', (_id, text) => {
  const link = fragment(state({ text }));
  expect(decoded(link).text).toBe(text);
  expect(link.length).toBeLessThan(80);
});

it('every state comes back as it went in', () => {
  const instant = fc.integer({ min: -1e12, max: 1e12 }).map(micros);
  const states = fc.record({
    text: fc.string({ unit: 'grapheme' }),
    overrides: fc.array(
      fc.record({
        path: fc.string({ maxLength: 50 }),
        value: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
      }),
    ),
    playhead: fc.option(instant),
    window: fc.option(
      fc
        .tuple(instant, fc.integer({ min: 1, max: 1e9 }))
        .map(([from, length]) => ({ from, to: micros(from + length) })),
    ),
    language: fc.option(fc.constantFrom('en' as const, 'zh' as const)),
  });
  fc.assert(
    fc.property(states, (given) => {
      expect(decoded(fragment(given, true))).toEqual(given);
    }),
    { numRuns: 200 },
  );
});

describe('a link that is not what was sent', () => {
  const good = fragment(state());

  it('any changed or missing character is noticed', () => {
    const at = fc.integer({ min: 6, max: good.length - 1 });
    fc.assert(
      fc.property(at, fc.constantFrom('', 'A', '-', '_', '!', '中'), (i, instead) => {
        const changed = good.slice(0, i) + instead + good.slice(i + 1);
        // The last letter of base64 has bits that stand for nothing.
        fc.pre(changed !== good && i < good.length - 1);
        expect(problem(changed)).toBe('damaged');
      }),
    );
  });

  it('any text is answered and none throws', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(['unreadable', 'newer', 'damaged']).toContain(problem(text));
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(problem(`#v1.d.${text}`)).toBe('damaged');
      }),
    );
  });

  it.each<[name: string, link: string, kind: string]>([
    ['another page', '#about', 'unreadable'],
    ['a newer version', '#v2.d.AAAA', 'newer'],
    ['an example that this version does not have', linkOf({ e: 'of-next-year' }), 'newer'],
    ['an unknown codec', good.replace('.d.', '.x.'), 'damaged'],
    ['a payload that is no JSON', `#v1.d.${pack('{')}`, 'damaged'],
    ['an unknown field', linkOf({ y: '', extra: 1 }), 'damaged'],
    ['no text at all', linkOf({ p: 1 }), 'damaged'],
    ['two texts', linkOf({ y: '', e: 'crash-loop' }), 'damaged'],
    ['a playhead that is no instant', linkOf({ y: '', p: 1.5 }), 'damaged'],
    ['a window that ends before it begins', linkOf({ y: '', w: [2, 1] }), 'damaged'],
    [
      'objects nested without end',
      `#v1.d.${pack(`{"m":[${'{"a":'.repeat(20_000)}0${'}'.repeat(20_000)}]}`)}`,
      'damaged',
    ],
    [
      'a payload that unfolds to more than it may',
      `#v1.d.${pack(JSON.stringify({ y: ' '.repeat(MOST_BYTES) }))}`,
      'damaged',
    ],
    ['a fragment of two million characters', `#v1.d.${'A'.repeat(2_000_000)}`, 'damaged'],
  ])('%s', (_name, link, kind) => {
    expect(problem(link)).toBe(kind);
  });
});

it('old links stay readable', () => {
  // Version 1, as first released. Never edit: add one for each new version.
  const v1 =
    '#v1.d.HY1BCoQwEAT_0ueRhAX3kG94FA_RjBqQSUgUUfHvRvvWFEVdYBikTcTLVElYq8TWHSAEmLaF49Fuy6p27pWNUb3UC-esIicfXMNDEJdBddcRIsyv1u8Ie_E1_b-ndYFLCZ0z7gdZSXp7';
  expect(decoded(v1)).toEqual({
    text: EXAMPLES[0]?.text,
    overrides: [{ path: 'default/web/app/readiness/periodSeconds', value: 5 }],
    playhead: 2_500_000,
    window: { from: 0, to: 60_000_000 },
    language: 'zh',
  });
});

describe('upgrades', () => {
  const steps = { 2: (old: object) => ({ ...old, two: true }), 3: (old: object) => ({ ...old, three: true }) };

  it('go one step at a time, from the version of the link on', () => {
    expect(upgradePayload({ y: '' }, 1, steps, 3)).toEqual({ y: '', two: true, three: true });
    expect(upgradePayload({ y: '' }, 2, steps, 3)).toEqual({ y: '', three: true });
  });

  it('a missing step is an error of the program', () => {
    expect(() => upgradePayload({}, 1, steps, 4)).toThrow('no upgrade to version 4');
  });
});

it('unpack gives back what pack made', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(unpack(pack(text))).toBe(text);
    }),
  );
});
