import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './run.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const DOWNLOAD_LIMIT_MS = 5 * 60_000;
const APT_LIMIT_MS = 15 * 60_000;

/**
 * A Chromium that starts here. What is on the machine is used first; then Playwright's own is downloaded; then, as
 * root on Debian, the distribution's package is installed. Says in one line what it installs.
 * @returns {Promise<string | null>} The executable; null when there is none to be had.
 */
export async function findBrowser() {
  const { chromium } = await import('@playwright/test');
  const own = chromium.executablePath();
  const present = [process.env.PODTOPOOL_CHROMIUM, own, ...NAMES.map(onPath)];
  for (const candidate of present) if (await starts(candidate)) return candidate ?? null;

  console.log("No Chromium found. Downloading Playwright's own (npx playwright install chromium)…");
  const cli = 'node_modules/@playwright/test/cli.js';
  await run(process.execPath, [cli, 'install', 'chromium'], { timeoutMs: DOWNLOAD_LIMIT_MS });
  if (await starts(own)) return own;

  if (!canInstallDebianPackages()) return null;
  console.log("It cannot be had or does not start. Installing Debian's (apt-get install chromium)…");
  await installDebianPackage('chromium');
  const debian = onPath('chromium');
  return (await starts(debian)) ? (debian ?? null) : null;
}

/** Sees to a font with Chinese characters, which the Chinese screens need. Best effort: without one, a line says so. */
export async function ensureChineseFont() {
  if (process.platform !== 'linux' || (await hasChineseFont())) return;
  if (canInstallDebianPackages()) {
    console.log('No font with Chinese characters found. Installing one (apt-get install fonts-noto-cjk)…');
    await installDebianPackage('fonts-noto-cjk');
    if (await hasChineseFont()) return;
  }
  console.log('There is no font with Chinese characters; Chinese screens will show boxes. Install fonts-noto-cjk.');
}

async function hasChineseFont() {
  const { status, output } = await run('fc-list', [':lang=zh', 'family']);
  return status === 0 && output.trim() !== '';
}

const canInstallDebianPackages = () => process.getuid?.() === 0 && onPath('apt-get') !== undefined;

/** @param {string} name */
async function installDebianPackage(name) {
  const options = { timeoutMs: APT_LIMIT_MS, env: { DEBIAN_FRONTEND: 'noninteractive' } };
  const install = () => run('apt-get', ['install', '-y', '--no-install-recommends', name], options);
  if ((await install()).status === 0) return;
  await run('apt-get', ['update'], options); // the list of packages may be missing or old
  await install();
}

/** @param {string} name */
function onPath(name) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * A browser without the libraries it needs is as good as none; asking its version shows it.
 * @param {string | undefined} file
 */
async function starts(file) {
  return file !== undefined && existsSync(file) && (await run(file, ['--version'], { timeoutMs: 20_000 })).status === 0;
}
