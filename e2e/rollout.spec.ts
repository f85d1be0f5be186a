import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { answer, open } from './page.ts';

async function openExample(page: Page, name: string): Promise<void> {
  await open(page);
  await page.getByRole('button', { name: /Running but not Ready/ }).click();
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  await expect(page.locator('.example-trigger')).toContainText(name);
}

test('a rollout opens at its first lost request: answer, ladder, budget and list speak of it', async ({ page }) => {
  await openExample(page, 'A rollout that drops requests');
  await expect(answer(page)).toContainText('is being deleted, but in the pool');
  await expect(page.locator('.verdict.stale')).toHaveText('Backend');
  await expect(page.getByText('Last to let go.')).toBeVisible();
  await expect(page.locator('.who .missing')).toContainText('kube-proxy rules');
  const lost = page.getByRole('region', { name: 'Lost requests' });
  await expect(lost).toContainText(/\d+ of 800/);
  await lost.getByRole('button').first().click();
  await expect(lost.getByRole('button', { pressed: true })).toContainText(/Timed out: .*rule sync/);
  const budget = page.getByRole('region', { name: 'Where the time goes' });
  await expect(budget).toContainText(/deleted .* out of the rules of node-a/);
  await expect(budget).toContainText(/Wait for the sync.*Write rules/);
});

test('workloads, nodes and clients have lanes, with what a client met in words in the list', async ({ page }) => {
  await openExample(page, 'A node dies');
  const groups = page.locator('.lane-group');
  for (const group of [
    /^Deploymentdefault\/cart/,
    /^Nodenode-b/,
    /^Servicedefault\/cart/,
    /^kube-proxynode-a/,
    /^Clients/,
  ])
    await expect(groups.filter({ hasText: group }).first()).toBeAttached();
  for (const lane of ['ReplicaSet 1', 'Node Ready', 'Lease', 'Taints'])
    await expect(page.locator('.lane-title', { hasText: lane }).first()).toBeAttached();
  await page.locator('body').press('y');
  await expect(page.locator('.why-answer')).toContainText(
    /^It is a backend of cart .* But since 60\.000\ss node-b has had no power/,
  );
  await page.locator('body').press('l');
  await expect(
    page.locator('.list-what', { hasText: /^Request \d+ of shop to cart-\S+ gets no answer/ }).first(),
  ).toBeVisible();
});

test('axe finds nothing in a rollout with a chosen lost request', async ({ page }) => {
  await openExample(page, 'A rollout that drops requests');
  await page.getByRole('region', { name: 'Lost requests' }).getByRole('button').first().click();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
});

test('a rollout that drops none says so: nothing is lost', async ({ page }) => {
  await openExample(page, 'A rollout that drops none');
  await expect(page.getByText(/^Who sees/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Lost requests' })).toBeHidden();
});
