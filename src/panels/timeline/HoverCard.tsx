import { useLayoutEffect, useRef, useState } from 'react';
import { formatDuration, formatInstant } from '../../base/format.ts';
import { causedBy } from '../../explain/causes.ts';
import { RULES } from '../../explain/rules.ts';
import { rulesOf } from '../../explain/rulesOf.ts';
import { eventText } from '../../explain/words/eventText.ts';
import type { EventRef } from '../../sim/trace/kinds.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { useEventWords, usePlayback, useStrings } from '../shared/index.ts';
import { distanceText, type Hovered } from './TimelinePanel.tsx';

/** Distance from the pointer: the card never covers its own glyph. */
const AWAY = 18;
const MOST_LINES = 3;

/** What an event is, how long it took, why, and what it led to. */
export function HoverCard({ run, hovered }: { readonly run: FinishedRun; readonly hovered: Hovered }) {
  const { card, list } = useStrings();
  const words = useEventWords();
  const playhead = usePlayback((state) => state.playhead);
  const { reader } = run;
  const event = reader.event(hovered.hit.ref);
  const [rule] = rulesOf(event);
  const armed = reader.armedBy(event.ref);
  const line = (ref: EventRef): string =>
    list.goTo(formatInstant(reader.startOf(ref), true), eventText(words, run, ref));
  const length = event.end - event.at;
  const place = usePlace(hovered);
  return (
    <div ref={place.ref} className="hover-card" role="tooltip" style={place.style}>
      <div className="card-head">
        <b>{eventText(words, run, hovered.hit.ref)}</b>
        <span>{distanceText(event.at - playhead, card)}</span>
      </div>
      <dl>
        <dt>{length > 0 ? card.took : card.at}</dt>
        <dd>
          {length > 0
            ? `${formatDuration(length)}, ${formatInstant(event.at, true)} → ${formatInstant(event.end, true)}`
            : formatInstant(event.at, true)}
        </dd>
        <Refs name={card.cause} refs={reader.causesOf(event.ref)} line={line} />
        <Refs name={card.armedBy} refs={armed === null ? [] : [armed]} line={line} />
        <Refs name={card.effect} refs={causedBy(reader, event.ref)} line={line} />
        {rule !== undefined && (
          <>
            <dt>{card.rule}</dt>
            <dd>
              {rule}, {RULES[rule].source}
            </dd>
          </>
        )}
      </dl>
      {hovered.hit.count > 1 && <p className="card-many">{card.events(hovered.hit.count)}</p>}
      <p className="card-keys">
        <kbd>Enter</kbd> <kbd>[</kbd> <kbd>]</kbd> {card.keys}
      </p>
    </div>
  );
}

function Refs({
  name,
  refs,
  line,
}: {
  readonly name: string;
  readonly refs: readonly EventRef[];
  readonly line: (ref: EventRef) => string;
}) {
  if (refs.length === 0) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {refs.slice(0, MOST_LINES).map((ref) => (
          <div key={`${ref.row}:${ref.ordinal}`}>{line(ref)}</div>
        ))}
        {refs.length > MOST_LINES && <div>+{refs.length - MOST_LINES}</div>}
      </dd>
    </>
  );
}

/** Left or right, above or below the pointer: where there is room. */
function usePlace({ x, y }: Hovered) {
  const ref = useRef<HTMLDivElement | null>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { offsetWidth: width = 0, offsetHeight: height = 0 } = ref.current ?? {};
    setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
  });
  const left = x + AWAY + size.width > window.innerWidth ? x - AWAY - size.width : x + AWAY;
  const top = y + AWAY + size.height > window.innerHeight ? y - AWAY - size.height : y + AWAY;
  return { ref, style: { left: Math.max(4, left), top: Math.max(4, top) } };
}
