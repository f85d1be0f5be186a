/** Measures from the input of a slider to the frame that shows its run, for the bench: measure `slider-input → painted`. */
const SLIDER_INPUT = 'slider-input';
const PAINTED = 'painted';
export const SLIDER_TO_PAINTED = `${SLIDER_INPUT} → ${PAINTED}`;

/** The newest input; its run; the frame. Each step only counts after the one before it. */
let stage: 'idle' | 'input' | 'run' = 'idle';

export function markSliderInput(): void {
  performance.mark(SLIDER_INPUT);
  stage = 'input';
}
/** A finished run is in the store. */
export function markRun(): void {
  if (stage === 'input') stage = 'run';
}
/** The canvas has been drawn; the frame is on the screen as soon as the browser gets its turn. */
export function markPainted(): void {
  if (stage !== 'run') return;
  stage = 'idle';
  setTimeout(() => {
    performance.mark(PAINTED);
    performance.measure(SLIDER_TO_PAINTED, SLIDER_INPUT, PAINTED);
  });
}
