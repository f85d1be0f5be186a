import { expect, test } from '@playwright/test';
import { answer, DEPLOYMENT, goTo, open, paste, playhead } from './page.ts';

test('a link brings scenario, sliders, playhead and language to a new page', async ({ page, context }) => {
  await open(page);
  await paste(page, DEPLOYMENT);
  await expect(answer(page)).toContainText('grafana-');
  await page.getByRole('slider', { name: 'periodSeconds' }).first().press('ArrowRight');
  await expect(page.getByText('1 change')).toBeVisible();
  const period = await page.getByRole('textbox', { name: 'Value of periodSeconds' }).first().inputValue();
  await goTo(page, '4.2');
  const said = await answer(page).textContent();
  await page.getByRole('button', { name: 'Share' }).click();
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  expect(link).toContain('#v1.');
  expect(link.length).toBeLessThan(2_000);

  const other = await context.newPage();
  await open(other, link);
  await expect(answer(other)).toHaveText(said ?? '');
  await expect(playhead(other)).toHaveValue('4.200');
  await expect(other.getByRole('textbox', { name: 'Value of periodSeconds' }).first()).toHaveValue(period);
});

test('a damaged link says what can be done, and the page works', async ({ page }) => {
  await open(page, './#v1.d.AAAA');
  await expect(page.getByRole('alert')).toContainText('Copy the whole link again');
  await expect(answer(page)).toContainText('Ready');
});

test('a link typed into the open page is followed, and back brings the scenario before', async ({ page }) => {
  await open(page);
  await paste(page, DEPLOYMENT);
  await expect(answer(page)).toContainText('grafana-');
  await page.getByRole('button', { name: 'Share' }).click();
  const grafana = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  await page.keyboard.press('Escape');
  await page.goto(grafana);
  await page.locator('.example-trigger').click();
  await page.locator('.menu-item', { hasText: 'Liveness kills' }).click();
  await expect(answer(page)).toContainText('search-');
  await page.getByRole('button', { name: 'Share' }).click();
  const search = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  await page.keyboard.press('Escape');
  await page.goto(search);
  await expect(answer(page)).toContainText('search-');
  await page.goBack();
  await expect(answer(page)).toContainText('grafana-');
});
