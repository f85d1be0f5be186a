import * as z from 'zod';
import type { HookName } from '../../sim/scenario.ts';
import { duration } from './duration.ts';
import { say, strict } from './strict.ts';

const probeKind = z.enum(['startup', 'readiness', 'liveness']);

const perProbe = (kind: string) =>
  strict({
    readyAfter: duration.optional().describe(`Replaces readyAfter for the ${kind} probe.`),
    answersIn: duration.optional().describe(`Replaces answersIn for the ${kind} probe.`),
  })
    .optional()
    .describe(`What differs for the ${kind} probe.`);

const outage = strict({
  from: duration.describe('Begin, since the start of the container.'),
  to: duration.optional().describe('End, counted like from. Not given: until the process ends.'),
  answer: z
    .enum(['fail', 'hang', 'refuse', 'error', 'slow'])
    .describe(
      'fail: HTTP status 503, exit code 1, NOT_SERVING, or a closed port for tcpSocket. hang: no answer, cut at timeoutSeconds. ' +
        'refuse: the port is closed (exec: exit code 1). error: the probe cannot be carried out, is tried three times and counts for nothing. slow: a good answer, but late.',
    ),
  status: z.int().min(100).max(599).optional().describe('HTTP status code of answer fail. Default 503.'),
  takes: duration.optional().describe('How long an answer takes meanwhile. Default: answersIn.'),
  probes: z.array(probeKind).min(1).optional().describe('Which probes see it. Default: all.'),
})
  .refine(({ from, to }) => to === undefined || to > from, {
    path: ['to'],
    error: say('to must be later than from', 'Both count from the same instant.'),
  })
  .refine(({ answer, takes }) => answer !== 'slow' || takes !== undefined, {
    error: say('a slow answer needs takes', 'Add takes, such as takes: 4s.'),
  })
  .refine(({ answer, status }) => answer === 'fail' || status === undefined, {
    path: ['status'],
    error: say('status belongs to answer: fail', 'Remove status, or write answer: fail.'),
  });

/** As the outages of a run, but since another begin. */
const outagesSince = (begin: string) =>
  z
    .array(outage)
    .optional()
    .describe(`As outages of the app, but counted from ${begin}. Where one ends, the app answers well again.`);

/** How the hook of that name goes. `effect` is what it holds up. */
const hook = (name: HookName, effect: string) =>
  strict({
    answersIn: duration
      .optional()
      .describe('How long the hook takes. Default: the time of a command that only sleeps, else 0.'),
    fails: z.boolean().optional().describe('The hook fails: an exit code other than 0, no HTTP answer.'),
    outages: outagesSince('the begin of the hook'),
  })
    .optional()
    .describe(`How an exec or httpGet ${name} hook goes. ${effect} A sleep hook needs nothing.`);

const behaviour = {
  readyAfter: duration
    .optional()
    .describe(
      'The app starts to answer this long after the start of its container; before, its port is refused (exec: exit code 1). Default 0.',
    ),
  answersIn: duration.optional().describe('How long an answer takes. Default 1ms.'),
  startup: perProbe('startup'),
  readiness: perProbe('readiness'),
  liveness: perProbe('liveness'),
  outages: z
    .array(outage)
    .optional()
    .describe('Times in which the app does not answer well. Where two overlap, the later entry counts.'),
  exit: strict({
    at: duration.describe('When, since the start of the container.'),
    code: z.int().min(0).max(255).optional().describe('Exit code. Default 0.'),
  })
    .optional()
    .describe('The process ends by itself. Default: never; an init container ends after 1s with code 0. ≈'),
  onTerm: strict({
    exitAfter: duration.optional().describe('From SIGTERM to the exit. Default 50ms.'),
    exitCode: z
      .int()
      .min(0)
      .max(255)
      .optional()
      .describe('Exit code. Default 143, that of a process without a handler.'),
    ignore: z.literal(true).optional().describe('SIGTERM is ignored: only SIGKILL ends the process.'),
    outages: outagesSince('SIGTERM'),
  })
    .refine(({ ignore, exitAfter, exitCode }) => !ignore || (exitAfter === undefined && exitCode === undefined), {
      path: ['ignore'],
      error: say('a process that ignores SIGTERM has no exitAfter and exitCode', 'Remove ignore, or the other two.'),
    })
    .optional()
    .describe('What the process does at SIGTERM.'),
  postStart: hook(
    'postStart',
    'Until it ends, no container of the Pod is probed or shown as running; where it fails, the container is killed.',
  ),
  preStop: hook('preStop', 'SIGTERM waits for it.'),
};

const run = strict(behaviour);

/** An entry of `apps`: whose behaviour, and the behaviour. */
export const app = strict({
  namespace: z.string().optional().describe('Namespace of the workload or Pod. Default: any.'),
  workload: z.string().optional().describe('Name of the Deployment, ReplicaSet, StatefulSet, DaemonSet or bare Pod.'),
  pod: z
    .string()
    .optional()
    .describe('One Pod: its name (web-0) or its identity (default/web#1/0). Instead of workload.'),
  container: z
    .string()
    .optional()
    .describe(
      'Name of the container. Default: each container and sidecar; an init container that runs to its end is meant only by its name.',
    ),
  imagePull: strict({
    takes: duration.describe(
      'How long a pull takes. Pulls of a node come one after another; a pulled image serves all its Pods.',
    ),
    failures: z.int().min(0).max(1000).optional().describe('So many pulls fail before one succeeds. Default 0.'),
  })
    .optional()
    .describe('The node does not have the image. Default: it is there.'),
  ...behaviour,
  runs: z
    .array(run)
    .min(1)
    .optional()
    .describe(
      'What differs at each start of the container: the first entry for the first start, the last one for all later starts. A field that an entry does not give is taken from the app.',
    ),
}).refine(({ workload, pod }) => workload === undefined || pod === undefined, {
  path: ['pod'],
  error: say('an app has either workload or pod', 'Remove one of them.'),
});

export type App = z.output<typeof app>;
export type Behaviour = z.output<typeof run>;
export type Outage = z.output<typeof outage>;
