import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findBrowser } from './browser.mjs';
import { freePort } from './port.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * @import { Page } from '@playwright/test'
 * @typedef {{ page: Page, close: () => Promise<void> }} OpenPage
 */

/**
 * Serves `dist/` and opens it in a headless Chromium at 1440 × 900, light; returns when the first run is on the lanes.
 * Throws an Error that says what to do when there is no build or no browser.
 * @returns {Promise<OpenPage>}
 */
export async function openPage() {
  if (!existsSync(`${root}dist/index.html`)) throw new Error('there is no dist/index.html: run `npm run build` first');
  const executablePath = await findBrowser();
  if (executablePath === null)
    throw new Error('no Chromium: install one, or name its executable in PODTOPOOL_CHROMIUM');
  const [{ preview }, { chromium }] = await Promise.all([import('vite'), import('@playwright/test')]);
  const port = await freePort();
  const server = await preview({ root, logLevel: 'warn', preview: { port, strictPort: true } });
  const browser = await chromium.launch({ executablePath });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light', locale: 'en-GB' });
  const close = async () => {
    await browser.close();
    await server.close();
  };
  try {
    await page.goto(`http://localhost:${port}/`);
    await page.locator('canvas').first().waitFor();
  } catch (error) {
    await close();
    throw error;
  }
  return { page, close };
}
