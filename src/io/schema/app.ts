import * as z from 'zod/mini';
import type { HookName } from '../../sim/scenario.ts';
import { dns } from './dns.ts';
import { duration } from './duration.ts';
import { optional, say, strict } from './strict.ts';

const probeKind = z.enum(['startup', 'readiness', 'liveness']);

const perProbe = (kind: string) =>
  optional(
    strict({
      readyAfter: optional(duration, `Replaces readyAfter for the ${kind} probe.`),
      answersIn: optional(duration, `Replaces answersIn for the ${kind} probe.`),
    }),
    `What differs for the ${kind} probe.`,
  );

const outage = strict({
  since: optional(
    z.enum(['start', 'scenario']),
    'What from and to count from: the start of the container, or that of the scenario, as for a database that all Pods ask. Default start.',
  ),
  from: duration.check(z.describe('Begin, since the start of the container.')),
  to: optional(duration, 'End, counted like from. Not given: until the process ends.'),
  answer: z
    .enum(['fail', 'hang', 'refuse', 'error', 'slow', 'redirect'])
    .check(
      z.describe(
        'fail: HTTP status 503, exit code 1, NOT_SERVING, or a closed port for tcpSocket. hang: no answer, cut at timeoutSeconds. ' +
          'refuse: the port is closed (exec: exit code 1). error: the probe cannot be carried out, is tried three times and counts for nothing. slow: a good answer, but late. redirect: HTTP status 302 to another host, ' +
          'which an httpGet probe counts as a success and warns of; the other probes get a good answer.',
      ),
    ),
  status: optional(z.int().check(z.minimum(100), z.maximum(599)), 'HTTP status code of answer fail. Default 503.'),
  takes: optional(duration, 'How long an answer takes meanwhile. Default: answersIn.'),
  probes: optional(z.array(probeKind).check(z.minLength(1)), 'Which probes see it. Default: all.'),
  clients: optional(
    z.boolean(),
    'Whether clients see it. Default: they do, unless probes is given. They never see answer error.',
  ),
  port: optional(
    z.int().check(z.minimum(1), z.maximum(65_535)),
    'Only what is asked at that port of the container. Default: each.',
  ),
  path: optional(
    z.string().check(z.regex(/^\//, say('a path begins with a slash', 'Write it as in /api.'))),
    'Only HTTP requests for that path or one below it. Default: each.',
  ),
}).check(
  z.refine(({ from, to }) => to === undefined || to > from, {
    path: ['to'],
    error: say('to must be later than from', 'Both count from the same instant.'),
  }),
  z.refine(({ answer, takes }) => answer !== 'slow' || takes !== undefined, {
    error: say('a slow answer needs takes', 'Add takes, such as takes: 4s.'),
  }),
  z.refine(({ answer, status }) => answer === 'fail' || status === undefined, {
    path: ['status'],
    error: say('status belongs to answer: fail', 'Remove status, or write answer: fail.'),
  }),
  z.refine(({ status = 503 }) => status < 200 || status >= 400, {
    path: ['status'],
    error: say('a probe does not fail with a status of 200 to 399', 'Write 400 or more, or answer: redirect.'),
  }),
);

/** One that counts from an instant of the process. */
const ownOutage = outage.check(
  z.refine(({ since }) => since !== 'scenario', {
    path: ['since'],
    error: say('since: scenario belongs to the outages of an app', 'Move the entry to outages of the app itself.'),
  }),
);

/** As the outages of a run, but since another begin. */
const outagesSince = (begin: string) =>
  optional(
    z.array(ownOutage),
    `As outages of the app, but counted from ${begin}. Where one ends, the app answers well again.`,
  );

/** How the hook of that name goes. `effect` is what it holds up. */
const hook = (name: HookName, effect: string) =>
  optional(
    strict({
      answersIn: optional(
        duration,
        'How long the hook takes. Default: the time of a command that only sleeps, else 0.',
      ),
      fails: optional(z.boolean(), 'The hook fails: an exit code other than 0, no HTTP answer.'),
      outages: outagesSince('the begin of the hook'),
    }),
    `How an exec or httpGet ${name} hook goes. ${effect} A sleep hook needs nothing.`,
  );

const behaviourWith = (one: typeof outage | typeof ownOutage) => ({
  readyAfter: optional(
    duration,
    'The app starts to answer this long after the start of its container; before, its port is refused (exec: exit code 1). Default 0.',
  ),
  answersIn: optional(duration, 'How long an answer takes. Default 1ms.'),
  startup: perProbe('startup'),
  readiness: perProbe('readiness'),
  liveness: perProbe('liveness'),
  outages: optional(
    z.array(one),
    'Times in which the app does not answer well. Where two overlap, the later entry counts.',
  ),
  exit: optional(
    strict({
      at: duration.check(z.describe('When, since the start of the container.')),
      code: optional(z.int().check(z.minimum(0), z.maximum(255)), 'Exit code. Default 0.'),
    }),
    'The process ends by itself. Default: never; an init container ends after 1s with code 0. ≈',
  ),
  onTerm: optional(
    strict({
      exitAfter: optional(duration, 'From SIGTERM to the exit. Default 50ms.'),
      exitCode: optional(
        z.int().check(z.minimum(0), z.maximum(255)),
        'Exit code. Default 143, that of a process without a handler.',
      ),
      ignore: optional(z.literal(true), 'SIGTERM is ignored: only SIGKILL ends the process.'),
      outages: outagesSince('SIGTERM'),
    }).check(
      z.refine(({ ignore, exitAfter, exitCode }) => !ignore || (exitAfter === undefined && exitCode === undefined), {
        path: ['ignore'],
        error: say('a process that ignores SIGTERM has no exitAfter and exitCode', 'Remove ignore, or the other two.'),
      }),
    ),
    'What the process does at SIGTERM.',
  ),
  postStart: hook(
    'postStart',
    'Until it ends, no container of the Pod is probed or shown as running; where it fails, the container is killed.',
  ),
  preStop: hook('preStop', 'SIGTERM waits for it.'),
});

const run = strict(behaviourWith(ownOutage));

/** An entry of `apps`: whose behaviour, and the behaviour. */
export const app = strict({
  namespace: optional(z.string(), 'Namespace of the workload or Pod. Default: any.'),
  workload: optional(z.string(), 'Name of the Deployment, ReplicaSet, StatefulSet, DaemonSet or bare Pod.'),
  pod: optional(z.string(), 'One Pod: its name (web-0) or its identity (default/web#1/0). Instead of workload.'),
  revision: optional(
    z.int().check(z.minimum(1)),
    'Only Pods of that revision of the workload: 1 is the manifest, 2 what the first rollOut makes of it. Default: any.',
  ),
  container: optional(
    z.string(),
    'Name of the container. Default: each container and sidecar; an init container that runs to its end is meant only by its name.',
  ),
  imagePull: optional(
    strict({
      takes: duration.check(
        z.describe(
          'How long a pull takes. Pulls of a node come one after another; a pulled image serves all its Pods.',
        ),
      ),
      failures: optional(
        z.int().check(z.minimum(0), z.maximum(1000)),
        'So many pulls fail before one succeeds. Default 0.',
      ),
    }),
    'The node does not have the image. Default: it is there.',
  ),
  needs: optional(
    strict({
      service: z.string().check(z.describe('Name of a headless Service.')),
      namespace: optional(z.string(), 'Its namespace. Default: that of the Pod.'),
      addresses: z
        .int()
        .check(z.minimum(1), z.maximum(1000), z.describe('So many addresses, that of the Pod itself among them.')),
      dns: optional(dns, 'Who remembers answers.'),
    }),
    'Peers that the app looks up in each run of its readiness probe: while the name leads to fewer addresses, the run fails.',
  ),
  ...behaviourWith(outage),
  runs: optional(
    z.array(run).check(z.minLength(1)),
    'What differs at each start of the container: the first entry for the first start, the last one for all later starts. A field that an entry does not give is taken from the app.',
  ),
}).check(
  z.refine(({ workload, pod }) => workload === undefined || pod === undefined, {
    path: ['pod'],
    error: say('an app has either workload or pod', 'Remove one of them.'),
  }),
);

export type App = z.output<typeof app>;
export type Behaviour = z.output<typeof run>;
export type Outage = z.output<typeof outage>;
