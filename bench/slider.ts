import { openPage } from '../scripts/lib/page.mjs';
import { SLIDER_TO_PAINTED } from '../src/state/paintTiming.ts';
import { percentile } from './statistics.ts';

const SAMPLES = 120;
/** Arrow keys in one direction before the other. */
const STROKES = 20;
const PAINT_LIMIT_MS = 5_000;

/**
 * Moves the readiness probe's periodSeconds in the page, one arrow key at a time, and waits for the painted frame of each
 * run. 95th percentile from input to frame, ms, the first moves included. Throws when there is no build or no browser.
 */
export async function sliderToPaintedP95(): Promise<number> {
  const { page, close } = await openPage();
  try {
    await page.getByRole('slider', { name: 'periodSeconds' }).focus();
    for (let sample = 0; sample < SAMPLES; sample++) {
      await page.keyboard.press(Math.floor(sample / STROKES) % 2 === 0 ? 'ArrowRight' : 'ArrowLeft');
      await page.waitForFunction(
        ([name, before]) => performance.getEntriesByName(name).length > before,
        [SLIDER_TO_PAINTED, sample] as const,
        { timeout: PAINT_LIMIT_MS },
      );
    }
    const lengths = await page.evaluate(
      (name) => performance.getEntriesByName(name).map(({ duration }) => duration),
      SLIDER_TO_PAINTED,
    );
    return percentile(lengths, 0.95);
  } finally {
    await close();
  }
}
