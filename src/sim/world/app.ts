import { later, type Micros, type MicrosSpan } from '../../base/units.ts';
import type { Answer, AppRun, AppStep, HookName, Outage, ProbeKind, Serve, ServeException } from '../scenario.ts';

/** What a process answers to a probe that its script does not name. */
const DEFAULT_ANSWER: Answer = { outcome: 'success', takes: 0, message: '' };
/** What a connection meets before the app has said anything. */
const NO_LISTENER: Serve = { state: 'refuse', code: 0, takes: 0 as MicrosSpan };
/** Exit of a process without a SIGTERM handler, as the recordings have it. */
const DEFAULT_TERM = { exitAfter: 50_000 as MicrosSpan, exitCode: 143, script: [] as readonly AppStep[] };

/** A process in a container: what it answers at an instant, and when it ends by itself. */
export class AppProcess {
  private readonly run: AppRun;
  private readonly startedAt: Micros;
  private readonly outages: readonly Outage[];
  private readonly lacks: (() => Answer | null) | null;
  private terminatedAt: Micros | null = null;
  private hook: { readonly began: Micros; readonly script: readonly AppStep[] } | null = null;

  /** `lacks`: looks for peers, and says what readiness is told while there are too few. */
  constructor(run: AppRun, outages: readonly Outage[], startedAt: Micros, lacks: (() => Answer | null) | null = null) {
    this.run = run;
    this.outages = outages;
    this.lacks = lacks;
    this.startedAt = startedAt;
  }

  /** The answer that holds for a probe that starts at `t`. Readiness looks for peers where nothing else is amiss. */
  answer(kind: ProbeKind, t: Micros): Answer {
    const answer = this.scripted(kind, t);
    return (kind === 'readiness' && isGood(answer) ? this.lacks?.() : null) ?? answer;
  }

  /** Of the script since SIGTERM, since the last hook, or the run's; of an outage, if it would be a good one. */
  private scripted(kind: ProbeKind, t: Micros): Answer {
    const { terminatedAt, hook } = this;
    const afterTerm = terminatedAt === null ? undefined : lastAnswer(this.onTerm.script, kind, t - terminatedAt);
    const afterHook = hook === null ? undefined : lastAnswer(hook.script, kind, t - hook.began);
    const answer = afterTerm ?? afterHook ?? lastAnswer(this.run.script, kind, t - this.startedAt) ?? DEFAULT_ANSWER;
    return (isGood(answer) ? this.outageAt(t, ({ answers }) => answers[kind]) : undefined) ?? answer;
  }

  /** What a request for `path` of a port meets that arrives at `t`; one that no exception is about without these. */
  serve(t: Micros, port: number | null = null, path: string | null = null): Serve {
    const { terminatedAt, hook } = this;
    const afterTerm = terminatedAt === null ? undefined : lastServe(this.onTerm.script, t - terminatedAt);
    const afterHook = hook === null ? undefined : lastServe(hook.script, t - hook.began);
    const serve = afterTerm ?? afterHook ?? lastServe(this.run.script, t - this.startedAt) ?? NO_LISTENER;
    const own = serve.except?.findLast((one) => fitsRequest(one, port, path))?.serve ?? serve;
    if (own.state !== 'answer') return own;
    return (
      this.outageAt(t, (one) => (one.serve && fitsRequest(one.serve, port, path) ? one.serve.serve : undefined)) ?? own
    );
  }

  /** What the last outage that holds at `t` and says something says. */
  private outageAt<T>(t: Micros, says: (outage: Outage) => T | undefined): T | undefined {
    const saying = this.outages.findLast((one) => t >= one.from && t < one.until && says(one) !== undefined);
    return saying && says(saying);
  }

  /** When outages begin and end after `t`. */
  outageEdges(t: Micros): readonly Micros[] {
    const edges = this.outages.flatMap(({ from, until }) => [from, until]);
    return [...new Set(edges)].filter((edge) => edge > t && Number.isFinite(edge)).sort((a, b) => a - b);
  }

  /** What the probes of a step meet at `t`, outages included. */
  answersAt({ answers }: AppStep, t: Micros): AppStep['answers'] {
    if (this.outages.length === 0) return answers;
    return Object.fromEntries((Object.keys(answers) as ProbeKind[]).map((kind) => [kind, this.scripted(kind, t)]));
  }

  /** The step of the run's script that holds at `t`. */
  stepAt(t: Micros): AppStep {
    const step = this.run.script.findLast(({ at }) => at <= t - this.startedAt);
    return step ?? { at: 0 as MicrosSpan, answers: {}, serve: null, exit: null };
  }

