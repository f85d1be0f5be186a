import { X } from 'lucide-react';
import { formatDuration, formatInstant } from '../../base/format.ts';
import { causedBy } from '../../explain/causes.ts';
import { RULES } from '../../explain/rules.ts';
import { rulesOf } from '../../explain/rulesOf.ts';
import { changesOf } from '../../explain/versionChanges.ts';
import { eventText } from '../../explain/words/eventText.ts';
import type { EventRef } from '../../sim/trace/kinds.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { select, useEventWords, useStores, useStrings, useView } from '../shared/index.ts';
import { SentLine } from './SentLine.tsx';

/** The selected event: what it is, its neighbours in the graph of causes, and the rule in words. */
export function SelectedEvent({ run, selected }: { readonly run: FinishedRun; readonly selected: EventRef }) {
  const stores = useStores();
  const strings = useStrings();
  const words = useEventWords();
  const language = useView((view) => view.language);
  const { reader } = run;
  const event = reader.event(selected);
  const armed = reader.armedBy(selected);
  const length = event.end - event.at;
  return (
    <section className="inspector-part selected-event">
      <header className="part-head">
        <h2>{strings.selectedEvent}</h2>
        <button
          type="button"
          className="button icon ghost"
          aria-label={strings.deselect}
          title={strings.deselect}
          onClick={() => select(stores, null)}
        >
          <X size={14} aria-hidden="true" />
        </button>
      </header>
      <p className="event-phrase">{eventText(words, run, selected)}</p>
      <p className="quiet">
        {formatInstant(event.at, true)}
        {length > 0 && ` · ${formatDuration(length)}`}
      </p>
      {event.kind === 'statusSet' && <SentLine reader={reader} set={event} />}
      <Neighbours run={run} title={strings.causes} refs={reader.causesOf(selected)} />
      <Neighbours run={run} title={strings.armed} refs={armed === null ? [] : [armed]} />
      <Neighbours run={run} title={strings.effects} refs={causedBy(reader, selected)} />
      {rulesOf(event).map((number) => (
        <div key={number} className="rule">
          <p>{RULES[number].text[language]}</p>
          <p className="rule-source">
            <b>{number}</b> {RULES[number].source}, {RULES[number].symbol}
          </p>
        </div>
      ))}
      {changesOf(event, run.scenario.kubernetes).map(({ since, reference, text, isMissing }) => (
        <div key={`${since} ${reference}`} className="rule">
          <p>{text[language]}</p>
          <p className="rule-source">
            <b>{isMissing ? strings.notYet(`1.${since}`) : strings.sinceVersion(`1.${since}`)}</b> {reference}
          </p>
        </div>
      ))}
    </section>
  );
}

interface NeighboursProps {
  readonly run: FinishedRun;
  readonly title: string;
  readonly refs: readonly EventRef[];
}

function Neighbours({ run, title, refs }: NeighboursProps) {
  const stores = useStores();
  const words = useEventWords();
  if (refs.length === 0) return null;
  return (
    <div className="neighbours">
      <h3>{title}</h3>
      <ul>
        {refs.map((ref) => (
          <li key={`${ref.row}:${ref.ordinal}`}>
            <button type="button" className="link" onClick={() => select(stores, ref)}>
              <span className="neighbour-time">{formatInstant(run.reader.startOf(ref), true)}</span>
              {eventText(words, run, ref)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
