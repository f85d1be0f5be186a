import { MICROS_PER_MS, MICROS_PER_SECOND, type Micros, micros, microsSpan, seconds } from '../../base/units.ts';
import {
  type Answer,
  type AppRun,
  type AppStep,
  type AppTerm,
  HOOK_NAMES,
  type HookName,
  type HookRun,
  type Outage as OutageInput,
  PROBE_KINDS,
  type ProbeKind,
  type Serve,
} from '../../sim/scenario.ts';
import type { Handler, WorkloadContainer } from '../manifest/workload.ts';
import type { App, Behaviour, Outage } from '../schema/app.ts';
import type { Setting } from '../settings.ts';
import { answerOf, brokenAnswer, type Reply } from './answers.ts';
import { isSeenByClients, type Serves, served, servesAfter, servesOf } from './appServe.ts';

/** What the settings say about one container. */
export interface AppSettings {
  /** s */
  readonly readyAfter: Setting;
  /** ms */
  readonly answersIn: Setting;
  /** s; null for a container without an exec or httpGet hook of that name. */
  readonly hookAnswersIn: (name: HookName) => Setting | null;
  /** Of each probe, s. */
  readonly timeoutSeconds: Readonly<Record<ProbeKind, number>>;
}

/** Answers of the probes that a container does not have decide nothing, but tell the app's own lane what it does. */
const NO_PROBE: Handler = { type: 'httpGet', target: ':80/', unknownPort: null };
const STATUS_DEFAULT = 503;
/** A process without a handler for SIGTERM (as AppRun.onTerm null). */
const TERM_DEFAULT = { exitAfter: 0.05, exitCode: 143 };

/** An init container ends well after this long where the scenario does not say: our own assumption ≈. */
const INIT_EXIT: NonNullable<Behaviour['exit']> = { at: 1, code: 0 };

/** What befalls the world that the app asks, in time of the scenario. */
export function worldOutages(app: App | null, container: WorkloadContainer, settings: AppSettings): OutageInput[] {
  const behaviour = withSliders({ ...app }, settings);
  return (app?.outages ?? []).filter(isOfWorld).map((outage): OutageInput => {
    const { from, to, port = null, path = null } = outage;
    const answers = PROBE_KINDS.flatMap((kind) => {
      const handler = container.probes[kind];
      if (!handler || seenBy([outage], kind, handler).length === 0) return [];
      const reply = outageReply(outage, usualLength(behaviour, kind));
      return [[kind, answerOf(reply, handler, settings.timeoutSeconds[kind])] as const];
    });
    const serve = isSeenByClients(outage) ? { port, path, serve: served(outage, answerLength(behaviour)) } : null;
    return {
      from: micros(microsOf(from)),
      until: (to === undefined ? Number.POSITIVE_INFINITY : microsOf(to)) as Micros,
      answers: Object.fromEntries(answers),
      serve,
    };
  });
}

const isOfWorld = ({ since }: Outage): boolean => since === 'scenario';

/** The runs of a container, one for each start. `app` is null when the scenario says nothing about it. */
export function appRuns(app: App | null, container: WorkloadContainer, settings: AppSettings): AppRun[] {
  const runs: readonly Behaviour[] = app?.runs ?? [{}];
  return runs.map((run) => {
    const ends = container.role === 'init' ? { exit: INIT_EXIT } : {};
    const { outages: all = [], ...rest } = withSliders({ ...ends, ...app, ...run }, settings);
    const behaviour = { ...rest, outages: all.filter((outage) => !isOfWorld(outage)) };
    const { onTerm } = behaviour;
    const scriptOf = (outages: readonly Outage[] = []): AppStep[] =>
      script(
        (kind, handler) => repliesAfter(outages, behaviour, kind, handler),
        servesAfter({ outages, takes: answerLength(behaviour) }),
        container,
        settings,
      );
    return {
      script: runScript(behaviour, container, settings),
      postStart: hookRun('postStart', behaviour, container, scriptOf),
      preStop: hookRun('preStop', behaviour, container, scriptOf),
      onTerm: onTerm ? termOf(onTerm, scriptOf(onTerm.outages)) : null,
    };
  });
}

/** A slider counts for every run; what the text gives is in the behaviour already. */
function withSliders(behaviour: Behaviour, { readyAfter, answersIn, hookAnswersIn }: AppSettings): Behaviour {
  const changed = { ...behaviour };
  if (readyAfter.from === 'slider' && readyAfter.value !== null) changed.readyAfter = readyAfter.value;
  if (answersIn.from === 'slider' && answersIn.value !== null) changed.answersIn = answersIn.value / 1000;
  for (const name of HOOK_NAMES) {
    const hook = hookAnswersIn(name);
    if (hook?.from === 'slider' && hook.value !== null) changed[name] = { ...behaviour[name], answersIn: hook.value };
  }
  return changed;
}

/** How a hook goes: null for a container without a hook that the app has a part in. */
function hookRun(
  name: HookName,
  behaviour: Behaviour,
  container: WorkloadContainer,
  scriptOf: (outages: readonly Outage[] | undefined) => AppStep[],
): HookRun | null {
  const hook = container.hooks[name];
  if (hook === null || hook.type === 'sleep') return null;
  if (hook.broken !== null) return { answer: brokenAnswer(hook.broken), script: [] };
  const { answersIn = hook.seconds, fails = false, outages } = behaviour[name] ?? {};
  const outcome = fails ? 'failure' : 'success';
  return { answer: { outcome, takes: microsOf(answersIn), message: '' }, script: scriptOf(outages) };
}

