import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { answer, DEPLOYMENT, open, paste } from './page.ts';

const violations = async (page: Page) =>
  (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);

/** Each view has a test of its own: axe takes seconds for one. */
const VIEWS: readonly (readonly [view: string, show: (page: Page) => Promise<void>])[] = [
  ['page with a selected event', (page) => page.locator('body').press('Comma')],
  ['list of events', (page) => page.locator('body').press('l')],
  [
    'editor',
    async (page) => {
      await page.getByRole('button', { name: 'YAML' }).click();
      await expect(page.getByRole('textbox', { name: 'Manifests and scenario as YAML' })).toBeVisible();
    },
  ],
  [
    'share dialog',
    async (page) => {
      await page.getByRole('button', { name: 'Share' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  ],
  [
    'menu of actions, with a flag',
    async (page) => {
      await page.getByRole('button', { name: 'Add at playhead' }).click();
      await page.getByRole('button', { name: /^Restart the kubelet/ }).click();
      await expect(page.getByRole('button', { name: /Action: restartKubelet/ })).toBeVisible();
      await page.getByRole('button', { name: 'Add at playhead' }).click();
    },
  ],
  [
    'change of an action at its flag',
    async (page) => {
      await page.getByRole('button', { name: 'Add at playhead' }).click();
      await page.getByRole('button', { name: /^Restart the kubelet/ }).click();
      await page.getByRole('button', { name: /Action: restartKubelet/ }).press('Enter');
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  ],
  [
    'help',
    async (page) => {
      await page.locator('body').press('?');
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  ],
];

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [view, show] of VIEWS) {
    test(`axe finds nothing in the ${view}, ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await open(page);
      await show(page);
      expect(await violations(page)).toEqual([]);
    });
  }
}

test('the theme follows the system until somebody chooses, and is kept', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(page);
  const html = page.locator('html');
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: /Theme/ }).click();
  await expect(html).toHaveAttribute('data-theme', 'light');
  await page.reload();
  await expect(html).toHaveAttribute('data-theme', 'light');
});

test('speaks Chinese, and keeps the names of the API', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: '切换到中文' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await expect(page.locator('.lane-title', { hasText: '就绪探针' })).toBeVisible();
  await expect(page.locator('.field-label', { hasText: 'periodSeconds' }).first()).toBeVisible();
  await expect(answer(page)).toContainText('已 Ready');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('one region at a time, nothing wider than the screen', async ({ page }) => {
    await open(page);
    const width = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);
    expect(await width()).toBeLessThanOrEqual(390);
    await expect(page.getByRole('list', { name: 'Who sees the Pod as ready' }).getByRole('listitem')).toHaveText([
      'App',
      'Readiness',
      'kubelet',
      'API',
      'Slice',
      'Rules',
      'Client',
    ]);
    await page
      .getByRole('region', { name: 'Events in order' })
      .getByRole('listitem')
      .nth(2)
      .getByRole('button')
      .first()
      .click();
    await expect(page.locator('.list-scroll .selected')).toBeInViewport();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'State', exact: true }).click();
    await expect(page.getByText(/^Who sees/)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Lanes of the run' })).toBeHidden();
    await page.getByRole('button', { name: 'Scenario', exact: true }).click();
    await expect(page.getByRole('slider', { name: 'periodSeconds' })).toBeVisible();
    expect(await width()).toBeLessThanOrEqual(390);
    expect(await violations(page)).toEqual([]);
  });
});

test('between phone and desktop the panels are drawers', async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 700 });
  await open(page);
  await expect(page.getByText(/^Who sees/)).toBeHidden();
  await page.getByRole('button', { name: 'State at the playhead' }).click();
  await expect(page.getByText(/^Who sees/)).toBeVisible();
});

test('containers can be told apart at every width, in lanes and in the state panel', async ({ page }) => {
  await open(page);
  await paste(page, DEPLOYMENT.replace('      containers:', '      containers:\n        - {name: helper, image: x}'));
  for (const width of [1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const lanes = page.locator('.lane-label.lane', { hasText: 'App process' });
    await expect(lanes.nth(0)).toContainText('helper');
    await expect(lanes.nth(0).locator('.lane-note')).toBeVisible();
    await expect(lanes.nth(1).locator('.lane-note')).toBeVisible();
    await expect(page.locator('.who li', { hasText: 'helper' })).toBeVisible();
  }
});
