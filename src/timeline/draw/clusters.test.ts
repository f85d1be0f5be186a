import { describe, expect, it } from 'vitest';
import { micros } from '../../base/units.ts';
import type { GlyphRun } from '../model/marks.ts';
import { timeScale } from '../scale/timeScale.ts';
import { clusterGlyphs } from './clusters.ts';

const glyph = (at: number, over: Partial<GlyphRun> = {}): GlyphRun => ({
  row: at,
  at: micros(at),
  period: 0,
  count: 1,
  length: 0,
  shape: 'success',
  tone: 'ok',
  text: '',
  note: '',
  manual: false,
  ...over,
});
/** 1 µs is 1 px: times read as places. */
const marksOf = (runs: readonly GlyphRun[]) => clusterGlyphs(runs, timeScale({ from: 0, to: 1024 }, 1024), 1024);
const show = (runs: readonly GlyphRun[]): string =>
  marksOf(runs)
    .map((mark) =>
      mark.kind === 'glyph'
        ? `${mark.run.shape}${mark.letters}@${mark.x}${mark.count > 1 ? `×${mark.count}` : ''}`
        : `histogram ${Math.round(mark.left)}–${Math.round(mark.right)}${mark.many ? ' many' : ''}`,
    )
    .join(', ');

describe('clusterGlyphs', () => {
  it.each<[name: string, runs: readonly GlyphRun[], expected: string]>([
    ['glyphs 16 px apart stand alone', [glyph(100), glyph(116)], 'success@100, success@116'],
    ['nearer ones merge, and the newest shows', [glyph(100), glyph(115)], 'success@115×2'],
    ['the worst outcome wins', [glyph(100), glyph(110, { shape: 'failure' })], 'failure@110×2'],
    ['a long loose row becomes several clusters', [0, 10, 20, 30].map((at) => glyph(at)), 'success@10×2, success@30×2'],
    [
      'letters of a cluster are listed once each',
      [
        glyph(0, { shape: 'letter', text: 'P' }),
        glyph(4, { shape: 'letter', text: 'R' }),
        glyph(8, { shape: 'letter', text: 'R' }),
      ],
      'letterPR@0×3',
    ],
    [
      'of equal failures the last one shows, with the count that it came to',
      [glyph(0, { shape: 'failure', text: 'fail 1/3' }), glyph(6, { shape: 'failure', text: 'fail 2/3' })],
      'failure@6×2',
    ],
    [
      'marks of two clusters that would touch become one',
      [glyph(0), glyph(14, { shape: 'failure' }), glyph(18)],
      'failure@14×3',
    ],
    [
      'a pill takes in what it would cover, also across a gap',
      [
        ...['C', 'P', 'R'].map((text, i) => glyph(i * 3, { shape: 'letter', text })),
        glyph(24, { shape: 'letter', text: 'S' }),
        glyph(80, { shape: 'letter', text: 'C' }),
      ],
      'letterCPRS@0×4, letterC@80',
    ],
    ['under 4 px each they are a histogram', Array.from({ length: 40 }, (_, i) => glyph(i * 2)), 'histogram 0–78'],
    ['a packed row that is dense is one too', [glyph(100, { period: 2, count: 50 })], 'histogram 100–198'],
    ['more than one a pixel says "many"', [glyph(100, { period: 0.5, count: 200 })], 'histogram 100–200 many'],
    [
      'a packed row with room shows each',
      [glyph(100, { period: 100, count: 3 })],
      'success@100, success@200, success@300',
    ],
    ['nothing out of view is placed', [glyph(0, { period: 2000, count: 1_000_000 })], 'success@0'],
  ])('%s', (_name, runs, expected) => {
    expect(show(runs)).toBe(expected);
  });

  it('counts every event of a packed histogram exactly once', () => {
    const [mark] = marksOf([glyph(100, { period: 1.7, count: 300 })]);
    const columns = mark?.kind === 'histogram' ? mark.columns : [];
    expect(columns.reduce((sum, { count }) => sum + count, 0)).toBe(300);
  });

  it('packs by the scale of each part, and counts every event once where a part is drawn larger', () => {
    const x = timeScale({ from: 0, to: 1024 }, 1024, [{ from: 400, to: 500, times: 8 }]);
    const marks = clusterGlyphs([glyph(0, { period: 2, count: 512 })], x, 1024);
    const kinds = marks.map(({ kind }) => kind);
    expect([kinds[0], kinds.at(-1), new Set(kinds.slice(1, -1))]).toEqual([
      'histogram',
      'histogram',
      new Set(['glyph']),
    ]);
    const counts = marks.map((mark) =>
      mark.kind === 'glyph' ? mark.count : mark.columns.reduce((sum, { count }) => sum + count, 0),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(512);
  });
});
