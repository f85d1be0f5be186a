/** Takes docs/picture.png, the picture of the README, from the product itself. Needs a build (`npm run build`) and a Chromium. */
import { fileURLToPath } from 'node:url';
import { openPage } from './lib/page.mjs';

const { page, close } = await openPage();
try {
  await page.locator('.chart').waitFor(); // comes a little later than the lanes
  await page.screenshot({
    path: fileURLToPath(new URL('../docs/picture.png', import.meta.url)),
    animations: 'disabled',
  });
} finally {
  await close();
}
