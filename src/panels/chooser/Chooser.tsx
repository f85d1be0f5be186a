import { type KeyboardEvent, useEffect, useRef } from 'react';
import { formatInstant } from '../../base/format.ts';
import { eventText } from '../../explain/words/eventText.ts';
import type { Choice } from '../../state/viewStore.ts';
import { select, useEventWords, useScenario, useStores, useStrings, useView } from '../shared/index.ts';

/** Asks to which of several causes or effects to go. */
export function Chooser() {
  const choice = useView((view) => view.choice);
  return choice === null ? null : <ChoiceMenu choice={choice} />;
}

const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

function ChoiceMenu({ choice: { direction, refs } }: { readonly choice: Choice }) {
  const stores = useStores();
  const strings = useStrings();
  const words = useEventWords();
  const run = useScenario((state) => state.run);
  const menu = useRef<HTMLDivElement | null>(null);
  useEffect(() => {
    const before = document.activeElement;
    menu.current?.querySelector('button')?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const close = (): void => stores.view.setState({ choice: null });
  const onKeyDown = (event: KeyboardEvent): void => {
    const items = [...(menu.current?.querySelectorAll('button') ?? [])];
    const move = MOVES[event.key];
    if (event.key === 'Escape') close();
    else if (move !== undefined) {
      const index = items.indexOf(document.activeElement as HTMLButtonElement);
      items[(index + move + items.length) % items.length]?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  if (run === null) return null;
  return (
    <div
      ref={menu}
      role="menu"
      tabIndex={-1}
      className="menu chooser"
      aria-label={strings.choose[direction]}
      onKeyDown={onKeyDown}
      onBlur={({ relatedTarget }) => !menu.current?.contains(relatedTarget) && close()}
    >
      <p className="quiet">{strings.choose[direction]}</p>
      {refs.map((ref) => (
        <button
          key={`${ref.row}:${ref.ordinal}`}
          type="button"
          role="menuitem"
          className="menu-item"
          onClick={() => select(stores, ref)}
        >
          <b>{eventText(words, run, ref)}</b>
          <span>{formatInstant(run.reader.startOf(ref), true)}</span>
        </button>
      ))}
    </div>
  );
}
