import { useEffect, useMemo, useState } from 'react';
import { formatInstant } from '../../base/format.ts';
import type { Micros } from '../../base/units.ts';
import { pendingChange, type RuleLine, ruleLines } from '../../explain/rulesView.ts';
import type { EventRef } from '../../sim/trace/kinds.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { type ClusterResource, historyOf, storedKeys } from '../../sim/trace/storedObjects.ts';
import { isSilent } from '../../timeline/model/silentBackends.ts';
import { useStrings, useView } from '../shared/index.ts';
import { VersionView } from './VersionView.tsx';

interface ServiceViewProps {
  readonly run: FinishedRun;
  readonly at: Micros;
}

const KINDS: readonly (readonly [ClusterResource, string])[] = [
  ['endpointslices', 'EndpointSlice'],
  ['endpoints', 'Endpoints'],
  ['services', 'Service'],
];

/** What the control plane stores and what each kube-proxy has in force: one object at a time, as it is at the playhead. */
export function ServiceView({ run, at }: ServiceViewProps) {
  const strings = useStrings();
  const selected = useView((view) => view.selected);
  const choices = useMemo(() => choicesOf(run), [run]);
  const [chosen, setChosen] = useState('');
  useEffect(() => {
    const wanted = selected === null ? null : choiceOf(run, selected);
    if (wanted !== null) setChosen(wanted);
  }, [run, selected]);
  const current = choices.includes(chosen) ? chosen : choices[0];
  if (current === undefined) return null;
  return (
    <section className="inspector-part service-view">
      <header className="part-head">
        <h2>{strings.service.title}</h2>
        <select aria-label={strings.service.choose} value={current} onChange={(event) => setChosen(event.target.value)}>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {nameOf(choice, strings.service.rules)}
            </option>
          ))}
        </select>
      </header>
      {current.startsWith(RULES) ? (
        <Rules run={run} proxy={current.slice(RULES.length)} at={at} />
      ) : (
        <StoredObject run={run} choice={current} at={at} />
      )}
    </section>
  );
}

const RULES = 'rules/';

/** `endpointslices/default/web-abc12` and its like, then `rules/kube-proxy-node-a`. */
function choicesOf({ reader, scenario }: FinishedRun): readonly string[] {
  return [
    ...KINDS.flatMap(([resource]) => storedKeys(reader, resource).map((key) => `${resource}/${key}`)),
    ...(scenario.cluster?.proxies ?? []).map(({ name }) => `${RULES}${name}`),
  ];
}

function nameOf(choice: string, rules: (proxy: string) => string): string {
  if (choice.startsWith(RULES)) return rules(choice.slice(RULES.length));
  const [resource, ...key] = choice.split('/');
  return `${KINDS.find(([name]) => name === resource)?.[1] ?? ''} ${key.at(-1)}`;
}

/** What an event is about; null when that is none of the choices. */
function choiceOf({ reader }: FinishedRun, ref: EventRef): string | null {
  const { kind, subject } = reader.event(ref);
  if (kind === 'stored' && subject.object !== '') return subject.object;
  return kind === 'rulesChanged' || kind === 'proxySync' ? `${RULES}${subject.object}` : null;
}

function StoredObject({ run, choice, at }: ServiceViewProps & { readonly choice: string }) {
  const [resource = '', ...rest] = choice.split('/');
  const kind = KINDS.find(([name]) => name === resource);
  if (kind === undefined) return null;
  const key = rest.join('/');
  const last = historyOf(run.reader, kind[0], key).findLast((version) => version.at <= at);
  return (
    <VersionView
      run={run}
      objectKey={`api/${kind[1]}/${key}`}
      label={`${kind[1]} ${key}`}
      at={at}
      isThere={last !== undefined && last.object !== null}
    />
  );
}

function Rules({ run: { reader }, proxy, at }: ServiceViewProps & { readonly proxy: string }) {
  const strings = useStrings();
  const lines = ruleLines(reader, proxy, at);
  const pending = pendingChange(reader, proxy, at);
  return (
    <div className="rules">
      {pending !== null && (
        <p className="rules-pending">
          {strings.service.pending(formatInstant(pending.since), formatInstant(pending.until))}
        </p>
      )}
      {lines.length === 0 && <p className="quiet">{strings.service.noRules}</p>}
      {lines.map((line) => (
        <Rule
          key={`${line.service} ${line.frontend} ${line.kind}`}
          line={line}
          isSilent={(backend) => isSilent(reader, backend, at)}
        />
      ))}
    </div>
  );
}

interface RuleProps {
  readonly line: RuleLine;
  readonly isSilent: (backend: string) => boolean;
}

function Rule({ line, isSilent: silent }: RuleProps) {
  const { service, frontend, kind, affinitySeconds, sourceRanges, fromNode } = line;
  const strings = useStrings();
  return (
    <div className="rule-frontend">
      <p>
        <b>{service.slice(service.indexOf('/') + 1)}</b> <code>{frontend}</code> <span className="quiet">{kind}</span>
        {affinitySeconds !== null && <span className="quiet"> · {strings.service.affinity(affinitySeconds)}</span>}
        {sourceRanges.length > 0 && <span className="quiet"> · {strings.service.ranges(sourceRanges.join(', '))}</span>}
      </p>
      <RuleTarget target={line} isSilent={silent} />
      {fromNode !== null && (
        <>
          <p className="quiet">{strings.service.fromNode(fromNode.andItsPods)}</p>
          <RuleTarget target={fromNode} isSilent={silent} />
        </>
      )}
    </div>
  );
}

interface RuleTargetProps {
  readonly target: Pick<RuleLine, 'verdict' | 'backends'>;
  readonly isSilent: (backend: string) => boolean;
}

/** Where connections go, each backend with its chance; or what they meet instead. */
function RuleTarget({ target: { verdict, backends }, isSilent: silent }: RuleTargetProps) {
  const strings = useStrings();
  if (backends.length === 0) return <p className="fail">{strings.service.verdict[verdict] ?? verdict}</p>;
  return (
    <>
      <table className="facts">
        <tbody>
          {backends.slice(0, MOST_SHOWN).map(({ address, pod, chance }) => (
            <tr key={address} className={silent(address) ? 'silent' : ''}>
              <th scope="row">
                <code>{address}</code>
              </th>
              <td>
                {pod}
                {silent(address) && <b> {strings.service.silent}</b>}
              </td>
              <td className="chance">{percent(chance)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {backends.length > MOST_SHOWN && <p className="quiet">{strings.moreIssues(backends.length - MOST_SHOWN)}</p>}
    </>
  );
}
const MOST_SHOWN = 20;
const percent = (share: number): string => `${Math.round(share * 1000) / 10}\u202f%`;
