import { type MicrosSpan, microsSpan, milliseconds } from '../../base/units.ts';
import {
  type Answer,
  type AppRun,
  type AppStep,
  type AppTerm,
  type ContainerInput,
  PROBE_KINDS,
  type ProbeSpec,
  type Serve,
} from '../../sim/scenario.ts';
import type { ScriptStep } from './world.ts';

const ANSWERED: Serve = { state: 'answer', code: 200, takes: microsSpan(200) };
const REFUSED: Serve = { state: 'refuse', code: 0, takes: microsSpan(0) };
/** A process that nothing keeps leaves so soon after SIGTERM, µs. */
const LEAVES_AFTER = milliseconds(2);

/** A run of the app: its script, `serve:MS`, `close:MS` or `ignore`, and the numbers of the ports that it opens. */
export interface ScriptedRun {
  readonly script: readonly ScriptStep[];
  readonly onSigterm: string | undefined;
  readonly ports: readonly string[];
}

/** What the app's script has brought about. */
interface AppState {
  readonly ports: readonly string[];
  readonly isListening: boolean;
  readonly paths: ReadonlyMap<string, { readonly code: number; readonly delay: number }>;
  readonly files: ReadonlySet<string>;
  readonly health: string;
}

/**
 * A run of the recordings' app. `listensAfter`: µs from the start of the container to the open port.
 * Its answers take what the script says; what probes take beside that is
 * drawn (`answers.ts`).
 */
export function appRunOf(
  { script, onSigterm, ports }: ScriptedRun,
  listensAfter: MicrosSpan,
  probes: ContainerInput['probes'],
): AppRun {
  const opensLater = script.find(({ listen }) => listen !== undefined)?.listen === true;
  let state: AppState = { isListening: !opensLater, ports, paths: new Map(), files: new Set(), health: 'SERVING' };
  const steps: AppStep[] = [{ ...stepOf({ ...state, isListening: false }, probes), at: microsSpan(0) }];
  const begun = script.filter(({ at }) => milliseconds(at) <= listensAfter);
  for (const step of begun) state = after(state, step);
  steps.push({ ...stepOf(state, probes), at: listensAfter });
  for (const step of script.filter((one) => !begun.includes(one))) {
    state = after(state, step);
    steps.push({ ...stepOf(state, probes), at: milliseconds(step.at), exit: step.exit ?? null });
  }
  return { script: steps, postStart: null, preStop: null, onTerm: termOf(onSigterm, state, probes) };
}

const after = (
  state: AppState,
  { listen, path, code = 200, delay = 0, file, present = true, grpc }: ScriptStep,
): AppState => {
  const files = new Set(state.files);
  if (file && present) files.add(file);
  else if (file) files.delete(file);
  return {
    ports: state.ports,
    isListening: listen ?? state.isListening,
    paths: path ? new Map([...state.paths, [path, { code, delay }]]) : state.paths,
    files,
    health: grpc ?? state.health,
  };
};

function stepOf(state: AppState, probes: ContainerInput['probes']): Omit<AppStep, 'at'> {
  const answers = PROBE_KINDS.flatMap((kind) => {
    const probe = probes[kind];
    return probe ? [[kind, answerOf(state, probe)]] : [];
  });
  return { answers: Object.fromEntries(answers), serve: state.isListening ? ANSWERED : REFUSED, exit: null };
}

const answer = (isGood: boolean, takes: number, message = ''): Answer => ({
  outcome: isGood ? 'success' : 'failure',
  takes,
  message,
});

function answerOf(state: AppState, { handler: { type, target } }: ProbeSpec): Answer {
  if (type === 'exec') return execAnswer(target, state.files);
  const port = /^:([^/]*)/.exec(target)?.[1] ?? '';
  // A name that no port of the container has.
  if (!/^\d+$/.test(port)) return { outcome: 'error', takes: 0, message: port };
  // A gRPC client tries until its time is over.
  if (!state.isListening || !state.ports.includes(port))
    return answer(false, type === 'grpc' ? Number.POSITIVE_INFINITY : 0, 'refused');
  if (type === 'grpc') return answer(state.health === 'SERVING', 0, state.health);
  if (type === 'tcpSocket') return answer(true, 0);
  const { code, delay } = state.paths.get(pathIn(target)) ?? { code: 200, delay: 0 };
  return answer(code >= 200 && code < 400, milliseconds(delay), `status code ${code}`);
}

const pathIn = (target: string): string => /\/[^?]*/.exec(target)?.[0] ?? '/';

/** `if test -f FILE; then sleep N; fi` is slow while the file is there; any other that names one needs it, or needs it gone with a `!`. */
function execAnswer(command: string, files: ReadonlySet<string>): Answer {
  const file = /\/[\w./-]+/.exec(command.replace(/^\/\S+/, ''))?.[0];
  const isMet = file === undefined || files.has(file) !== /(^|\s)! /.test(command);
  const sleep = /sleep (\d+(?:\.\d+)?)/.exec(command)?.[1];
  if (sleep !== undefined) return answer(true, isMet ? Math.round(Number(sleep) * 1_000_000) : 0);
  return answer(isMet, 0);
}

function termOf(onSigterm: string | undefined, state: AppState, probes: ContainerInput['probes']): AppTerm {
  const [does = '', ms = '0'] = (onSigterm ?? '').split(':');
  if (does === 'ignore') return { exitAfter: null, exitCode: 0, script: [] };
  if (does === '') return { exitAfter: LEAVES_AFTER, exitCode: 0, script: [] };
  const closed: AppStep = { ...stepOf({ ...state, isListening: false }, probes), at: microsSpan(0) };
  return { exitAfter: milliseconds(Number(ms)), exitCode: 0, script: does === 'close' ? [closed] : [] };
}
