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

test('Z folds the time in which nothing changes: what follows a long wait comes near, and is hit where it stands', async ({
  page,
}) => {
  await open(page);
  await page.locator('body').press('f');
  const places = async (): Promise<number> => {
    const at: number[] = [];
    for (const time of ['14', '30', `${SUCCESS}`]) {
      await goTo(page, time);
      at.push((await flag(page)).x);
    }
    return ((at[1] ?? 0) - (at[0] ?? 0)) / ((at[2] ?? 0) - (at[1] ?? 0));
  };
  const before = await places();
  await page.locator('body').press('z');
  await expect(page.getByRole('button', { name: 'Fold quiet time' })).toHaveAttribute('aria-pressed', 'true');
  const after = await places();
  expect(before).toBeGreaterThan(8); // 16 s to 1.5 s
  expect(after).toBeLessThan(before / 4);
  const { x } = await flag(page);
  const worker = await page.locator('.lane-title', { hasText: 'Readiness worker' }).boundingBox();
  await page.mouse.click(x + 3, (worker?.y ?? 0) + 8);
  await expect(page.locator('.selected-event')).toContainText(/readiness/i);
  await expect(playhead(page)).toHaveValue(SUCCESS.toFixed(3));
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('quiet time comes folded, and unfolds with a tap; nothing runs out of the screen', async ({ page }) => {
    await open(page);
    const button = page.getByRole('button', { name: 'Fold quiet time' });
    await expect(button).toHaveAttribute('aria-pressed', 'true');
    await button.tap();
    await expect(button).toHaveAttribute('aria-pressed', 'false');
    for (const control of await page.locator('.transport button').all()) {
      const box = await control.boundingBox();
      if (box !== null) expect(box.x).toBeGreaterThanOrEqual(0);
      if (box !== null) expect(box.x + box.width).toBeLessThanOrEqual(390);
    }
  });
});
