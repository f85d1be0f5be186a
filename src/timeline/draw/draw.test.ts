import { describe, expect, it } from 'vitest';
import { bad, container, ok, pod, probe, run, scenario, step } from '../../../test/support/scenario.ts';
import { type Micros, micros } from '../../base/units.ts';
import { simulate } from '../../sim/simulate.ts';
import { TraceReader } from '../../sim/trace/reader.ts';
import { buildGroups } from '../model/buildGroups.ts';
import { layOut } from '../model/layout.ts';
import type { Band, Bar } from '../model/marks.ts';
import { foldsOf, type Stretch, timeScale } from '../scale/timeScale.ts';
import { drawBands, drawBars } from './bands.ts';
import { linkPath } from './chain.ts';
import { drawFoldTexts, type MarkBox } from './folds.ts';
import type { Frame } from './frame.ts';
import { drawGhost } from './ghost.ts';
import { hitTest, snap } from './hit.ts';
import { hopNumbers } from './hopNumbers.ts';
import { TextWidths } from './labels.ts';
import { CHARACTER, type Drawn, recordingCtx, TEST_INK } from './recordingCtx.ts';
import { drawScene } from './scene.ts';

const WIDTH = 800;
const s = (seconds: number): Micros => micros(Math.round(seconds * 1e6));

function setup(from: number, to: number, lit: ReadonlySet<string> | null = null, stretches: readonly Stretch[] = []) {
  const { ctx, drawn } = recordingCtx();
  const frame: Frame = {
    ctx,
    x: timeScale({ from: s(from), to: s(to) }, WIDTH, stretches),
    width: WIDTH,
    stretches,
    playhead: -100,
    lit,
    ...TEST_INK,
  };
  return { frame, drawn };
}
const band = (from: number, to: number, over: Partial<Band> = {}): Band => ({
  from: s(from),
  to: s(to),
  tone: 'ok',
  pattern: 'ready',
  word: 'True',
  note: '',
  ref: { row: from, ordinal: 0 },
  ...over,
});
const rects = (drawn: readonly Drawn[], fill: string) =>
  drawn.filter((d) => d.call === 'fillRect' && d.fill === fill).map(({ args }) => args.slice(0, 3));

describe('drawBands', () => {
  it('fills a band between its ends and marks its leading edge', () => {
    const { frame, drawn } = setup(0, 8);
    drawBands(frame, [band(2, 4)], 10, 20);
    expect(rects(drawn, 'soft ok')).toEqual([[200, 10, 200]]);
    expect(rects(drawn, 'ok')).toEqual([[200, 10, 2.5]]);
  });

  it('draws only what is in view', () => {
    const { frame, drawn } = setup(4, 6);
    drawBands(
      frame,
      Array.from({ length: 1000 }, (_, i) => band(i, i + 1)),
      0,
      20,
    );
    expect(rects(drawn, 'soft ok')).toHaveLength(2);
  });

  it('marks no edge for a band that began left of the view', () => {
    const { frame, drawn } = setup(4, 6);
    drawBands(frame, [band(0, 10)], 0, 20);
    expect(rects(drawn, 'ok')).toEqual([]);
  });

  it('draws neighbours under a pixel as one box', () => {
    const { frame, drawn } = setup(0, 8000);
    drawBands(
      frame,
      Array.from({ length: 100 }, (_, i) => band(i, i + 1)),
      0,
      20,
    );
    expect(rects(drawn, 'soft mech')).toEqual([[0, 0, 10]]);
  });

  it('says "absent" with a dashed outline and no fill', () => {
    const { frame, drawn } = setup(0, 8);
    drawBands(frame, [band(0, 4, { pattern: 'absent', tone: 'idle' })], 0, 20);
    expect(drawn.map(({ call }) => call)).toEqual(['setLineDash', 'strokeRect', 'setLineDash']);
  });

  it('dims what the lit chain does not touch', () => {
    const { frame, drawn } = setup(0, 8, new Set(['1:0']));
    drawBands(frame, [band(1, 2), band(2, 3)], 0, 20);
    expect(drawn.filter((d) => d.fill === 'soft ok').map(({ alpha }) => alpha)).toEqual([1, 0.5]);
  });

  it('never draws a bar under three pixels', () => {
    const { frame, drawn } = setup(0, 800);
    const bar: Bar = { from: s(1), to: s(1), tone: 'mech', word: '1', ref: { row: 0, ordinal: 0 } };
    drawBars(frame, [bar], 0, 20);
    expect(rects(drawn, 'soft mech')).toEqual([[1, 0, 3]]);
  });
});

