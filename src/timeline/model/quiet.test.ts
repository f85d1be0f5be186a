import { describe, expect, it } from 'vitest';
import { micros } from '../../base/units.ts';
import type { Band, GlyphRun, GlyphShape, LaneKind } from './marks.ts';
import { quietStretches } from './quiet.ts';

const s = (seconds: number) => micros(seconds * 1e6);
const band = (from: number): Band => ({
  from: s(from),
  to: s(60),
  tone: 'ok',
  pattern: 'ready',
  word: '',
  note: '',
  ref: null,
});
const glyph = (at: number, shape: GlyphShape): GlyphRun => ({
  row: 0,
  at: s(at),
  period: 0,
  count: 1,
  length: 0,
  shape,
  tone: 'ok',
  text: '',
  note: '',
  manual: false,
});
const lane = (
  bands: readonly number[],
  glyphs: readonly (readonly [number, GlyphShape])[],
  kind: LaneKind = 'worker',
) => ({
  kind,
  bands: bands.map(band),
  glyphs: glyphs.map(([at, shape]) => glyph(at, shape)),
});

describe('quietStretches', () => {
  it.each<[name: string, lanes: readonly ReturnType<typeof lane>[], quiet: readonly (readonly [number, number])[]]>([
    [
      'what lies between two changes is quiet, with half a second left to each',
      [lane([0, 4], [])],
      [
        [0.5, 3.5],
        [4.5, 9.5],
      ],
    ],
    ['two seconds are not yet quiet', [lane([2, 4, 6, 8], [])], []],
    [
      'a change on any lane counts',
      [lane([5], []), lane([3, 7], [])],
      [
        [0.5, 2.5],
        [7.5, 9.5],
      ],
    ],
    [
      'the same outcome again is no change',
      [
        lane(
          [],
          [
            [1, 'failure'],
            [4, 'failure'],
            [7, 'failure'],
          ],
        ),
      ],
      [[1.5, 9.5]],
    ],
    [
      'another outcome is one',
      [
        lane(
          [],
          [
            [1, 'failure'],
            [4, 'failure'],
            [7, 'success'],
          ],
        ),
      ],
      [
        [1.5, 6.5],
        [7.5, 9.5],
      ],
    ],
    [
      'ticks without an effect are none',
      [
        lane(
          [],
          [
            [3, 'tick'],
            [6, 'ring'],
          ],
        ),
      ],
      [[0.5, 9.5]],
    ],
    [
      'each message and each write is one',
      [
        lane(
          [],
          [
            [3, 'letter'],
            [6, 'letter'],
          ],
        ),
      ],
      [
        [0.5, 2.5],
        [3.5, 5.5],
        [6.5, 9.5],
      ],
    ],
    ['Events tell of what is seen elsewhere', [lane([], [[5, 'letter']], 'events')], [[0.5, 9.5]]],
  ])('%s', (_name, lanes, quiet) => {
    const got = quietStretches(lanes, [], s(10));
    expect(got.map(({ from, to }) => [from / 1e6, to / 1e6])).toEqual(quiet);
  });

  it('what people do counts as well', () => {
    expect(quietStretches([], [s(5)], s(10)).map(({ from }) => from / 1e6)).toEqual([0.5, 5.5]);
  });
});
