import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { goTo, open } from './page.ts';

const card = (page: Page) => page.getByRole('region', { name: 'Why', exact: true });
const violations = async (page: Page) =>
  (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);

test('Y docks the card in the place of the inspector; Esc gives it back, and the focus to its button', async ({
  page,
}) => {
  await open(page);
  await goTo(page, '24');
  await page.locator('body').press('y');
  await expect(card(page)).toContainText(/Why is web-\S+ not a backend of web at 24.000/);
  await expect(page.getByText(/^Who sees/)).toBeHidden();
  await expect(card(page).getByRole('listitem').and(page.locator('.missing'))).toContainText('Wait for probe');
  await page.keyboard.press('Escape');
  await expect(card(page)).toBeHidden();
  await expect(page.getByText(/^Who sees/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Why/ })).toBeFocused();
});

test('answer, ladder and card agree along the path, step by step', async ({ page }) => {
  await open(page);
  await goTo(page, '24');
  await page.locator('body').press('y');
  await expect(card(page)).toBeVisible();
  for (const step of [1, 2, 4, 5, 6]) {
    await page.keyboard.press(']');
    const done = card(page).getByRole('listitem').and(page.locator('.done'));
    await expect(done.last()).toBeVisible();
    const question = await card(page).getByRole('heading', { level: 2 }).textContent();
    const isBackend = question?.includes(' not a backend') === false;
    const verdict = await page.locator('.verdict').textContent();
    expect([step, isBackend, verdict]).toEqual([step, step === 6, step === 6 ? 'Backend' : 'Not a backend']);
  }
});

test('what would shorten the wait is really run, and one button away', async ({ page }) => {
  await open(page);
  await goTo(page, '24');
  await page.locator('body').press('y');
  const edits = card(page).locator('.why-edits').getByRole('listitem');
  await expect(edits).toHaveCount(3);
  await expect(edits.last()).toContainText('does not help');
  const said = await edits.locator('.helps').filter({ hasText: 'backend at' }).first().textContent();
  await edits.getByRole('button', { name: /^Try readinessProbe.periodSeconds/ }).click();
  await expect(page.getByRole('slider', { name: 'periodSeconds' })).toHaveAttribute('aria-valuetext', '6 s');
  expect(said).toMatch(/^−/);
});

test('the budget leads to a hop', async ({ page }) => {
  await open(page);
  const budget = page.getByRole('region', { name: 'Where the time goes' });
  await budget.getByRole('button', { name: /Rule sync/ }).click();
  await expect(page.locator('.selected-event')).toBeVisible();
  await expect(page.locator('.window-text')).not.toContainText('0.8');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in the card and the budget, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await open(page);
    await goTo(page, '24');
    await page.locator('body').press('y');
    await expect(card(page)).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('the card is a sheet from below, with the budget', async ({ page }) => {
    await open(page);
    await page.getByRole('button', { name: /^Why/ }).tap();
    await expect(card(page)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Where the time goes' })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await violations(page)).toEqual([]);
    await card(page).getByRole('button', { name: 'Close' }).tap();
    await expect(card(page)).toBeHidden();
  });
});
