/** What a drawing function may see. Nothing else: a test passes a recording ctx. */
import type { CssPx } from '../../base/units.ts';
import type { EventRef } from '../../sim/trace/kinds.ts';
import type { Tone } from '../model/marks.ts';
import type { Stretch, TimeScale } from '../scale/timeScale.ts';

/** The part of a 2D context that is used. */
export type Ctx = Pick<
  CanvasRenderingContext2D,
  | 'fillStyle'
  | 'strokeStyle'
  | 'lineWidth'
  | 'lineJoin'
  | 'globalAlpha'
  | 'font'
  | 'textAlign'
  | 'textBaseline'
  | 'fillRect'
  | 'strokeRect'
  | 'fillText'
  | 'strokeText'
  | 'measureText'
  | 'beginPath'
  | 'closePath'
  | 'moveTo'
  | 'lineTo'
  | 'arc'
  | 'rect'
  | 'roundRect'
  | 'fill'
  | 'stroke'
  | 'clip'
  | 'save'
  | 'restore'
  | 'setLineDash'
  | 'translate'
  | 'rotate'
>;

/** Resolved colours of the theme in use: a tone, its soft fill, and what is written on it. */
export interface Palette {
  readonly tone: Readonly<Record<Tone, string>>;
  readonly soft: Readonly<Record<Tone, string>>;
  readonly onTone: Readonly<Record<Tone, string>>;
  readonly canvas: string;
  readonly sunken: string;
  readonly line: string;
  readonly grid: string;
  readonly text: string;
  readonly text2: string;
  readonly text3: string;
  readonly accent: string;
  readonly accentSoft: string;
  readonly playhead: string;
}

export interface Fonts {
  readonly label: string;
  readonly strong: string;
  readonly small: string;
}

/** Words that depend on the language. */
export interface MarkWords {
  /** A state word of a band, such as `serving`; API words come back as they are. */
  readonly state: (word: string) => string;
  /** Over a dotted line: nothing runs for so many µs. */
  readonly noProbeFor: (length: number) => string;
  /** In a fold: so many µs are left out. */
  readonly folded: (length: number) => string;
  /** Of a client: so many attempts a second, and which share of them is lost, 0 to 1. */
  readonly requests: (perSecond: number, lost: number) => string;
}

export interface Frame {
  readonly ctx: Ctx;
  readonly x: TimeScale;
  readonly width: CssPx;
  /** What of `x` is drawn larger than the rest, or folded. */
  readonly stretches: readonly Stretch[];
  /** Where the playhead stands, px: labels keep away from it. */
  readonly playhead: CssPx;
  readonly palette: Palette;
  readonly fonts: Fonts;
  readonly words: MarkWords;
  /** Events of the lit chain as `row:ordinal`; null when nothing is selected and all marks are at full strength. */
  readonly lit: ReadonlySet<string> | null;
}

export const refKey = ({ row, ordinal }: EventRef): string => `${row}:${ordinal}`;

const DIMMED = 0.5;
/** How strong a mark is drawn while a chain may be lit. */
export const strengthOf = ({ lit }: Frame, ref: EventRef | null): number =>
  lit === null || (ref !== null && lit.has(refKey(ref))) ? 1 : DIMMED;
