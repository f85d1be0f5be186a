/** `npm test`: every part of the checks, each once; ends with the line `N passed, N failed`. Needs nothing but Node. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChineseFont, findBrowser } from './lib/browser.mjs';
import { countPlaywright, countVitest, settle } from './lib/counts.mjs';
import { prepare } from './lib/packages.mjs';
import { freePort } from './lib/port.mjs';
import { npm } from './lib/run.mjs';

/**
 * @import { Counts } from './lib/counts.mjs'
 */

await prepare();
process.env.TZ = 'UTC';
process.env.LC_ALL = 'C';
process.env.NO_COLOR = '1';
const reports = mkdtempSync(join(tmpdir(), 'podtopool-test-'));
const total = { passed: 0, failed: 0 };

for (const script of ['types', 'lint', 'boundaries', 'knip']) await part(script);
const vitestReport = join(reports, 'vitest.json');
await part('unit', {
  args: ['--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`],
  count: () => countReport(vitestReport, countVitest),
});
await part('build');
await part('size');
await endToEnd();

rmSync(reports, { recursive: true });
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** The specs in a real browser. Without one the part has failed; it is never left out. */
async function endToEnd() {
  const browser = await findBrowser();
  if (browser === null) {
    report('e2e', { passed: 0, failed: 1 });
    console.log('No Chromium to be had: install one, or name its executable in PODTOPOOL_CHROMIUM.');
    return;
  }
  await ensureChineseFont();
  const playwrightReport = join(reports, 'playwright.json');
  await part('e2e', {
    args: ['--reporter=list,json'],
    env: {
      PODTOPOOL_CHROMIUM: browser,
      PODTOPOOL_PORT: String(await freePort()),
      PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport,
    },
    count: () => countReport(playwrightReport, countPlaywright),
  });
}

/**
 * Runs one script of package.json and adds up what it counted; one that does not count is one test.
 * What it printed is shown only when something failed.
 * @param {string} script
 * @param {{ args?: string[], env?: NodeJS.ProcessEnv, count?: () => Counts | null }} [options]
 */
async function part(script, { args = [], env = {}, count } = {}) {
  const { status, output } = await npm(['run', '--silent', script, '--', ...args], { env });
  const ownCount = count ?? (() => ({ passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1 }));
  const counts = settle(ownCount(), status);
  report(script, counts);
  if (counts.failed > 0) console.log(output);
}

/**
 * @param {string} name
 * @param {Counts} counts
 */
function report(name, { passed, failed }) {
  total.passed += passed;
  total.failed += failed;
  console.log(`${failed > 0 ? '✗' : '✓'} ${name}: ${passed} of ${passed + failed} passed`);
}

/**
 * @template Report
 * @param {string} file
 * @param {(report: Report) => Counts} counter
 * @returns {Counts | null} null when the program ended before it wrote its report.
 */
function countReport(file, counter) {
  return existsSync(file) ? counter(JSON.parse(readFileSync(file, 'utf8'))) : null;
}
