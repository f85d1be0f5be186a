import { expect, type Page, test } from '@playwright/test';
import { DEPLOYMENT, goTo, open, paste, playhead } from './page.ts';

/** The button at the end of what is magnified. */
const eightTimes = (page: Page) => page.locator('.ruler').getByRole('button', { name: /8 times/ });
const flag = async (page: Page) => {
  const box = await page.locator('.ruler-flag').boundingBox();
  if (box === null) throw new Error('the flag is out of view');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};
/** Little happens after its start, and an action in the middle of it that has no effect. */
const PATCHED = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {containers: [{name: app, image: x}], readinessGates: [{conditionType: balanced}]}
---
apiVersion: podtopool/v1
kind: Scenario
duration: 120s
actions: [{at: 30s, do: patchCondition, pod: web, condition: balanced, status: "False"}]
`;
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

test('what Why magnifies is not under its card where that is a drawer', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await open(page);
  await goTo(page, '24');
  await page.locator('body').press('y');
  await expect(eightTimes(page)).toBeVisible();
  const card = await page.locator('.why-card').boundingBox();
  const lens = await page.locator('.ruler-lens').boundingBox();
  expect((lens?.x ?? 0) + (lens?.width ?? 0)).toBeLessThanOrEqual(card?.x ?? 0);
  const button = await eightTimes(page).boundingBox();
  expect((button?.x ?? 0) + (button?.width ?? 0)).toBeLessThanOrEqual(card?.x ?? 0);
});

test('a flag that is dropped on folded time stays under the pointer, though folds are made anew around it', async ({
  page,
}) => {
  await open(page);
  await paste(page, PATCHED);
  const dropped = page.getByRole('button', { name: /Action: patchCondition/ });
  await expect(dropped).toHaveAccessibleName(/^30\.000/);
  await page.locator('body').press('f');
  await page.locator('body').press('z');
  const from = await dropped.boundingBox();
  await goTo(page, '80');
  const to = await flag(page);
  await page.mouse.move((from?.x ?? 0) + 4, (from?.y ?? 0) + 8);
  await page.mouse.down();
  await page.mouse.move(to.x + 4, (from?.y ?? 0) + 8, { steps: 3 });
  await page.mouse.up();
  await expect(dropped).not.toHaveAccessibleName(/^30\.000/);
  await expect.poll(async () => Math.abs(((await dropped.boundingBox())?.x ?? 0) - to.x)).toBeLessThan(2);
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

test('what Why magnifies stays ended once somebody has ended it, also when the run changes', async ({ page }) => {
  await open(page);
  await goTo(page, '24');
  await page.locator('body').press('y');
  await expect(eightTimes(page)).toBeVisible();
  await page.keyboard.press('x');
  await expect(eightTimes(page)).toBeHidden();
  const title = page.locator('.why-answer');
  const before = await title.textContent();
  await page.getByRole('slider', { name: 'periodSeconds' }).first().press('ArrowLeft');
  await expect(title).not.toHaveText(before ?? '');
  await expect(eightTimes(page)).toBeHidden();
});

const DELETED = `apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec:
  terminationGracePeriodSeconds: 20
  containers:
    - name: app
      image: x
      lifecycle: {preStop: {sleep: {seconds: 10}}}
      readinessProbe: {httpGet: {path: /, port: 8080}, periodSeconds: 5}
---
apiVersion: podtopool/v1
kind: Scenario
duration: 60s
actions:
  - {at: 20s, do: deletePod, pod: web}
`;

test('a drag of the playhead from one path into another keeps the scale under the pointer', async ({ page }) => {
  await open(page);
  await paste(page, DELETED);
  await page.locator('body').press('f');
  await goTo(page, '16');
  await page.locator('body').press('y');
  await expect(eightTimes(page)).toBeVisible();
  const start = await flag(page);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.keyboard.down('Alt');
  const seen: number[] = [];
  for (let px = 0; px < 120; px += 4) {
    await page.mouse.move(start.x + px, start.y);
    seen.push(Number(await playhead(page).inputValue()));
  }
  await page.keyboard.up('Alt');
  await page.mouse.up();
  const steps = seen.slice(1).map((at, i) => at - (seen[i] ?? at));
  expect(seen.at(-1)).toBeGreaterThan(22);
  expect(Math.max(...steps)).toBeLessThan(1);
});

test('another run ends what was magnified, and the button at its end gives the focus to the lanes', async ({
  page,
}) => {
  await open(page);
  await goTo(page, `${SUCCESS}`);
  await page.locator('body').press('x');
  await eightTimes(page).focus();
  await page.keyboard.press('Enter');
  await expect(eightTimes(page)).toBeHidden();
  await expect(page.getByRole('region', { name: 'Lanes of the run' })).toBeFocused();
  await page.keyboard.press('x');
  await expect(eightTimes(page)).toBeVisible();
  await paste(page, DEPLOYMENT);
  await expect(eightTimes(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Magnify' })).toHaveAttribute('aria-pressed', 'false');
});

test('a window in the middle of quiet time shows both sides of it when that folds', async ({ page }) => {
  await open(page);
  await goTo(page, '24');
  for (let i = 0; i < 5; i++) await page.locator('body').press('w');
  await page.locator('body').press('z');
  const numbers = () =>
    page
      .locator('.ruler-axis .tick text')
      .evaluateAll((texts) => texts.filter((t) => t.getAttribute('opacity') === '1').length);
  await expect.poll(numbers).toBeGreaterThan(1);
  const window = page.locator('.window-text');
  const before = await window.textContent();
  await page.locator('body').press('w');
  await expect(window).not.toHaveText(before ?? '');
  const ends = ((await window.textContent()) ?? '').match(/[\d.]+/g)?.map(Number) ?? [];
  expect((ends[1] ?? 99) - (ends[0] ?? 0)).toBeLessThan(30); // no jump to the whole run of 90 s
});

test('a step of the playhead in plain view moves no window, also where time is folded', async ({ page }) => {
  await open(page);
  await page.locator('body').press('z');
  await page.locator('body').press('f');
  await goTo(page, '1.5');
  for (let i = 0; i < 3; i++) await page.locator('body').press('w');
  const { x } = await flag(page);
  await page.locator('body').press('ArrowRight');
  await expect(playhead(page)).toHaveValue('1.510');
  expect(Math.abs((await flag(page)).x - x)).toBeLessThan(4);
});

test('no control is cut where the editor leaves the lanes little room', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await open(page);
  await page.getByRole('button', { name: 'YAML' }).click();
  const right = async (): Promise<number> => {
    const box = await page.locator('.transport').boundingBox();
    return (box?.x ?? 0) + (box?.width ?? 0);
  };
  for (const control of await page.locator('.transport button').all()) {
    const box = await control.boundingBox();
    if (box !== null) expect(box.x + box.width).toBeLessThanOrEqual(await right());
  }
  await expect(page.getByRole('button', { name: 'Fit' })).toBeVisible();
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
