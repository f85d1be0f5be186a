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

/** How long an answer takes beside what the script says, µs: medians from probe to result in the recordings. */
const TAKES = { httpGet: 900, tcpSocket: 300, grpc: 1_500, exec: 2_500, refused: 400 } as const;
const ANSWERED: Serve = { state: 'answer', code: 200, takes: microsSpan(200) };
const REFUSED: Serve = { state: 'refuse', code: 0, takes: microsSpan(0) };
/** A process that nothing keeps leaves so soon after SIGTERM, µs. */
const LEAVES_AFTER = milliseconds(2);

/** What the app's script has brought about. */
interface AppState {
  readonly isListening: boolean;
  readonly paths: ReadonlyMap<string, { readonly code: number; readonly delay: number }>;
  readonly files: ReadonlySet<string>;
  readonly health: string;
}

/**
 * A run of the recordings' app. `listensAfter`: µs from the start of the container to the open port.
 * `onSigterm`: `serve:MS`, `close:MS` or `ignore`.
 */
export function appRunOf(
  script: readonly ScriptStep[],
  onSigterm: string | undefined,
  listensAfter: MicrosSpan,
  probes: ContainerInput['probes'],
): AppRun {
  const opensLater = script.find(({ listen }) => listen !== undefined)?.listen === true;
  let state: AppState = { isListening: !opensLater, paths: new Map(), files: new Set(), health: 'SERVING' };
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
  // A gRPC client tries until its time is over.
  if (!state.isListening) return answer(false, type === 'grpc' ? Number.POSITIVE_INFINITY : TAKES.refused, 'refused');
  if (type === 'grpc') return answer(state.health === 'SERVING', TAKES.grpc, state.health);
  if (type === 'tcpSocket') return answer(true, TAKES.tcpSocket);
  const { code, delay } = state.paths.get(target.slice(target.indexOf('/'))) ?? { code: 200, delay: 0 };
  return answer(code >= 200 && code < 400, TAKES.httpGet + milliseconds(delay), `status code ${code}`);
}

/** `if test -f FILE; then sleep N; fi` is slow while the file is there; any other command that names a file needs it. */
function execAnswer(command: string, files: ReadonlySet<string>): Answer {
  const file = /\/[\w./-]+/.exec(command.replace(/^\/\S+/, ''))?.[0];
  const isThere = file !== undefined && files.has(file);
  const sleep = /sleep (\d+)/.exec(command)?.[1];
  if (sleep !== undefined) return answer(true, TAKES.exec + (isThere ? Number(sleep) * 1_000_000 : 0));
  return answer(file === undefined || isThere, TAKES.exec);
}

function termOf(onSigterm: string | undefined, state: AppState, probes: ContainerInput['probes']): AppTerm {
  const [does = '', ms = '0'] = (onSigterm ?? '').split(':');
  if (does === 'ignore') return { exitAfter: null, exitCode: 0, script: [] };
  if (does === '') return { exitAfter: LEAVES_AFTER, exitCode: 0, script: [] };
  const closed: AppStep = { ...stepOf({ ...state, isListening: false }, probes), at: microsSpan(0) };
  return { exitAfter: milliseconds(Number(ms)), exitCode: 0, script: does === 'close' ? [closed] : [] };
}
