import { describe, expect, it } from 'vitest';
import { capitalised, formatDuration, formatInstant, formatTick, parseInstant, shortened } from './format.ts';

const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

describe('format', () => {
  it.each<[name: string, got: string, expected: string]>([
    ['a message begins a sentence', capitalised('the link is damaged'), 'The link is damaged'],
    ['a name that fits stays whole', shortened('web-0', 16), 'web-0'],
    ['a long name keeps its end', shortened('recommendation-service-7xvbtrq8kl-4nkxs', 16), 'recommend…-4nkxs'],
    ['an instant has milliseconds', formatInstant(11_340_000), '11.340 s'],
    ['an instant before the start has a true minus sign', formatInstant(-250_000), '−0.250 s'],
    ['a fine instant shows microseconds only when there are any', formatInstant(1_000_250, true), '1.000250 s'],
    ['a fine whole millisecond stays short', formatInstant(1_001_000, true), '1.001 s'],
    ['under a millisecond one digit is kept', formatDuration(400), '0.4 ms'],
    ['under a second it is whole milliseconds', formatDuration(12_400), '12 ms'],
    ['just under a second does not read as 1000 ms', formatDuration(999_700), '1.000 s'],
    ['under a minute it is seconds', formatDuration(8_400_000), '8.400 s'],
    ['above a minute it is minutes and seconds', formatDuration(125_000_000), '2 min 05.0 s'],
    ['rounding never shows sixty seconds', formatDuration(119_990_000), '2 min 00.0 s'],
    ['a length without end is infinite', formatDuration(Number.POSITIVE_INFINITY), '∞'],
    ['a ruler of whole seconds has no digits', formatTick(10_000_000, 2_000_000), '10 s'],
    ['a ruler of half seconds has one digit', formatTick(10_500_000, 500_000), '10.5 s'],
  ])('%s', (_name, got, expected) => {
    expect(plain(got)).toBe(expected);
  });

  it.each<[typed: string, expected: number | null]>([
    ['11.34', 11_340_000],
    ['+50ms', 1_050_000],
    ['-1s', 0],
    ['2 min', 120_000_000],
    ['soon', null],
    ['', null],
  ])('reads %j as a time from 1 s', (typed, expected) => {
    expect(parseInstant(typed, 1_000_000)).toBe(expected);
  });
});
