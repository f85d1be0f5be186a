import { describe, expect, it } from 'vitest';
import { jsonText, type Row, tableText } from './report.ts';
import { median, percentile } from './statistics.ts';

const row = (over: Partial<Row>): Row => ({ name: 'a', value: 1.234, unit: 'ms', target: 5, problem: null, ...over });

describe('the bench table', () => {
  it.each<[name: string, row: Row, line: RegExp]>([
    ['says yes for a value within its target', row({}), /^a\s+1\.23\s+ms\s+5\s+yes$/m],
    ['says yes for a value at its target', row({ value: 5 }), /5\.00\s+ms\s+5\s+yes$/m],
    ['says no for a value above its target', row({ value: 51.6 }), /^a\s+52\s+ms\s+5\s+no$/m],
    [
      'names why there is no value',
      row({ value: null, problem: 'no Chromium' }),
      /not measured\n[\s\S]*^a: not measured: no Chromium$/m,
    ],
  ])('%s', (_name, one, line) => {
    expect(tableText([one])).toMatch(line);
  });
});

it('the JSON holds name, value, unit and target of each row, and nothing else', () => {
  expect(JSON.parse(jsonText([row({}), row({ value: null, problem: 'no Chromium' })]))).toEqual({
    rows: [
      { name: 'a', value: 1.234, unit: 'ms', target: 5 },
      { name: 'a', value: null, unit: 'ms', target: 5 },
    ],
  });
});

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  it.each<[name: string, got: number, expected: number]>([
    ['the median of an odd number of samples is the middle one', median([9, 1, 5]), 5],
    ['the 95th of 1 to 100 is 95', percentile(hundred, 0.95), 95],
    ['of one sample every percentile is that sample', percentile([7], 0.01), 7],
  ])('%s', (_name, got, expected) => {
    expect(got).toBe(expected);
  });

  it('of no samples is an error, not a number', () => {
    expect(() => median([])).toThrow(RangeError);
  });
});
