import { expect, type Page, test } from '@playwright/test';
import { goTo, open, playhead } from './page.ts';

/** The button at the end of what is magnified. */
const eightTimes = (page: Page) => page.locator('.ruler').getByRole('button', { name: /8 times/ });
const flag = async (page: Page) => {
  const box = await page.locator('.ruler-flag').boundingBox();
  if (box === null) throw new Error('the flag is out of view');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};
/** The readiness probe's success in the first example, in seconds. */
const SUCCESS = 31.488;

test('X draws a second around the playhead 8 times as long: marks in it are hit, scrubbing is finer, X ends it', async ({
  page,
}) => {
  await open(page);
  await goTo(page, `${SUCCESS}`);
  const before = await page.locator('.window-text').textContent();
  await page.locator('body').press('x');
  await expect(eightTimes(page)).toBeVisible();
  await expect(page.locator('.ruler .tick.magnified').first()).toBeVisible();
  await expect(page.locator('.window-text')).toHaveText(before ?? '');

  const { x } = await flag(page);
  const worker = await page.locator('.lane-title', { hasText: 'Readiness worker' }).boundingBox();
  await page.mouse.click(x + 3, (worker?.y ?? 0) + 8);
  await expect(page.locator('.selected-event')).toContainText(/readiness/i);
  await expect(playhead(page)).toHaveValue(SUCCESS.toFixed(3));

  const scrubbed = async (): Promise<number> => {
    await goTo(page, `${SUCCESS}`);
    const from = await flag(page);
    await page.keyboard.down('Alt'); // no snapping
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 40, from.y);
    await page.mouse.up();
    await page.keyboard.up('Alt');
    return Number(await playhead(page).inputValue()) - SUCCESS;
  };
  const fine = await scrubbed();
  await page.locator('body').press('x');
  await expect(eightTimes(page)).toBeHidden();
  const coarse = await scrubbed();
  expect(fine).toBeGreaterThan(0.2);
  expect(coarse / fine).toBeGreaterThan(5);
});

test('the wheel zooms about the pointer in what is magnified, and its button ends it', async ({ page }) => {
  await open(page);
  await goTo(page, `${SUCCESS}`);
  await page.getByRole('button', { name: 'Magnify' }).click();
  const { x } = await flag(page);
  const before = await page.locator('.window-text').textContent();
  const lanes = await page.locator('.lane-stage').boundingBox();
  await page.mouse.move(x, (lanes?.y ?? 0) + 60);
  await page.keyboard.down('Control');
  for (let turn = 0; turn < 3; turn++) await page.mouse.wheel(0, -10);
  await page.keyboard.up('Control');
  await expect(page.locator('.window-text')).not.toHaveText(before ?? '');
  await expect.poll(async () => Math.abs((await flag(page)).x - x)).toBeLessThan(2);
  await eightTimes(page).click();
  await expect(eightTimes(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Magnify' })).toHaveAttribute('aria-pressed', 'false');
});

test('Why magnifies the burst of the path, and takes that along when it goes', async ({ page }) => {
  await open(page);
  await goTo(page, '24');
  await page.locator('body').press('y');
  await expect(eightTimes(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(eightTimes(page)).toBeHidden();
});
