import { lazy, type PointerEvent, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { formatInstant } from '../../base/format.ts';
import type { CssPx } from '../../base/units.ts';
import { snap } from '../draw/hit.ts';
import { FLAG_HALF, LENS_BUTTON, type Room } from '../draw/rulerLabels.ts';
import type { ActionFlag } from '../model/actionFlags.ts';
import type { Lane } from '../model/marks.ts';
import type { TimeWindow } from '../model/window.ts';
import { isMagnified, type Magnified, type TimeScale, timeScale } from '../scale/timeScale.ts';
import type * as RulerAxis from './rulerAxis.ts';
import type { TimelineSource, TimelineWords } from './source.ts';
import { useSize } from './useCanvas.ts';

/** Many runs have none. */
const ActionFlags = lazy(async () => ({ default: (await import('./ActionFlags.tsx')).ActionFlags }));

interface RulerProps {
  readonly source: TimelineSource;
  readonly words: TimelineWords;
  /** Lanes whose events the playhead snaps to. */
  readonly lanes: readonly Lane[];
  readonly flags: readonly ActionFlag[];
  readonly bounds: TimeWindow;
  /** End of the run, µs. */
  readonly horizon: number;
}

/** Time axis with the playhead's flag. Dragging moves the playhead; Alt switches snapping off. */
export function Ruler({ source, words, lanes, flags, bounds, horizon }: RulerProps) {
  const box = useRef<HTMLDivElement | null>(null);
  const axis = useRef<SVGGElement | null>(null);
  const flag = useRef<HTMLDivElement | null>(null);
  const lens = useRef<HTMLDivElement | null>(null);
  const { width } = useSize(box);
  const drawAxis = useDrawAxis();

  useEffect(() => {
    if (width === 0) return;
    const draw = (): void => {
      const { window, stretches, playhead } = source.state();
      const x = timeScale(window, width, stretches);
      const taken = [
        placeFlag(flag.current, x, playhead, width),
        placeLens(lens.current, x, stretches.find(isMagnified), width, words),
      ];
      if (axis.current === null) return;
      drawAxis?.(
        axis.current,
        x,
        width,
        taken.flatMap((one) => one ?? []),
        stretches,
      );
    };
    draw();
    return source.subscribe(draw);
  }, [source, width, words, drawAxis]);

  const scrub = useCallback(
    (event: PointerEvent<HTMLDivElement>): void => {
      if (event.buttons !== 1 || box.current === null) return;
      if (event.type === 'pointerdown') box.current.setPointerCapture(event.pointerId);
      const { window, stretches } = source.state();
      const x = timeScale(window, width, stretches);
      const px = event.clientX - box.current.getBoundingClientRect().left;
      const at = event.altKey ? Math.round(x.invert(px)) : snap(lanes, x, px);
      source.setPlayhead(at);
    },
    [source, width, lanes],
  );

  return (
    <div ref={box} className="ruler" onPointerDown={scrub} onPointerMove={scrub} role="presentation">
      <div ref={lens} className="ruler-lens" hidden>
        <button
          type="button"
          onPointerDown={(event) => event.stopPropagation()} // the ruler would move the playhead
          onClick={source.endMagnify}
        />
      </div>
      <svg className="ruler-axis" aria-hidden="true" width={width} height="30">
        <g ref={axis} transform="translate(0,30)" />
      </svg>
      {flags.length > 0 && (
        <Suspense fallback={null}>
          <ActionFlags {...{ flags, bounds, horizon, source, words, width }} />
        </Suspense>
      )}
      <div ref={flag} className="ruler-flag" title={words.playhead} />
    </div>
  );
}

/** Brings d3's axis along; the lanes come first. Null until it is there. */
function useDrawAxis(): typeof RulerAxis.drawAxis | null {
  const [loaded, setLoaded] = useState<typeof RulerAxis | null>(null);
  useEffect(() => {
    let isLeft = false;
    void import('./rulerAxis.ts').then((axis) => isLeft || setLoaded(axis));
    return () => {
      isLeft = true;
    };
  }, []);
  return loaded?.drawAxis ?? null;
}

/** Puts the flag over the playhead, kept whole at the edges. Returns the room that it takes; null when it is out of view. */
function placeFlag(flag: HTMLDivElement | null, x: TimeScale, playhead: number, width: CssPx): Room | null {
  const at = x(playhead);
  const hidden = at < -1 || at > width + 1;
  if (flag === null) return null;
  flag.hidden = hidden;
  flag.textContent = formatInstant(playhead);
  const middle = Math.min(width - FLAG_HALF, Math.max(FLAG_HALF, at));
  flag.style.transform = `translateX(${middle}px) translateX(-50%)`;
  return hidden ? null : { left: middle - FLAG_HALF, right: middle + FLAG_HALF };
}

/** Puts the tint under what is drawn larger, and its button at the end. Returns the room of the button; null when there is none. */
function placeLens(
  lens: HTMLDivElement | null,
  x: TimeScale,
  stretch: Magnified | undefined,
  width: CssPx,
  words: TimelineWords,
): Room | null {
  if (lens === null) return null;
  const [left, right] = stretch === undefined ? [0, 0] : [Math.max(0, x(stretch.from)), Math.min(width, x(stretch.to))];
  const hadFocus = lens.contains(document.activeElement);
  lens.hidden = right <= left;
  // Its button is gone: the keys go on from the lanes.
  if (lens.hidden && hadFocus) lens.closest('.timeline')?.querySelector<HTMLElement>('section[tabindex]')?.focus();
  if (stretch === undefined || lens.hidden) return null;
  lens.style.left = `${left}px`;
  lens.style.width = `${right - left}px`;
  const button = lens.firstElementChild as HTMLButtonElement;
  button.textContent = `${stretch.times}×`;
  button.title = words.endMagnify(stretch.times);
  button.ariaLabel = button.title;
  const start = Math.min(right, width - LENS_BUTTON);
  button.style.left = `${start - left}px`;
  return { left: start, right: start + LENS_BUTTON };
}
