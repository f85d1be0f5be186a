import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react';
import { formatInstant } from '../../base/format.ts';
import type { CssPx } from '../../base/units.ts';
import { type ActionFlag, flagLetter, lastAction } from '../model/actionFlags.ts';
import type { TimeWindow } from '../model/window.ts';
import { pitchOf, type TimeScale, timeScale } from '../scale/timeScale.ts';
import { windowWith } from '../scale/timeWindow.ts';
import type { TimelineSource, TimelineWords } from './source.ts';

interface ActionFlagsProps {
  readonly flags: readonly ActionFlag[];
  readonly source: TimelineSource;
  readonly words: TimelineWords;
  readonly width: CssPx;
  /** What can be looked at. */
  readonly bounds: TimeWindow;
  /** End of the run, µs. */
  readonly horizon: number;
}

/** A flag that was let go and whose run has not come yet. */
interface Dropped {
  readonly action: string;
  readonly at: number;
  /** Where it was let go, and at what pitch. */
  readonly px: CssPx;
  readonly pitch: number;
}

/** A pointer that went less far meant a click. */
const CLICK_DISTANCE: CssPx = 4;
/** Flags that stand nearer than that move aside; a lone one has room for its name. */
const FLAG_WIDTH: CssPx = 18;
const NAME_WIDTH: CssPx = 120;
/** A text says when something happens to this, µs. */
const NEAR = 1_000;
/** µs by which the arrow keys move a flag; with Shift ten times as far. */
const KEY_STEP = 100_000;

/** What happens from outside, above the time axis. A click or Enter opens it, a drag or the arrow keys move it, Delete removes it. */
export function ActionFlags({ flags, source, words, width, bounds, horizon }: ActionFlagsProps) {
  const box = useRef<HTMLDivElement | null>(null);
  const drag = useRef<{ readonly index: number; readonly from: CssPx; at: number | null } | null>(null);

  useEffect(() => {
    const draw = (): void => {
      if (box.current !== null) place(box.current, flags, width, scaleOf(source, width), drag.current);
    };
    draw();
    return source.subscribe(draw);
  }, [source, flags, width]);

  const dropped = useRef<Dropped | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the run with the moved flag brings new flags
  useEffect(() => {
    const { current } = dropped;
    dropped.current = null;
    const { window, stretches } = source.state();
    const landed =
      current && flags.find(({ action, at }) => action === current.action && Math.abs(at - current.at) < NEAR);
    if (!current || !landed) return;
    // Where time is folded goes by what happens: around the flag the folds are others now.
    if (Math.abs(timeScale(window, width, stretches)(landed.at) - current.px) < 1) return;
    source.setWindow(windowWith(landed.at, current.px, current.pitch, { bounds, width, stretches }));
  }, [flags]);

  const clamp = (at: number): number => Math.min(lastAction(horizon), Math.max(0, at));
  const start = (event: PointerEvent<HTMLButtonElement>, index: number): void => {
    event.stopPropagation(); // the ruler would move the playhead
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { index, from: event.clientX, at: null };
  };
  const move = (event: PointerEvent<HTMLButtonElement>): void => {
    event.stopPropagation();
    const { current } = drag;
    const flag = current === null ? undefined : flags[current.index];
    if (current === null || flag === undefined || box.current === null) return;
    const away = event.clientX - current.from;
    if (current.at === null && Math.abs(away) < CLICK_DISTANCE) return;
    const x = scaleOf(source, width);
    const px = x(flag.at) + away;
    current.at = clamp(rounded(x.invert(px), x.invert(px + 1) - x.invert(px)));
    place(box.current, flags, width, x, current);
  };
  const end = (flag: ActionFlag, button: HTMLElement): void => {
    const at = drag.current?.at ?? null;
    drag.current = null;
    if (at === null) return open(flag, button);
    const { window, stretches } = source.state();
    const px = timeScale(window, width, stretches)(at);
    dropped.current = { action: flag.action, at, px, pitch: pitchOf(window, width, stretches) };
    void source.moveAction(flag, at).then((isMoved) => isMoved || putBack());
  };
  const putBack = (): void => {
    dropped.current = null;
    if (box.current !== null) place(box.current, flags, width, scaleOf(source, width), null);
  };
  const open = (flag: ActionFlag, button: HTMLElement): void => {
    source.select(flag.refs[0]);
    source.openAction(flag, button.getBoundingClientRect());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, flag: ActionFlag): void => {
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      const { previousElementSibling: before, nextElementSibling: behind } = event.currentTarget;
      if (behind === null && before instanceof HTMLElement) before.focus(); // the last button goes
      return source.removeAction(flag);
    }
    const direction = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if (direction === 0) return;
    event.preventDefault();
    event.stopPropagation();
    void source.moveAction(flag, clamp(flag.at + direction * KEY_STEP * (event.shiftKey ? 10 : 1)));
  };

  return (
    <div ref={box} className="action-flags">
      {flags.map((flag, index) => (
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: a flag that moves stays the same button and keeps the focus
          key={index}
          type="button"
          className="action-flag"
          aria-label={`${formatInstant(flag.at)} ${words.action(flag)}`}
          title={`${formatInstant(flag.at)} ${words.action(flag)}\n${words.moveAction}`}
          onPointerDown={(event) => start(event, index)}
          onPointerMove={move}
          aria-haspopup="dialog"
          onPointerUp={(event) => end(flag, event.currentTarget)}
          onPointerCancel={() => {
            drag.current = null;
          }}
          onKeyDown={(event) => onKeyDown(event, flag)}
          onClick={(event) => event.detail === 0 && open(flag, event.currentTarget)}
        >
          <b>{flagLetter(flag.action)}</b>
          <span>{flag.action}</span>
        </button>
      ))}
    </div>
  );
}

function scaleOf(source: TimelineSource, width: CssPx): TimeScale {
  const { window, stretches } = source.state();
  return timeScale(window, width, stretches);
}

/** To a round number of µs that is about as long as a pixel. */
function rounded(at: number, pixel: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, pixel))));
  return Math.round(at / step) * step;
}

function place(
  box: HTMLElement,
  flags: readonly ActionFlag[],
  width: CssPx,
  x: TimeScale,
  drag: { readonly index: number; readonly at: number | null } | null,
): void {
  let free = Number.NEGATIVE_INFINITY;
  for (const [i, flag] of flags.entries()) {
    const button = box.children[i];
    if (!(button instanceof HTMLElement)) continue;
    const dragged = drag?.index === i && drag.at !== null;
    const at = dragged ? x(drag.at ?? 0) : x(flag.at);
    const left = dragged ? at : Math.max(at, free);
    if (!dragged) free = left + FLAG_WIDTH;
    const next = flags[i + 1];
    const room = (next === undefined ? width : x(next.at)) - left;
    button.hidden = at < 0 || at > width;
    button.classList.toggle('named', room >= NAME_WIDTH);
    button.classList.toggle('dragged', dragged);
    button.style.transform = `translateX(${Math.min(left, width - FLAG_WIDTH)}px)`;
    const name = button.lastElementChild;
    if (name !== null) name.textContent = dragged ? formatInstant(drag.at ?? 0) : flag.action;
  }
}
