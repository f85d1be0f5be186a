import { describe, expect, it } from 'vitest';
import { countPlaywright, countVitest, settle } from './counts.mjs';

describe('countVitest', () => {
  it.each([
    ['all passed', { numTotalTests: 3, numPassedTests: 3, testResults: [] }, { passed: 3, failed: 0 }],
    [
      'a skipped test is a failed one',
      { numTotalTests: 3, numPassedTests: 2, testResults: [] },
      { passed: 2, failed: 1 },
    ],
    [
      'a file that does not load is one failed test',
      { numTotalTests: 3, numPassedTests: 3, testResults: [{ status: 'failed', assertionResults: [] }] },
      { passed: 3, failed: 1 },
    ],
    [
      'a file with a failed test counts by its tests',
      { numTotalTests: 3, numPassedTests: 2, testResults: [{ status: 'failed', assertionResults: [{}] }] },
      { passed: 2, failed: 1 },
    ],
  ])('%s', (_name, report, counts) => {
    expect(countVitest(report)).toEqual(counts);
  });
});

describe('countPlaywright', () => {
  it.each([
    ['all passed', { expected: 3, unexpected: 0, flaky: 0, skipped: 0 }, [], { passed: 3, failed: 0 }],
    [
      'a failed, a flaky and a skipped one',
      { expected: 0, unexpected: 1, flaky: 1, skipped: 1 },
      [],
      { passed: 0, failed: 3 },
    ],
    ['an error outside of tests', { expected: 3, unexpected: 0, flaky: 0, skipped: 0 }, [{}], { passed: 3, failed: 1 }],
  ])('%s', (_name, stats, errors, counts) => {
    expect(countPlaywright({ stats, errors })).toEqual(counts);
  });
});

describe('settle', () => {
  it.each([
    ['keeps the counts of a program that ended well', { passed: 2, failed: 0 }, 0, { passed: 2, failed: 0 }],
    ['keeps the failures that a failing program counted', { passed: 2, failed: 3 }, 1, { passed: 2, failed: 3 }],
    ['adds a failure where a program failed and counted none', { passed: 2, failed: 0 }, 1, { passed: 2, failed: 1 }],
    ['adds a failure where a program was killed', { passed: 2, failed: 0 }, null, { passed: 2, failed: 1 }],
    ['adds a failure where no test ran', { passed: 0, failed: 0 }, 0, { passed: 0, failed: 1 }],
    ['adds a failure where no report was left', null, 0, { passed: 0, failed: 1 }],
  ])('%s', (_name, counts, status, settled) => {
    expect(settle(counts, status)).toEqual(settled);
  });
});
