/** A ctx for tests: writes down what is drawn instead of drawing it. One character is 6 px wide. */
import type { Ctx } from './frame.ts';

export interface Drawn {
  readonly call: string;
  readonly args: readonly unknown[];
  readonly fill: string;
  readonly alpha: number;
}
export const CHARACTER = 6;

export function recordingCtx(): { readonly ctx: Ctx; readonly drawn: Drawn[] } {
  const drawn: Drawn[] = [];
  const fields: Record<string, unknown> = { fillStyle: '', globalAlpha: 1 };
  const ctx = new Proxy(fields, {
    get: (target, name: string) => {
      if (name === 'measureText') return (text: string) => ({ width: text.length * CHARACTER });
      if (name in target) return target[name];
      return (...args: readonly unknown[]) => {
        drawn.push({ call: name, args, fill: String(target.fillStyle), alpha: Number(target.globalAlpha) });
      };
    },
    set: (target, name: string, value: unknown) => {
      target[name] = value;
      return true;
    },
  });
  return { ctx: ctx as unknown as Ctx, drawn };
}

/** Frame parts that every drawing test needs: each colour is its own name. */
const named = (prefix: string) => ({
  ok: `${prefix}ok`,
  wait: `${prefix}wait`,
  fail: `${prefix}fail`,
  term: `${prefix}term`,
  idle: `${prefix}idle`,
  mech: `${prefix}mech`,
});
export const TEST_INK = {
  palette: {
    tone: named(''),
    soft: named('soft '),
    onTone: named('on '),
    canvas: 'canvas',
    sunken: 'sunken',
    line: 'line',
    grid: 'grid',
    text: 'text',
    text2: 'text2',
    text3: 'text3',
    accent: 'accent',
    accentSoft: 'accentSoft',
    playhead: 'playhead',
  },
  fonts: { label: 'label', strong: 'strong', small: 'small' },
  words: {
    state: (word: string) => word,
    folded: (length: number) => `${length / 1e6} s folded`,
    noProbeFor: (length: number) => `no probe for ${length / 1e6} s`,
    requests: (perSecond: number, lost: number) => `${Math.round(perSecond)}/s ${Math.round(lost * 100)} % lost`,
  },
};