  /** When the answer to a probe of that kind may change next by the scripts alone; Infinity when it stays, `t` when nobody knows. */
  nextChange(kind: ProbeKind, t: Micros): number {
    if (kind === 'readiness' && this.lacks) return t;
    const { terminatedAt, hook } = this;
    const from = (script: readonly AppStep[], begin: Micros | null): number =>
      begin === null ? Number.POSITIVE_INFINITY : nextStep(script, kind, t - begin) + begin;
    return Math.min(
      from(this.run.script, this.startedAt),
      from(hook?.script ?? [], hook?.began ?? null),
      from(this.onTerm.script, terminatedAt),
      ...this.outageEdges(t),
    );
  }

  /** Whether any of its scripts says what connections meet. */
  get saysServe(): boolean {
    const { script, postStart, preStop } = this.run;
    const all = [...script, ...(postStart?.script ?? []), ...(preStop?.script ?? []), ...this.onTerm.script];
    return all.some(({ serve }) => serve !== null);
  }

  /** When what a connection meets may change next by the scripts alone; Infinity when it stays. */
  nextServe(t: Micros): number {
    const { terminatedAt, hook } = this;
    const from = (script: readonly AppStep[], begin: Micros): number =>
      (script.find((step) => step.at > t - begin && step.serve !== null)?.at ?? Number.POSITIVE_INFINITY) + begin;
    return Math.min(
      from(this.run.script, this.startedAt),
      hook === null ? Number.POSITIVE_INFINITY : from(hook.script, hook.began),
      terminatedAt === null ? Number.POSITIVE_INFINITY : from(this.onTerm.script, terminatedAt),
      ...this.outageEdges(t),
    );
  }

  /** A hook begins at `t`: how it goes. */
  beginHook(hook: HookName, t: Micros): Answer {
    this.hook = { began: t, script: this.run[hook]?.script ?? [] };
    return this.run[hook]?.answer ?? DEFAULT_ANSWER;
  }

  /** The script's own end: when, and with which code. Null when it goes on for ever. */
  get scriptedExit(): { readonly at: Micros; readonly code: number } | null {
    const step = this.run.script.find((candidate) => candidate.exit !== null);
    return step ? { at: later(this.startedAt, step.at), code: step.exit as number } : null;
  }

  /** Delivers SIGTERM. Returns when the process leaves because of it, null when it ignores the signal. */
  terminate(t: Micros): { readonly at: Micros; readonly code: number } | null {
    this.terminatedAt = t;
    const { exitAfter, exitCode } = this.onTerm;
    return exitAfter === null ? null : { at: later(t, exitAfter), code: exitCode };
  }

  /** SIGTERM has been delivered. */
  get stopping(): boolean {
    return this.terminatedAt !== null;
  }

  private get onTerm(): {
    readonly exitAfter: MicrosSpan | null;
    readonly exitCode: number;
    readonly script: readonly AppStep[];
  } {
    return this.run.onTerm ?? DEFAULT_TERM;
  }
}

const isGood = ({ outcome }: Answer): boolean => outcome === 'success' || outcome === 'warning';

const lastAnswer = (script: readonly AppStep[], kind: ProbeKind, age: number): Answer | undefined =>
  script.findLast((step) => step.at <= age && step.answers[kind] !== undefined)?.answers[kind];

const lastServe = (script: readonly AppStep[], age: number): Serve | undefined =>
  script.findLast((step) => step.at <= age && step.serve !== null)?.serve ?? undefined;

const fitsRequest = (one: ServeException, port: number | null, path: string | null): boolean =>
  (one.port === null || one.port === port) && (one.path === null || (path !== null && isBelow(path, one.path)));

const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

/** Age at which the script names the probe next; Infinity when it does not any more. */
const nextStep = (script: readonly AppStep[], kind: ProbeKind, age: number): number =>
  script.find((step) => step.at > age && step.answers[kind] !== undefined)?.at ?? Number.POSITIVE_INFINITY;

/** The state of a process in words, for its band on the timeline. */
export function appState(
  run: AppRun,
  step: AppStep,
  met: AppStep['answers'],
  probed: ReadonlySet<ProbeKind>,
  seenSuccess: boolean,
): { state: string; detail: string } {
  // Without a probe of its own a container is judged by all that its script says.
  const all = Object.entries(met) as [ProbeKind, Answer][];
  const own = all.filter(([kind]) => probed.has(kind));
  const answers = probed.size > 0 ? own : all;
  const bad = answers.filter(([, answer]) => !isGood(answer) || !Number.isFinite(answer.takes));
  const detail = answers.map(([kind, answer]) => `${kind}: ${answer.message || answer.outcome}`).join(', ');
  if (bad.length === 0) return { state: 'serving', detail };
  return { state: seenSuccess || run.script[0] !== step ? 'failing' : 'starting', detail };
}
