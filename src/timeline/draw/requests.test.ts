import { describe, expect, it } from 'vitest';
import { micros } from '../../base/units.ts';
import type { GlyphRun, GlyphShape, Lane } from '../model/marks.ts';
import { timeScale } from '../scale/timeScale.ts';
import type { Frame } from './frame.ts';
import { TextWidths } from './labels.ts';
import { laneBox } from './laneInk.ts';
import { recordingCtx, TEST_INK } from './recordingCtx.ts';
import { drawRequests } from './requestInk.ts';
import { requestsInView } from './requests.ts';

const WIDTH = 600;
/** One character an attempt, one a second: `+` served, `x` refused, `5` 503, `o` no answer, ` ` none, `.` under way. */
const SHAPES: Readonly<Record<string, readonly [GlyphShape, GlyphRun['tone']]>> = {
  '+': ['served', 'ok'],
  x: ['refused', 'fail'],
  '5': ['errorAnswer', 'fail'],
  o: ['silent', 'fail'],
  '.': ['tick', 'idle'],
};
const attempts = (drawing: string): readonly GlyphRun[] =>
  [...drawing].flatMap((character, row) => {
    const look = SHAPES[character];
    if (look === undefined) return [];
    const [shape, tone] = look;
    const text = character === '5' ? '503' : '';
    return [{ row, at: micros(row * 1e6), period: 0, count: 1, length: 0, shape, tone, text, note: '', manual: false }];
  });
const view = (drawing: string, from: number, to: number) =>
  requestsInView(attempts(drawing), timeScale({ from: from * 1e6, to: to * 1e6 }, WIDTH), WIDTH);

describe('requestsInView', () => {
  it('shows attempts one by one while they stand apart', () => {
    expect(view('++x+', 0, 10).marks.map((mark) => mark.kind === 'stem' && mark.run.shape)).toEqual([
      'served',
      'served',
      'refused',
      'served',
    ]);
  });

  it('shows a crowd as columns, served and lost counted apart', () => {
    const { marks, most } = view('++++++xx++', 0, 600);
    expect(marks).toHaveLength(1);
    const [crowd] = marks;
    if (crowd?.kind !== 'columns') throw new Error('no columns');
    expect(crowd.columns.map(({ served, lost }) => [served, lost])).toEqual(
      [
        [3, 0],
        [3, 0],
        [0, 2],
        [2, 0],
      ].map(([served, lost], i) => (i === 2 ? [1, 2] : i === 3 ? [1, 0] : [served, lost])),
    );
    expect(most).toBe(3);
  });

  it('leads from a column to the first attempt that was lost in it', () => {
    const [crowd] = view('+++++x', 0, 1000).marks;
    expect(crowd?.kind === 'columns' && crowd.columns.at(-1)?.ref.row).toBe(5);
  });

  it('leaves a gap where nothing was tried', () => {
    expect(view(`++${' '.repeat(50)}++`, 0, 600).marks.map(({ kind }) => kind)).toEqual(['columns', 'columns']);
  });

  it('counts what is in view, and not what is under way', () => {
    expect(view('xx++++x.', 2, 10)).toMatchObject({ known: 5, lost: 1 });
  });
});

describe('drawRequests', () => {
  const drawn = (drawing: string, to: number) => {
    const { ctx, drawn: calls } = recordingCtx();
    const x = timeScale({ from: 0, to: to * 1e6 }, WIDTH);
    const frame: Frame = { ctx, x, width: WIDTH, stretches: [], playhead: -100, lit: null, ...TEST_INK };
    const lane = { kind: 'client', glyphs: attempts(drawing) } as unknown as Lane;
    const box = laneBox(lane, 0, 60, 'comfortable');
    drawRequests(frame, lane, box, new TextWidths());
    return { calls, line: box.glyphY };
  };

  it('draws what was served above the line and what was lost below it', () => {
    const { calls, line } = drawn('+x5o', 10);
    const rects = calls.filter(({ call }) => call === 'fillRect');
    const tops = rects.map(({ fill, args: [, top, , height] }) => [
      fill,
      Number(top) < line,
      Number(top) + Number(height) <= line,
    ]);
    expect(tops).toEqual([
      ['ok', true, true],
      ['fail', false, false],
      ['fail', false, false],
      ['fail', false, false],
    ]);
  });

  it('gives each outcome a shape of its own', () => {
    const shapes = [...'+x5o'].map((outcome) =>
      drawn(outcome, 10)
        .calls.map(({ call }) => call)
        .filter((call) => ['arc', 'strokeRect', 'moveTo', 'fill', 'stroke'].includes(call))
        .join(' '),
    );
    expect(new Set(shapes).size).toBe(4);
  });

  it('writes the code beside a 5xx', () => {
    expect(drawn('5', 10).calls.find(({ call }) => call === 'fillText')?.args[0]).toBe('503');
  });

  it('says the rate and the share that is lost of a crowd, where nothing was lost', () => {
    const { calls } = drawn(`${'x'.repeat(20)}${'+'.repeat(60)}`, 100);
    const [text] = calls.filter(({ call }) => call === 'fillText');
    expect(text?.args[0]).toBe('1/s 25 % lost');
    expect(Number(text?.args[1])).toBeGreaterThan(120);
  });
});
