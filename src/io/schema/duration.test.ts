import { expect, it } from 'vitest';
import { parseDuration } from './duration.ts';
import { parseWallClock } from './time.ts';

it.each([
  ['10m', 600],
  ['2.4s', 2.4],
  ['1h2m3s', 3723],
  ['500us', 0.0005],
  ['12ms', 0.012],
  ['0.1us', 0],
  ['', null],
  ['5', null],
  ['-5s', null],
  ['5 s', null],
  ['5d', null],
])('%s is %s seconds', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});

it.each([
  ['1970-01-01T00:00:00Z', 0],
  ['1970-01-01T00:00:01.25Z', 1_250_000],
  ['1970-01-01T01:00:00.000001+01:00', 1],
  ['1970-13-01T00:00:00Z', null],
  ['1970-01-01', null],
])('%s is %s microseconds since the epoch', (text, us) => {
  expect(parseWallClock(text)).toBe(us);
});
