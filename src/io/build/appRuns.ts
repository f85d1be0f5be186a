import { MICROS_PER_MS, MICROS_PER_SECOND, microsSpan, seconds } from '../../base/units.ts';
import {
  type Answer,
  type AppRun,
  type AppStep,
  type AppTerm,
  PROBE_KINDS,
  type ProbeKind,
} from '../../sim/scenario.ts';
import type { Handler, WorkloadContainer } from '../manifest/workload.ts';
import type { App, Behaviour, Outage } from '../schema/app.ts';
import type { Setting } from '../settings.ts';
import { answerOf, type Reply } from './answers.ts';

/** What the settings say about one container. */
export interface AppSettings {
  /** s */
  readonly readyAfter: Setting;
  /** ms */
  readonly answersIn: Setting;
  /** Of each probe, s. */
  readonly timeoutSeconds: Readonly<Record<ProbeKind, number>>;
}

/** Answers of the probes that a container does not have decide nothing, but tell the app's own lane what it does. */
const NO_PROBE: Handler = { type: 'httpGet', target: ':80/', unknownPort: null };
const STATUS_DEFAULT = 503;
/** A process without a handler for SIGTERM (as AppRun.onTerm null). */
const TERM_DEFAULT = { exitAfter: 0.05, exitCode: 143 };

/** The runs of a container, one for each start. `app` is null when the scenario says nothing about it. */
export function appRuns(app: App | null, container: WorkloadContainer, settings: AppSettings): AppRun[] {
  const runs: readonly Behaviour[] = app?.runs ?? [{}];
  return runs.map((run) => {
    const behaviour = withSliders({ ...app, ...run }, settings);
    return {
      script: script(behaviour, container, settings),
      preStop: null,
      onTerm: behaviour.onTerm ? onTerm(behaviour.onTerm) : null,
    };
  });
}

/** A slider counts for every run; what the text gives is in the behaviour already. */
function withSliders(behaviour: Behaviour, { readyAfter, answersIn }: AppSettings): Behaviour {
  const changed = { ...behaviour };
  if (readyAfter.from === 'slider' && readyAfter.value !== null) changed.readyAfter = readyAfter.value;
  if (answersIn.from === 'slider' && answersIn.value !== null) changed.answersIn = answersIn.value / 1000;
  return changed;
}

function onTerm({ exitAfter, exitCode, ignore }: NonNullable<Behaviour['onTerm']>): AppTerm {
  return {
    exitAfter: ignore ? null : seconds(exitAfter ?? TERM_DEFAULT.exitAfter),
    exitCode: exitCode ?? TERM_DEFAULT.exitCode,
    script: [],
  };
}

/** Steps in order of time, each with the answers that change there. */
function script(behaviour: Behaviour, container: WorkloadContainer, settings: AppSettings): AppStep[] {
  const exitAt = behaviour.exit ? Math.round(behaviour.exit.at * MICROS_PER_SECOND) : Number.POSITIVE_INFINITY;
  const steps = new Map<number, Partial<Record<ProbeKind, Answer>>>();
  for (const kind of PROBE_KINDS) {
    const handler = container.probes[kind] ?? NO_PROBE;
    for (const [at, reply] of replies(behaviour, kind)) {
      if (at >= exitAt) continue;
      const answers = steps.get(at) ?? {};
      answers[kind] = answerOf(reply, handler, settings.timeoutSeconds[kind]);
      steps.set(at, answers);
    }
  }
  const inOrder = [...steps].sort(([a], [b]) => a - b);
  const ordered: AppStep[] = inOrder.map(([at, answers]) => ({ at: microsSpan(at), answers, exit: null }));
  if (behaviour.exit) ordered.push({ at: microsSpan(exitAt), answers: {}, exit: behaviour.exit.code ?? 0 });
  return ordered;
}

/** When the reply to one probe changes: [µs since the start, the reply from then on]. */
function replies(behaviour: Behaviour, kind: ProbeKind): [number, Reply][] {
  const us = (value: number): number => Math.round(value * MICROS_PER_SECOND);
  const readyAt = us(behaviour[kind]?.readyAfter ?? behaviour.readyAfter ?? 0);
  const takes = us(behaviour[kind]?.answersIn ?? behaviour.answersIn ?? 1 / MICROS_PER_MS);
  const outages = (behaviour.outages ?? []).filter(({ probes }) => !probes || probes.includes(kind));
  const changes = [0, readyAt, ...outages.flatMap(({ from, to }) => [us(from), ...(to === undefined ? [] : [us(to)])])];
  const replyAt = (at: number): Reply => {
    const outage = outages.findLast(({ from, to }) => us(from) <= at && (to === undefined || at < us(to)));
    if (outage) return outageReply(outage, takes);
    return { kind: at < readyAt ? 'refuse' : 'ok', status: STATUS_DEFAULT, takes };
  };
  return [...new Set(changes)].sort((a, b) => a - b).map((at) => [at, replyAt(at)]);
}

function outageReply({ answer, status, takes }: Outage, usually: number): Reply {
  return {
    kind: answer === 'slow' ? 'ok' : answer,
    status: status ?? STATUS_DEFAULT,
    takes: takes === undefined ? usually : Math.round(takes * MICROS_PER_SECOND),
  };
}
