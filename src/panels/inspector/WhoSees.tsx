import type { Strings } from '../../app/strings/en.ts';
import { formatInstant } from '../../base/format.ts';
import { isInTheWay } from '../../explain/answer.ts';
import { LINK_OF } from '../../explain/links.ts';
import { nodeTroubleAt } from '../../explain/nodeReach.ts';
import { proofOf } from '../../explain/proof.ts';
import type { PodState } from '../../explain/stateAt.ts';
import { firstMissing, lastToLetGo, type Party, whoSees } from '../../explain/whoSees.ts';
import { conditionOf } from '../../sim/trace/podObject.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { StateIcon } from '../../ui/icons.tsx';
import { CopyButton, useStrings, useWords } from '../shared/index.ts';

/** From the app outwards: who says yes, and which is the first that does not. */
export function WhoSees({ run, state }: { readonly run: FinishedRun; readonly state: PodState }) {
  const strings = useStrings();
  const words = useWords();
  const parties = whoSees(run, state);
  const holding = lastToLetGo(parties, state);
  const missing = holding ?? firstMissing(parties);
  const many = state.apps.length > 1;
  const services = new Set(parties.flatMap(({ service }) => (service === '' ? [] : [service])));
  return (
    <section className="inspector-part">
      <header className="part-head">
        <h2>{strings.who.title(state.pod.name)}</h2>
        <span className="quiet">{strings.who.since}</span>
      </header>
      <ul className="who">
        {parties.map((party) => (
          <li key={keyOf(party)} className={party === missing ? 'missing' : ''}>
            <StateIcon kind={party.says} label={strings.who[party.says]} />
            <span className="who-name">
              {nameOf(party, strings)}
              {many && party.container !== '' && <small>{party.container}</small>}
              {services.size > 1 && party.service !== '' && <small>{party.service}</small>}
            </span>
            <span className={`who-value ${party.says}`}>{valueText(party, strings, words.state)}</span>
            <span className="who-since">{party.since === null ? '' : formatInstant(party.since)}</span>
          </li>
        ))}
      </ul>
      {missing !== null && (
        <Proof
          lead={holding === null ? strings.who.missing : strings.who.lastToLetGo}
          command={proofFor(run, missing, state, holding === null)}
        />
      )}
    </section>
  );
}

const keyOf = ({ kind, container, service, probe }: Party): string => `${kind}/${container}/${service}/${probe}`;

const nameOf = ({ kind, probe }: Party, { who }: Strings): string =>
  kind === 'worker' ? (who.worker[probe ?? ''] ?? '') : who[kind];

function valueText({ kind, says, value }: Party, { who, result }: Strings, state: (word: string) => string): string {
  switch (kind) {
    case 'app':
      return state(value);
    case 'worker':
      return result[value] ?? who.noResult;
    case 'kubelet':
      return value === '' ? who.nothing : who.versionReady(value, says === 'yes');
    case 'api':
      return value === '' ? who.nothing : value.replace('deleted', who.deleted);
    case 'slice':
      return state(value);
    case 'rules':
      return who.nodes(value);
    case 'request':
      return who.outcome[value] ?? value;
  }
}

/**
 * A command that shows in a cluster what this party says; of rules, as the first proxy writes them. What a gate holds
 * back is the kubelet's word, but its log would prove nothing.
 */
function proofFor(
  run: FinishedRun,
  { kind, container, value, service }: Party,
  state: PodState,
  isMissing: boolean,
): string {
  const { scenario } = run;
  const { pod, kubelet, apps, at } = state;
  const mode = scenario.cluster?.proxies[0]?.mode ?? 'iptables';
  const isGate = kind === 'kubelet' && kubelet !== null && conditionOf(kubelet.status, 'Ready')?.reason === GATES;
  const trouble = nodeTroubleAt(scenario, pod.node, at);
  const isNode = isMissing && trouble !== null && isInTheWay(trouble, apps);
  const link = isMissing && state.api === null ? 'exists' : isNode ? 'node' : isGate ? 'gate' : LINK_OF[kind][0];
  return proofOf(link, { pod, service, container, value, node: '', mode, selector: null });
}
const GATES = 'ReadinessGatesNotReady';

function Proof({ lead, command }: { readonly lead: string; readonly command: string }) {
  const strings = useStrings();
  return (
    <>
      <p className="proof-lead">
        <b>{lead}</b> {strings.who.prove}
      </p>
      <div className="proof">
        <code>{command}</code>
        <CopyButton label={strings.copyCommand} text={() => command} />
      </div>
    </>
  );
}