function termOf({ exitAfter, exitCode, ignore }: NonNullable<Behaviour['onTerm']>, steps: AppStep[]): AppTerm {
  return {
    exitAfter: ignore ? null : seconds(exitAfter ?? TERM_DEFAULT.exitAfter),
    exitCode: exitCode ?? TERM_DEFAULT.exitCode,
    script: steps,
  };
}

/** What happens since the start: answers, and the end of the process. */
function runScript(behaviour: Behaviour, container: WorkloadContainer, settings: AppSettings): AppStep[] {
  const { exit } = behaviour;
  const exitAt = exit ? microsOf(exit.at) : Number.POSITIVE_INFINITY;
  const { outages = [], readyAfter = 0 } = behaviour;
  const serves = servesOf({ outages, takes: answerLength(behaviour) }, microsOf(readyAfter));
  const all = script((kind, handler) => replies(behaviour, kind, handler), serves, container, settings);
  const steps = all.filter(({ at }) => at < exitAt);
  if (exit) steps.push({ at: microsSpan(exitAt), answers: {}, serve: null, exit: exit.code ?? 0 });
  return steps;
}

/** When the reply to one probe changes: [µs, the reply from then on], in order. */
type Replies = [number, Reply][];

/** Steps in order of time, each with the answers that change there. */
function script(
  repliesOf: (kind: ProbeKind, handler: Handler) => Replies,
  serves: Serves,
  container: WorkloadContainer,
  settings: AppSettings,
): AppStep[] {
  const steps = new Map<number, { answers: Partial<Record<ProbeKind, Answer>>; serve: Serve | null }>();
  const stepAt = (at: number) => {
    const step = steps.get(at) ?? { answers: {}, serve: null };
    steps.set(at, step);
    return step;
  };
  for (const kind of PROBE_KINDS) {
    const handler = container.probes[kind] ?? NO_PROBE;
    for (const [at, reply] of repliesOf(kind, handler))
      stepAt(at).answers[kind] = answerOf(reply, handler, settings.timeoutSeconds[kind]);
  }
  for (const [at, serve] of serves) stepAt(at).serve = serve;
  return [...steps].sort(([a], [b]) => a - b).map(([at, step]) => ({ at: microsSpan(at), ...step, exit: null }));
}

const microsOf = (value: number): number => Math.round(value * MICROS_PER_SECOND);
const answerLength = ({ answersIn }: Behaviour): number => microsOf(answersIn ?? 1 / MICROS_PER_MS);
const usualLength = (behaviour: Behaviour, kind: ProbeKind): number =>
  microsOf(behaviour[kind]?.answersIn ?? behaviour.answersIn ?? 1 / MICROS_PER_MS);
const seenBy = (outages: readonly Outage[], kind: ProbeKind, handler: Handler): readonly Outage[] =>
  outages.filter((outage) => (!outage.probes || outage.probes.includes(kind)) && isAskedAt(outage, handler));
/** Whether the probe asks at the port and the path that the outage is about; a command asks nowhere. */
function isAskedAt({ port, path }: Outage, { type, target }: Handler): boolean {
  if (port === undefined && path === undefined) return true;
  if (type === 'exec') return false;
  const [, itsPort, itsPath = '/'] = /^:(\d+)(\/[^?]*)?/.exec(target) ?? [];
  if (port !== undefined && String(port) !== itsPort) return false;
  return (
    path === undefined ||
    (type === 'httpGet' && (itsPath === path || itsPath.startsWith(`${path.replace(/\/$/, '')}/`)))
  );
}
const edges = (outages: readonly Outage[]): number[] =>
  outages.flatMap(({ from, to }) => [microsOf(from), ...(to === undefined ? [] : [microsOf(to)])]);
const outageAt = (outages: readonly Outage[], at: number): Outage | undefined =>
  outages.findLast(({ from, to }) => microsOf(from) <= at && (to === undefined || at < microsOf(to)));
const inOrder = (instants: readonly number[]): number[] => [...new Set(instants)].sort((a, b) => a - b);

/** The replies of a run, since its start. */
function replies(behaviour: Behaviour, kind: ProbeKind, handler: Handler): Replies {
  const readyAt = microsOf(behaviour[kind]?.readyAfter ?? behaviour.readyAfter ?? 0);
  const takes = usualLength(behaviour, kind);
  const outages = seenBy(behaviour.outages ?? [], kind, handler);
  return inOrder([0, readyAt, ...edges(outages)]).map((at) => {
    const outage = outageAt(outages, at);
    if (outage) return [at, outageReply(outage, takes)];
    return [at, { kind: at < readyAt ? 'refuse' : 'ok', status: STATUS_DEFAULT, takes }];
  });
}

/** The replies that a hook or signal brings: none before the first of `outages`, good ones between and after them. */
function repliesAfter(outages: readonly Outage[], behaviour: Behaviour, kind: ProbeKind, handler: Handler): Replies {
  const takes = usualLength(behaviour, kind);
  const own = seenBy(outages, kind, handler);
  return inOrder(edges(own)).map((at) => {
    const outage = outageAt(own, at);
    return [at, outage ? outageReply(outage, takes) : { kind: 'ok', status: STATUS_DEFAULT, takes }];
  });
}

function outageReply({ answer, status, takes }: Outage, usually: number): Reply {
  return {
    kind: answer === 'slow' ? 'ok' : answer,
    status: status ?? STATUS_DEFAULT,
    takes: takes === undefined ? usually : microsOf(takes),
  };
}
