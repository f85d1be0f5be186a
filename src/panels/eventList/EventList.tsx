import { useEffect, useRef, useState } from 'react';
import { formatInstant } from '../../base/format.ts';
import type { Micros } from '../../base/units.ts';
import { causedBy, isSameEvent } from '../../explain/causes.ts';
import { eventText } from '../../explain/words/eventText.ts';
import type { EventRef } from '../../sim/trace/kinds.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { PHONE, useMedia } from '../../ui/useMedia.ts';
import {
  indexAt,
  orderOf,
  select,
  useEventWords,
  usePlayback,
  useStores,
  useStrings,
  useView,
} from '../shared/index.ts';

/** Height of a row, px; on a phone a finger has to hit it. */
const ROW = 30;
const PHONE_ROW = 44;
/** Rows beyond the view, so that a screen reader and a fast wheel find some. */
const SPARE = 8;

/** The run without lanes: one row an event, in order, its cause and effect as links. Only rows near the view are in the page. */
export function EventList({ run }: { readonly run: FinishedRun }) {
  const row = useMedia(PHONE) ? PHONE_ROW : ROW;
  const strings = useStrings();
  const selected = useView((view) => view.selected);
  const box = useRef<HTMLDivElement | null>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const refs = orderOf(run);
  const playhead = usePlayback((state) => state.playhead);
  const now = indexAt(run, playhead as Micros);
  const chosen = selected === null ? -1 : refs.findIndex((ref) => isSameEvent(ref, selected));
  const index = chosen < 0 ? now : chosen;

  useEffect(() => {
    const element = box.current;
    if (element === null || index < 0) return;
    const top = index * row;
    if (top < element.scrollTop || top + row > element.scrollTop + element.clientHeight) {
      element.scrollTop = top - element.clientHeight / 2;
    }
  }, [index, row]);
  useEffect(() => {
    const element = box.current;
    if (element !== null) setView({ top: element.scrollTop, height: element.clientHeight });
  }, []);

  const first = Math.max(0, Math.floor(view.top / row) - SPARE);
  const last = Math.min(refs.length, Math.ceil((view.top + view.height) / row) + SPARE);
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
        <ol style={{ height: refs.length * row }} start={first + 1}>
          {refs.slice(first, last).map((ref, i) => (
            <EventRow
              key={`${ref.row}:${ref.ordinal}`}
              run={run}
              reference={ref}
              position={first + i}
              count={refs.length}
              height={row}
              isSelected={first + i === chosen}
              isNow={first + i === now}
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
  /** px. */
  readonly height: number;
  readonly isSelected: boolean;
  /** The last one at or before the playhead. */
  readonly isNow: boolean;
}

function EventRow({ run, reference, position, count, height, isSelected, isNow }: EventRowProps) {
  const stores = useStores();
  const { list } = useStrings();
  const words = useEventWords();
  const { reader } = run;
  const event = reader.event(reference);
  const [cause] = reader.causesOf(reference);
  const [effect] = causedBy(reader, reference);
  const link = (name: string, ref: EventRef | undefined) =>
    ref !== undefined && (
      <button
        type="button"
        className="link"
        aria-label={`${name}: ${list.goTo(formatInstant(reader.startOf(ref), true), eventText(words, run, ref))}`}
        onClick={() => select(stores, ref)}
      >
        {name}
      </button>
    );
  return (
    <li
      className={`${isSelected ? 'selected' : ''}${isNow ? ' now' : ''}`}
      style={{ top: position * height, height }}
      aria-setsize={count}
      aria-posinset={position + 1}
      aria-current={isSelected ? 'true' : undefined}
    >
      <button type="button" className="list-event" onClick={() => select(stores, reference)}>
        <span className="list-time">{formatInstant(event.at, true)}</span>
        <span className="list-what">{eventText(words, run, reference)}</span>
      </button>
      {link(list.cause, cause)}
      {link(list.effect, effect)}
    </li>
  );
}
