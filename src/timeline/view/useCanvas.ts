/** A canvas that is as large as its parent, sharp on any screen, and painted at most once a frame. */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { CssPx } from '../../base/units.ts';

export interface Size {
  readonly width: CssPx;
  readonly height: CssPx;
}
export interface PaintedCanvas {
  readonly ref: RefObject<HTMLCanvasElement | null>;
  readonly size: Size;
  /** Asks for a paint in the next frame. */
  readonly repaint: () => void;
}

/** `paint` is called with a ctx whose unit is the CSS pixel. It may change with each render: the newest is used. */
export function useCanvas(
  box: RefObject<HTMLElement | null>,
  paint: (ctx: CanvasRenderingContext2D, size: Size) => void,
): PaintedCanvas {
  const ref = useRef<HTMLCanvasElement | null>(null);
  const size = useSize(box);
  const newest = useRef(paint);
  const frame = useRef(0);
  newest.current = paint;

  const repaint = useCallback(() => {
    if (frame.current !== 0) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = 0;
      const canvas = ref.current;
      const ctx = canvas?.getContext('2d') ?? null;
      if (canvas === null || ctx === null || size.width === 0) return;
      const ratio = window.devicePixelRatio;
      resize(canvas, size, ratio);
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      newest.current(ctx, size);
    });
  }, [size]);

  useEffect(() => {
    repaint();
    return () => {
      cancelAnimationFrame(frame.current);
      frame.current = 0;
    };
  }, [repaint]);
  return { ref, size, repaint };
}

function resize(canvas: HTMLCanvasElement, { width, height }: Size, ratio: number): void {
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
}

/** Size of an element, kept up to date. */
export function useSize(box: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      setSize({ width: element.clientWidth, height: element.clientHeight });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return size;
}
