/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed A skipped test is a failed one: nothing is left out silently.
 */

/**
 * @typedef {object} VitestReport The part of Vitest's JSON report that is read.
 * @property {number} numTotalTests
 * @property {number} numPassedTests
 * @property {readonly { status: string, assertionResults: readonly unknown[] }[]} testResults One for each file.
 *
 * @typedef {object} PlaywrightReport The part of Playwright's JSON report that is read.
 * @property {{ expected: number, unexpected: number, flaky: number, skipped: number }} stats
 * @property {readonly unknown[]} errors
 */

/**
 * What Vitest's JSON report says. A file that does not load counts as one failed test.
 * @param {VitestReport} report
 * @returns {Counts}
 */
export function countVitest(report) {
  const { numTotalTests, numPassedTests, testResults } = report;
  const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  return { passed: numPassedTests, failed: numTotalTests - numPassedTests + broken.length };
}

/**
 * What Playwright's JSON report says. An error outside of any test (a file that does not load, no web server) counts as one failed test.
 * @param {PlaywrightReport} report
 * @returns {Counts}
 */
export function countPlaywright(report) {
  const { expected, unexpected, flaky, skipped } = report.stats;
  return { passed: expected, failed: unexpected + flaky + skipped + report.errors.length };
}

/**
 * A part's counts, made to agree with how its program ended: one that fails, or runs no test, has at least one failure.
 * @param {Counts | null} counts null when the program left no report.
 * @param {number | null} status Exit status; null when it was killed.
 * @returns {Counts}
 */
export function settle(counts, status) {
  const { passed, failed } = counts ?? { passed: 0, failed: 0 };
  const isSound = status === 0 && passed + failed > 0;
  return { passed, failed: isSound ? failed : Math.max(1, failed) };
}
