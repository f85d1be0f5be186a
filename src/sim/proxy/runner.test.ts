import { describe, expect, it } from 'vitest';
import { micros, milliseconds, seconds } from '../../base/units.ts';
import { Kernel, type Task } from '../kernel/kernel.ts';
import { OlderBoundedFrequencyRunner } from './olderRunner.ts';
import { BoundedFrequencyRunner, type Runner, type RunnerOptions } from './runner.ts';

interface Play {
  /** When a run is asked for, ms. */
  readonly asks: readonly number[];
  /** Length of a run, ms. */
  readonly takes?: number;
  readonly min?: number;
  readonly max?: number;
  /** Which runs fail, counted from 0. */
  readonly fails?: readonly number[];
}

/** Starts of the runs, ms; `*`: by the runner's timer. The retry interval is 5 s. */
function play(
  make: (options: RunnerOptions) => Runner,
  { asks, takes = 40, min = 1000, max = 3_600_000, fails = [] }: Play,
) {
  const kernel = new Kernel(micros(0), micros(seconds(60)));
  const runs: string[] = [];
  const runner = make({
    kernel,
    minInterval: milliseconds(min),
    retryInterval: seconds(5),
    maxInterval: milliseconds(max),
    *fn(isLate): Task<boolean> {
      const place = runs.push(`${kernel.now / 1000}${isLate ? '*' : ''}`) - 1;
      yield milliseconds(takes);
      return !fails.includes(place);
    },
  });
  runner.start();
  for (const ask of asks) kernel.at(micros(milliseconds(ask)), 'proxy', () => runner.run());
  while (kernel.advance(1000));
  return runs;
}

describe('since 1.34', () => {
  it.each<[string, Play, readonly string[]]>([
    ['the first request runs at once', { asks: [500] }, ['500']],
    ['requests of one instant are one run', { asks: [500, 500] }, ['500']],
    ['the minimum counts from the end of a run', { asks: [500, 600] }, ['500', '1540*']],
    ['a request during a run is not lost', { asks: [500, 520] }, ['500', '1540*']],
    ['all requests during run and cool-down are one run', { asks: [500, 520, 900, 1539] }, ['500', '1540*']],
    ['after the cool-down a request runs at once', { asks: [500, 1541] }, ['500', '1541']],
    ['there is no burst after a long rest', { asks: [9000, 9100, 9200] }, ['9000', '10040*']],
    ['a long run: changes wait for it and for the minimum', { asks: [0, 10], takes: 2000 }, ['0', '3000*']],
    ['without a minimum the next follows at once', { asks: [500, 520], min: 0 }, ['500', '540*']],
    ['the maximum counts from the end of the last run', { asks: [500], max: 20_000 }, ['500', '20540*', '40580*']],
    ['without a request the maximum counts from the start', { asks: [], max: 20_000 }, ['20000*', '40040*']],
    ['a run that fails is tried again', { asks: [500], fails: [0] }, ['500', '5540*']],
    ['a request comes before the retry', { asks: [500, 2000], fails: [0] }, ['500', '2000']],
    ['a retry that fails is tried again', { asks: [500], fails: [0, 1] }, ['500', '5540*', '10580*']],
    [
      'a retry never waits longer than the maximum',
      { asks: [500], fails: [0], max: 40_000 },
      ['500', '5540*', '45580*'],
    ],
  ])('%s', (_, given, expected) => {
    expect(play((options) => new BoundedFrequencyRunner(options), given)).toEqual(expected);
  });
});

describe('up to 1.33', () => {
  it.each<[string, Play, readonly string[]]>([
    ['the first request runs at once', { asks: [500] }, ['500']],
    ['two may follow each other without a wait', { asks: [9000, 9100] }, ['9000', '9100']],
    [
      'the third waits for the minimum after the end of the second',
      { asks: [9000, 9100, 9200] },
      ['9000', '9100', '10140*'],
    ],
    [
      'a bucket that has filled up again gives two',
      { asks: [9000, 9050, 12_000, 12_050] },
      ['9000', '9050', '12000', '12050'],
    ],
    ['the maximum counts from the end of the last run', { asks: [500], max: 20_000 }, ['500', '20540*', '40580*']],
    ['a run that fails is tried again', { asks: [500], fails: [0] }, ['500', '5540*']],
    ['a request comes before the retry', { asks: [500, 2000], fails: [0] }, ['500', '2000']],
    ['without a minimum there is no bucket', { asks: [500, 550, 600], min: 0 }, ['500', '550', '600']],
  ])('%s', (_, given, expected) => {
    expect(play((options) => new OlderBoundedFrequencyRunner(options), given)).toEqual(expected);
  });
});