describe('drawBars', () => {
  const pass = (tone: Bar['tone']): Bar => ({ from: s(1), to: s(3), tone, word: '1', ref: { row: 0, ordinal: 0 } });
  it.each<[name: string, tone: Bar['tone'], strokes: number]>([
    ['hatches what failed', 'fail', 1],
    ['leaves what went well plain', 'mech', 0],
  ])('%s', (_name, tone, strokes) => {
    const { frame, drawn } = setup(0, 8);
    drawBars(frame, [pass(tone)], 0, 20);
    expect(drawn.filter(({ call }) => call === 'stroke')).toHaveLength(strokes);
  });
});

describe('linkPath', () => {
  const spans = { a: { top: 0, bottom: 40, middle: 20 }, b: { top: 80, bottom: 120, middle: 100 } } as const;
  const path = (from: 'a' | 'b', to: 'a' | 'b') => {
    const { frame } = setup(0, 8);
    const link = { from: { at: s(1), laneId: from }, to: { at: s(3), laneId: to }, armed: false };
    return linkPath(frame, link, (laneId) => spans[laneId as 'a' | 'b'] ?? null);
  };
  it.each<[name: string, got: ReturnType<typeof path>, expected: ReturnType<typeof path>]>([
    [
      'turns at the lower edge on its way down',
      path('a', 'b'),
      [
        [100, 20],
        [100, 40],
        [300, 40],
        [300, 100],
      ],
    ],
    [
      'turns at the upper edge on its way up',
      path('b', 'a'),
      [
        [100, 100],
        [100, 80],
        [300, 80],
        [300, 20],
      ],
    ],
    [
      'is straight within a lane',
      path('a', 'a'),
      [
        [100, 20],
        [300, 20],
      ],
    ],
  ])('a link %s', (_name, got, expected) => {
    expect(got).toEqual(expected);
  });
});

/** A Pod that is ready late, kept for the tests of the whole scene. */
const late = scenario(
  [
    pod([
      container({ readiness: probe({ periodSeconds: 5 }), liveness: probe() }, [run(step(0, bad()), step(7, ok()))]),
    ]),
  ],
  600,
);
const groups = buildGroups({ scenario: late, reader: new TraceReader(simulate(late)) });
const layout = layOut(groups, new Set(), 'comfortable');

function scene(
  from: number,
  to: number,
  playheadAt: number,
  stretches: readonly Stretch[] = [],
  words: Frame['words'] = TEST_INK.words,
) {
  const { frame, drawn } = setup(from, to, null, stretches);
  const placed = { ...frame, words, playhead: frame.x(s(playheadAt)) };
  drawScene(
    placed,
    { layout, scrollTop: 0, height: layout.height, links: [], ghost: null, marked: null },
    new TextWidths(),
  );
  return drawn;
}

describe('hopNumbers', () => {
  const span = (laneId: string) =>
    ({ a: { top: 0, bottom: 40, middle: 20 }, b: { top: 40, bottom: 80, middle: 60 } })[laneId] ?? null;
  const numbersOf = (...hops: readonly (readonly [number: number, from: number, to: number])[]) => {
    const { frame } = setup(0, 80);
    const links = hops.map(([number, from, to]) => ({
      from: { at: s(from), laneId: 'a' },
      to: { at: s(to), laneId: 'b' },
      armed: false,
      number,
    }));
    return hopNumbers(frame, links, span).map(({ x, y, text, laneId }) => [text, x, y, laneId]);
  };
  it.each<[name: string, got: unknown, expected: unknown]>([
    ['stand on a link whose turn has room, between its lanes', numbersOf([1, 20, 60]), [['1', 400, 40, null]]],
    ['stand left of the mark that a short hop ends with', numbersOf([2, 59, 60]), [['2', 580, 60, 'b']]],
    [
      'stand side by side on a lane',
      numbersOf([2, 59, 60], [3, 60, 60]),
      [
        ['2', 580, 60, 'b'],
        ['3', 562, 60, 'b'],
      ],
    ],
    ['are left out where they would be out of view', numbersOf([2, 0, 1]), []],
  ])('%s', (_name, got, expected) => {
    expect(got).toEqual(expected);
  });
});

