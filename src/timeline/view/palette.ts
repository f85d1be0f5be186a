/** Colours and fonts of the theme in use, read from the page's custom properties: their one home is the style sheet. */
import type { Fonts, Palette } from '../draw/frame.ts';
import type { Tone } from '../model/marks.ts';

const TONES: readonly Tone[] = ['ok', 'wait', 'fail', 'term', 'idle', 'mech'];

export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim() || '#808080';
  const tones = (name: (tone: Tone) => string): Readonly<Record<Tone, string>> =>
    Object.fromEntries(TONES.map((tone) => [tone, colour(name(tone))])) as Record<Tone, string>;
  return {
    tone: tones((tone) => tone),
    soft: tones((tone) => `${tone}-soft`),
    onTone: tones((tone) => `on-${tone}`),
    canvas: colour('canvas'),
    sunken: colour('sunken'),
    line: colour('line'),
    grid: colour('grid'),
    text: colour('text'),
    text2: colour('text2'),
    text3: colour('text3'),
    accent: colour('accent'),
    accentSoft: colour('accent-soft'),
    playhead: colour('playhead'),
  };
}

export function readFonts(element: Element): Fonts {
  const family = getComputedStyle(element).fontFamily || 'sans-serif';
  return { label: `400 11.5px ${family}`, strong: `600 11.5px ${family}`, small: `600 11px ${family}` };
}
