import { Copy } from 'lucide-react';
import type { Strings } from '../../app/strings/en.ts';
import { formatInstant } from '../../base/format.ts';
import type { Micros } from '../../base/units.ts';
import type { Answer } from '../../explain/answer.ts';
import { readySince } from '../../explain/readySince.ts';
import type { PodState, WorkerState } from '../../explain/stateAt.ts';
import { conditionOf } from '../../sim/trace/podObject.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { StateIcon, type StateIconKind } from '../../ui/icons.tsx';
import { useStrings, useWords } from '../shared/index.ts';

interface Row {
  readonly key: string;
  readonly name: string;
  readonly kind: StateIconKind;
  readonly value: string;
  readonly since: Micros | null;
  /** Ready depends on it; of a liveness probe it does not. */
  readonly matters: boolean;
  /** Proves it in a real cluster. */
  readonly command: string | null;
}

/** From the app outwards: who says yes, and which is the first that does not. */
export function WhoSees({
  run,
  state,
  answer,
}: {
  readonly run: FinishedRun;
  readonly state: PodState;
  readonly answer: Answer;
}) {
  const strings = useStrings();
  const words = useWords();
  const rows = rowsOf(run, state, answer, strings, words.state);
  const missing =
    answer.verdict === 'ready' ? null : (rows.find(({ kind, matters }) => matters && kind !== 'yes') ?? null);
  return (
    <section className="inspector-part">
      <header className="part-head">
        <h2>{strings.who.title(state.pod.name)}</h2>
        <span className="quiet">{strings.who.since}</span>
      </header>
      <ul className="who">
        {rows.map((row) => (
          <li key={row.key} className={row === missing ? 'missing' : ''}>
            <StateIcon kind={row.kind} label={strings.who[row.kind]} />
            <span className="who-name">{row.name}</span>
            <span className={`who-value ${row.kind}`}>{row.value}</span>
            <span className="who-since">{row.since === null ? '' : formatInstant(row.since)}</span>
          </li>
        ))}
      </ul>
      {missing?.command && <Proof command={missing.command} />}
    </section>
  );
}

function Proof({ command }: { readonly command: string }) {
  const strings = useStrings();
  return (
    <>
      <p className="proof-lead">
        <b>{strings.who.missing}</b> {strings.who.prove}
      </p>
      <div className="proof">
        <code>{command}</code>
        <button
          type="button"
          className="button icon ghost"
          aria-label={strings.copyLink}
          onClick={() => void navigator.clipboard.writeText(command)}
        >
          <Copy size={12} aria-hidden="true" />
        </button>
      </div>
    </>
  );
}

function rowsOf(
  run: FinishedRun,
  state: PodState,
  answer: Answer,
  strings: Strings,
  word: (state: string) => string,
): readonly Row[] {
  const { pod, kubelet, api } = state;
  const kubectl = (rest: string): string => `kubectl ${rest} -n ${pod.namespace}`;
  const many = pod.containers.length > 1;
  const named = (name: string, container: string): string => (many ? `${name} · ${container}` : name);
  const kubeletReady = kubelet !== null && conditionOf(kubelet.status, 'Ready')?.status === 'True';
  const ready = api === null ? null : conditionOf(api.status, 'Ready');
  return [
    ...state.apps.map(
      (app): Row => ({
        key: `app/${app.container}`,
        name: named(strings.who.app, app.container),
        kind: app.state === 'serving' ? 'yes' : app.state === 'waiting' ? 'unknown' : 'no',
        value: word(app.state),
        since: app.since,
        matters: true,
        command: kubectl(`logs ${pod.name} -c ${app.container}`),
      }),
    ),
    ...state.workers.map((worker): Row => workerRow(worker, strings, named, kubectl(`describe pod ${pod.name}`))),
    {
      key: 'kubelet',
      name: strings.who.kubelet,
      kind: kubelet === null ? 'unknown' : kubeletReady ? 'yes' : 'no',
      value: kubelet === null ? strings.who.nothing : strings.who.versionReady(kubelet.version, kubeletReady),
      since: kubelet?.since ?? null,
      matters: true,
      command: kubectl(`get pod ${pod.name} -o wide`),
    },
    {
      key: 'api',
      name: strings.who.api,
      kind: answer.verdict === 'ready' ? 'yes' : answer.verdict === 'absent' ? 'unknown' : 'no',
      value: ready?.status ?? strings.who.nothing,
      since: readySince(run, pod, state.at),
      matters: true,
      command: kubectl(`get pod ${pod.name} -o jsonpath='{.status.conditions}'`),
    },
  ];
}

function workerRow(
  { container, probe, result }: WorkerState,
  { who, result: words }: Strings,
  named: (name: string, container: string) => string,
  command: string,
): Row {
  const value = result?.value ?? '';
  return {
    key: `${container}/${probe}`,
    name: named(who.worker[probe] ?? probe, container),
    kind: value === 'success' ? 'yes' : value === 'failure' ? 'no' : 'unknown',
    value: words[value] ?? who.noResult,
    since: result?.since ?? null,
    matters: probe !== 'liveness',
    command,
  };
}