describe('drawGhost', () => {
  const band = (from: number, to: number): Band => ({
    from: s(from),
    to: s(to),
    tone: 'wait',
    pattern: 'notYet',
    word: 'False',
    note: '',
    ref: null,
  });
  it('outlines what differs in the other run, in view, around where it stood', () => {
    const { frame, drawn } = setup(0, 80);
    drawGhost(frame, [band(0, 10), band(10, 30), band(90, 95)], [band(0, 10), band(10, 50)], 100, 20);
    expect(drawn.filter(({ call }) => call === 'strokeRect').map(({ args }) => args)).toEqual([[100, 97.5, 200, 25]]);
  });
});

describe('drawFoldTexts', () => {
  // 770 px for 60 s, and the fold from 20 s on, 257 px from the left; its text, 11 characters, stands in the middle of its 30 px.
  const fold: Stretch = { from: s(20), to: s(40), width: 30 };
  const left = (20 * 770) / 60;
  const mark = (from: number, to: number, middle: number): MarkBox => ({
    left: left + from,
    right: left + to,
    top: middle - 8,
    bottom: middle + 8,
  });
  it.each<[name: string, marks: readonly MarkBox[], along: number | null]>([
    ['stands in the middle of the height', [], 150],
    ['stays there beside a mark that only begins to reach into the fold', [mark(-8, 6, 150)], 150],
    ['leaves the row of a letter pill that reaches under it', [mark(-8, 28, 140)], 187],
    ['goes to the nearer side of it', [mark(-8, 28, 160)], 113],
    ['finds the gap between two', [mark(-8, 28, 120), mark(-8, 28, 270)], 167],
    ['is left out where marks leave no room', [50, 110, 170, 230, 290].map((y) => mark(-8, 28, y)), null],
  ])('%s', (_name, marks, along) => {
    const { frame, drawn } = setup(0, 80, null, [fold]);
    drawFoldTexts(frame, 300, new TextWidths(), marks);
    const places = drawn.flatMap(({ call, args }) => (call === 'translate' ? [args] : []));
    expect(places).toEqual(along === null ? [] : [[expect.closeTo(left + 15, 6), along]]);
  });
});

type Span = readonly [from: number, to: number];

describe('drawScene', () => {
  it('has the words of bands, passes and steps in the language in use', () => {
    const words = { ...TEST_INK.words, state: (word: string) => `<${word}>` };
    const texts = scene(0, 1.3, 0, [], words).flatMap(({ call, args }) => (call === 'fillText' ? [args[0]] : []));
    expect(texts).toEqual(expect.arrayContaining(['<False>', '<1>', '<runtime>']));
  });

  // 800 px over the window: 1, 10, 100, 1000 px a second, and at a moment when much happens.
  it.each<[pxPerSecond: number, from: number, to: number, lens?: Span, fold?: Span]>([
    [1.3, 0, 600],
    [10, 0, 80],
    [100, 0, 8],
    [1000, 0, 0.8],
    [1000, 10.2, 11],
    [10, 0, 80, [7, 8]],
    [10, 0, 80, [10, 17]],
    [10, 0, 80, [7, 8], [20, 60]],
  ])('lets no two texts touch at %f px a second', (_px, from, to, lens, fold) => {
    const stretches: readonly Stretch[] = [
      ...(lens === undefined ? [] : [{ from: s(lens[0]), to: s(lens[1]), times: 8 }]),
      ...(fold === undefined ? [] : [{ from: s(fold[0]), to: s(fold[1]), width: 30 }]),
    ];
    const texts = scene(from, to, (from + to) / 2, stretches)
      .filter(({ call }) => call === 'strokeText')
      .map(({ args: [text, x, y] }) => ({
        text: String(text),
        left: Number(x),
        y: Number(y),
        right: Number(x) + String(text).length * CHARACTER,
      }));
    const touching = texts.flatMap((a, i) =>
      texts
        .slice(i + 1)
        .filter((b) => Math.abs(a.y - b.y) < 10 && a.left < b.right && b.left < a.right)
        .map((b) => [a.text, b.text]),
    );
    const { frame } = setup(from, to, null, stretches);
    const folds = foldsOf(stretches).map((one) => [frame.x(one.from), frame.x(one.to)] as const);
    const folded = texts.filter((text) => folds.some(([left, right]) => text.right > left && text.left < right));
    expect(folded).toEqual([]);
    expect(texts.length).toBeGreaterThan(5);
    expect(touching).toEqual([]);
  });

  const counted = layout.rows
    .flatMap((row) => (row.kind === 'lane' ? row.lane.glyphs : []))
    .filter(({ text }) => text.includes('/'));
  it.each(counted.map(({ text, at }) => [text, at / 1e6] as const))(
    'cuts not even "%s" of %f s at the right edge',
    (_text, at) => {
      const cut = scene(0, at * 1.01, 0).filter(
        ({ call, args: [text, x] }) => call === 'strokeText' && Number(x) + String(text).length * CHARACTER > WIDTH,
      );
      expect(cut.map(({ args: [text] }) => text)).toEqual([]);
    },
  );

  it('lets no label stand under the playhead', () => {
    const playhead = 400;
    const under = scene(0, 80, 40).filter(
      ({ call, args: [text, x] }) =>
        call === 'strokeText' && Number(x) < playhead && Number(x) + String(text).length * CHARACTER > playhead,
    );
    expect(under).toEqual([]);
  });

  it('costs no more for a long run than for what is on the screen', () => {
    expect(scene(0, 600, 0).length).toBeLessThan(6_000);
    expect(scene(0, 60, 0).length).toBeLessThan(6_000);
  });
});

