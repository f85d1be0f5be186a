import { useEffect, useRef, useState } from 'react';
import { formatInstant } from '../../base/format.ts';
import { causedBy } from '../../explain/causes.ts';
import type { EventRef } from '../../sim/trace/kinds.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { orderOf, select, useStores, useStrings, useView, useWords } from '../shared/index.ts';

const ROW = 30;
/** Rows beyond the view, so that a screen reader and a fast wheel find some. */
const SPARE = 8;

/** The run without lanes: one row an event, in order, its cause and effect as links. Only rows near the view are in the page. */
export function EventList({ run }: { readonly run: FinishedRun }) {
  const strings = useStrings();
  const selected = useView((view) => view.selected);
  const box = useRef<HTMLDivElement | null>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const refs = orderOf(run);
  const index = selected === null ? -1 : refs.findIndex((ref) => isSame(ref, selected));

  useEffect(() => {
    const element = box.current;
    if (element === null || index < 0) return;
    const top = index * ROW;
    if (top < element.scrollTop || top + ROW > element.scrollTop + element.clientHeight) {
      element.scrollTop = top - element.clientHeight / 2;
    }
  }, [index]);
  useEffect(() => {
    const element = box.current;
    if (element !== null) setView({ top: element.scrollTop, height: element.clientHeight });
  }, []);

  const first = Math.max(0, Math.floor(view.top / ROW) - SPARE);
  const last = Math.min(refs.length, Math.ceil((view.top + view.height) / ROW) + SPARE);
  const onScroll = (): void => {
    const element = box.current;
    if (element !== null) setView({ top: element.scrollTop, height: element.clientHeight });
  };
  return (
    <div className="event-list">
      <p className="list-head">
        {strings.list.title} · {strings.list.all(refs.length)}
      </p>
      <section
        ref={box}
        className="list-scroll"
        onScroll={onScroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={strings.list.title}
      >
        <ol style={{ height: refs.length * ROW }} start={first + 1}>
          {refs.slice(first, last).map((ref, i) => (
            <EventRow
              key={`${ref.row}:${ref.ordinal}`}
              run={run}
              reference={ref}
              position={first + i}
              count={refs.length}
              isSelected={first + i === index}
            />
          ))}
        </ol>
      </section>
    </div>
  );
}

interface EventRowProps {
  readonly run: FinishedRun;
  readonly reference: EventRef;
  readonly position: number;
  readonly count: number;
  readonly isSelected: boolean;
}

function EventRow({ run: { reader }, reference, position, count, isSelected }: EventRowProps) {
  const stores = useStores();
  const { list } = useStrings();
  const words = useWords();
  const event = reader.event(reference);
  const [cause] = reader.causesOf(reference);
  const [effect] = causedBy(reader, reference);
  const link = (name: string, ref: EventRef | undefined) =>
    ref !== undefined && (
      <button
        type="button"
        className="link"
        aria-label={`${name}: ${list.goTo(formatInstant(reader.startOf(ref), true), words.event(reader.event(ref)))}`}
        onClick={() => select(stores, ref)}
      >
        {name}
      </button>
    );
  return (
    <li
      className={isSelected ? 'selected' : ''}
      style={{ top: position * ROW, height: ROW }}
      aria-setsize={count}
      aria-posinset={position + 1}
      aria-current={isSelected ? 'true' : undefined}
    >
      <button type="button" className="list-event" onClick={() => select(stores, reference)}>
        <span className="list-time">{formatInstant(event.at, true)}</span>
        <span className="list-what">{words.event(event)}</span>
      </button>
      {link(list.cause, cause)}
      {link(list.effect, effect)}
    </li>
  );
}

const isSame = (a: EventRef, b: EventRef): boolean => a.row === b.row && a.ordinal === b.ordinal;
