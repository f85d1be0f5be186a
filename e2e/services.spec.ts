import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { answer, goTo, open } from './page.ts';

const lane = (page: Page, name: string | RegExp) => page.locator('.lane-title', { hasText: name });
const who = (page: Page, name: string) => page.locator('.who li', { hasText: name });
const chosen = (page: Page) => page.getByRole('combobox', { name: 'Object or rules' });

/** Opens an example and waits for its run, which has that Service. */
async function openExample(page: Page, title: string, service: string): Promise<void> {
  await open(page);
  await page.getByRole('button', { name: /Running but not Ready/ }).click();
  await page.getByText(title).first().click();
  await expect(page.locator('.lane-group-title', { hasText: service }).first()).toBeAttached();
}

test('the answer goes on from Ready in the API to the rules on the node', async ({ page }) => {
  await open(page);
  await goTo(page, '20');
  await expect(who(page, 'kube-proxy rules')).toContainText('0/1 nodes');
  await goTo(page, '80');
  await expect(answer(page)).toContainText(/It is a backend of web since 31\.\d+/);
  await expect(answer(page)).toContainText(/to Ready in the API, .+ to the slice, .+ to the rules/);
  await expect(who(page, 'EndpointSlice')).toContainText('ready');
  await expect(who(page, 'kube-proxy rules')).toContainText('1/1 nodes');
});

test('slices, Endpoints and rules have lanes; controllers unfold', async ({ page }) => {
  await open(page);
  for (const name of ['EndpointSlices', 'Endpoints', 'web:http', 'Rule sync'])
    await expect(lane(page, name).first()).toBeAttached();
  await expect(lane(page, 'EndpointSlice controller')).toHaveCount(0);
  const group = page.getByRole('button', { name: /Controllers/ });
  await group.scrollIntoViewIfNeeded();
  await group.click();
  await expect(lane(page, 'EndpointSlice controller')).toBeAttached();
});

test('the way from the app to its client fits the screen; the lanes that come hidden are one click away', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page);
  await expect(lane(page, 'App process')).toBeInViewport({ ratio: 1 });
  await expect(lane(page, /^Client/)).toBeInViewport({ ratio: 1 });
  await expect(lane(page, 'Pod phase')).toHaveCount(0);
  await page.getByRole('button', { name: '+7 lanes' }).click();
  await expect(lane(page, 'Pod phase')).toBeVisible();
  await page.getByRole('button', { name: '−7 lanes' }).click();
  await expect(lane(page, 'Pod phase')).toHaveCount(0);
});

test('objects and rules at the playhead, with the chance of each backend', async ({ page }) => {
  await open(page);
  await goTo(page, '80');
  await expect(page.locator('.service-view')).toContainText('serving: true');
  await chosen(page).selectOption({ label: 'Rules of kube-proxy-node-a' });
  await expect(page.locator('.rules')).toContainText(/10\.96\.0\.10:80\/tcp/i);
  await expect(page.locator('.rules')).toContainText(/100\s%/);
  await goTo(page, '10');
  await expect(page.locator('.rules')).toContainText('REJECT');
});

test('a neighbour holds the rules back for the rest of minSyncPeriod', async ({ page }) => {
  await openExample(page, 'A neighbour holds the rules back', 'default/noisy');
  await goTo(page, '33');
  await expect(answer(page)).toContainText(
    /The slices of web list it, but 1 of 1 node has no rule for it yet: that comes at 38/,
  );
  await page.getByRole('heading', { name: 'Cluster' }).click();
  await page.getByRole('textbox', { name: 'Value of minSyncPeriod' }).fill('1');
  await page.getByRole('textbox', { name: 'Value of minSyncPeriod' }).press('Enter');
  await expect(answer(page)).toContainText('It is a backend of web');
});

test('without a ready Pod the rules fall back to one that terminates and serves; Endpoints has dropped it', async ({
  page,
}) => {
  await openExample(page, 'A preStop that is too short', 'default/checkout');
  await goTo(page, '21');
  await expect(answer(page)).toContainText('the rules fall back to this one');
  await expect(who(page, 'EndpointSlice')).toContainText('serving, terminating');
});

test('a run of Pods without kubelets still tells its story', async ({ page }) => {
  await openExample(page, 'A flap of half a millisecond', 'default/quote');
  await expect(page.locator('.answer-title')).toContainText('No kubelet runs a Pod here');
  await expect(lane(page, 'quote-0')).toBeVisible();
  await expect(chosen(page)).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in the rules of a node, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await open(page);
    await chosen(page).selectOption({ label: 'Rules of kube-proxy-node-a' });
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  });
}