describe('hitTest and snap', () => {
  const x = timeScale({ from: s(0), to: s(80) }, WIDTH);
  const rowOf = (kind: string) => {
    const row = layout.rows.find((candidate) => candidate.kind === 'lane' && candidate.lane.kind === kind);
    if (row?.kind !== 'lane') throw new Error(`no lane ${kind}`);
    return row;
  };

  it('finds the glyph in reach of the pointer', () => {
    const row = rowOf('worker');
    const success = row.lane.glyphs.find(({ shape }) => shape === 'success');
    const hit = hitTest(layout, x, WIDTH, x(success?.at ?? 0) + 5, row.top + 20);
    expect(hit?.ref.row).toBe(success?.row);
  });

  it('finds the band where no glyph is', () => {
    const row = rowOf('condition');
    const hit = hitTest(layout, x, WIDTH, 700, row.top + 10);
    expect(hit?.at).toBe(row.lane.bands.at(-1)?.from);
  });

  it('finds the pass above, and its step in the thinner row below', () => {
    const row = rowOf('podWorker');
    const step = row.lane.steps.find(({ word }) => word === 'runtime');
    const pass = row.lane.bars.find(({ from, to }) => step && from <= step.from && step.to <= to);
    const near = timeScale({ from: s(0), to: s(2) }, WIDTH);
    const px = near(((step?.from ?? 0) + (step?.to ?? 0)) / 2);
    expect(hitTest(layout, near, WIDTH, px, row.top + 8)?.ref).toEqual(pass?.ref);
    expect(hitTest(layout, near, WIDTH, px, row.top + row.height - 8)?.ref).toEqual(step?.ref);
  });

  it('finds nothing on a title row', () => {
    expect(hitTest(layout, x, WIDTH, 300, 2)).toBeNull();
  });

  const { lane } = rowOf('condition');
  const edge = lane.bands.at(-1)?.from ?? micros(0);
  const around = (before: number, after: number) =>
    timeScale({ from: s(0), to: s(80) }, WIDTH, [{ from: edge - s(before), to: edge + s(after), times: 8 }]);
  it.each<[name: string, scale: typeof x]>([
    ['at one scale', x],
    ['where time is drawn larger', around(1, 1)],
    ['where that begins', around(0, 1)],
    ['where that ends', around(1, 0)],
  ])('snaps to an event within six pixels and to nothing farther away, %s', (_name, scale) => {
    for (const side of [-1, 1]) {
      expect(snap([lane], scale, scale(edge) + side * 5)).toBe(edge);
      expect(snap([lane], scale, scale(edge) + side * 9)).not.toBe(edge);
    }
  });

  it('finds the glyph under the pointer where time is drawn larger', () => {
    const row = rowOf('worker');
    const success = row.lane.glyphs.find(({ shape }) => shape === 'success');
    const at = success?.at ?? 0;
    const larger = timeScale({ from: s(0), to: s(80) }, WIDTH, [{ from: at - s(1), to: at + s(1), times: 8 }]);
    expect(hitTest(layout, larger, WIDTH, larger(at) + 5, row.top + 20)?.ref.row).toBe(success?.row);
    expect(hitTest(layout, larger, WIDTH, x(at), row.top + 20)?.ref.row).not.toBe(success?.row);
  });
});
