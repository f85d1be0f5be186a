import { expect, test } from '@playwright/test';
import { answer, DEPLOYMENT, goTo, open, paste, playhead } from './page.ts';

test('opens with an example that answers at once', async ({ page }) => {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await open(page);
  await expect(answer(page)).toContainText('is Ready, but not in the pool');
  await expect(page.getByText('Readiness worker').first()).toBeVisible();
  expect(problems).toEqual([]);
});

test('a pasted Deployment shows when it becomes Ready, with the defaults of Kubernetes', async ({ page }) => {
  await open(page);
  await paste(page, DEPLOYMENT);
  await expect(answer(page)).toContainText(/grafana-\w+-\w+ is Ready in the API/);
  await expect(page.getByRole('textbox', { name: 'Value of failureThreshold' }).first()).toHaveValue('3');
  await goTo(page, '3');
  await expect(answer(page)).toContainText('is not Ready in the API');
  await expect(page.locator('.lane-title', { hasText: 'Liveness worker' })).toBeVisible();
});

test('a slider changes the result at once, undo takes it back', async ({ page }) => {
  await open(page);
  const ready = page.locator('.who li', { hasText: 'Pod Ready in API' });
  await goTo(page, '80');
  const before = await ready.textContent();
  const slider = page.getByRole('slider', { name: 'periodSeconds' }).first();
  await slider.focus();
  for (let i = 0; i < 4; i++) await slider.press('Shift+ArrowLeft');
  await expect(page.getByText('1 change')).toBeVisible();
  await expect(ready).not.toHaveText(before ?? '');
  await slider.blur();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect(ready).toHaveText(before ?? '');
});

test('measures the way from a slider to the painted frame', async ({ page }) => {
  await open(page);
  await page.getByRole('slider', { name: 'periodSeconds' }).first().press('ArrowRight');
  await expect
    .poll(() => page.evaluate(() => performance.getEntriesByName('slider-input → painted').length))
    .toBeGreaterThan(0);
});

test('the playhead moves by keyboard: steps, ends, events, causes', async ({ page }) => {
  await open(page);
  await page.locator('body').press('Home');
  await expect(playhead(page)).toHaveValue('0.000');
  await expect(answer(page)).toContainText('is not Ready in the API');
  await page.locator('body').press('ArrowRight');
  await expect(playhead(page)).toHaveValue('0.010');
  await page.locator('body').press('Shift+ArrowRight');
  await expect(playhead(page)).toHaveValue('1.010');
  await page.locator('body').press('Period');
  await expect(page.getByRole('heading', { name: 'Selected event' })).toBeVisible();
  await page.locator('body').press('End');
  await page.locator('body').press('Comma');
  const first = await page.locator('.selected-event').textContent();
  await page.locator('body').press('BracketLeft');
  await expect(page.locator('.selected-event')).not.toHaveText(first ?? '');
  await page.locator('body').press('Escape');
  await expect(page.getByRole('heading', { name: 'Selected event' })).toBeHidden();
});

test('the wheel zooms at the pointer, a drag pans, F shows all', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 1400 }); // all lanes in view: else the wheel scrolls them
  await open(page);
  const shown = page.locator('.window-text');
  const box = await page.locator('.lane-stage').boundingBox();
  if (box === null) throw new Error('no lanes');
  const [x, y] = [box.x + box.width / 2, box.y + 200];
  await page.locator('body').press('f');
  const whole = await shown.textContent();
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -400);
  await expect(shown).not.toHaveText(whole ?? '');
  const zoomed = await shown.textContent();
  await page.mouse.down();
  await page.mouse.move(x + 120, y, { steps: 4 });
  await page.mouse.up();
  await expect(shown).not.toHaveText(zoomed ?? '');
  await page.locator('body').press('f');
  await expect(shown).toHaveText(whole ?? '');
});

test('a click on a mark selects it and says what it is', async ({ page }) => {
  await open(page);
  const flag = await page.locator('.ruler-flag').boundingBox();
  const stage = await page.locator('.lane-stage').boundingBox();
  const lane = await page.locator('.lane-label', { hasText: 'Pod Ready' }).boundingBox();
  if (flag === null || stage === null || lane === null) throw new Error('nothing to click on');
  const x = flag.x + flag.width / 2;
  await page.mouse.move(x + 4, lane.y + lane.height / 2);
  await expect(page.getByRole('tooltip')).toContainText('PATCH');
  await page.mouse.click(x + 4, lane.y + lane.height / 2);
  await expect(page.locator('.event-phrase')).toContainText(/Pod default\/web.* is changed/);
  await expect(page.locator('.selected-event')).toContainText('PATCH');
  await expect(page.locator('.selected-event')).toContainText('storage/etcd3/store.go');
});

test('dragging in the ruler scrubs', async ({ page }) => {
  await open(page);
  const ruler = await page.locator('.ruler').boundingBox();
  if (ruler === null) throw new Error('no ruler');
  await page.mouse.move(ruler.x + 100, ruler.y + 10);
  await page.mouse.down();
  const first = await playhead(page).inputValue();
  await page.mouse.move(ruler.x + 300, ruler.y + 10, { steps: 5 });
  await page.mouse.up();
  expect(Number(await playhead(page).inputValue())).toBeGreaterThan(Number(first));
});

test('an error in the text is marked in place, and the last run stays', async ({ page }) => {
  await open(page);
  const before = await answer(page).textContent();
  await page.getByRole('button', { name: 'YAML' }).click();
  const editor = page.getByRole('textbox', { name: 'Manifests and scenario as YAML' });
  await editor.locator('.cm-line', { hasText: 'periodSeconds' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type('x');
  await expect(page.getByText('Last good run.')).toBeVisible();
  await expect(page.locator('.issues .error').first()).toContainText(/Line 24, column \d+/);
  await expect(page.locator('.cm-lintRange-error').first()).toBeVisible();
  await expect(answer(page)).toHaveText(before ?? '');
  await page.keyboard.press('Backspace');
  await expect(page.getByText('Last good run.')).toBeHidden();
});

test('the list has every event with links to cause and effect', async ({ page }) => {
  await open(page);
  await page.locator('body').press('Home');
  await page.locator('body').press('l');
  const list = page.getByRole('region', { name: 'Events in order' });
  await expect(list.getByRole('listitem').first()).toContainText('createPod');
  await list.getByRole('listitem').nth(3).getByRole('button').first().click();
  const chosen = await page.locator('.event-phrase').textContent();
  await list
    .locator('li.selected')
    .getByRole('button', { name: /^cause/ })
    .click();
  await expect(page.locator('.event-phrase')).not.toHaveText(chosen ?? '');
});

test('several Pods fold to one band each', async ({ page }) => {
  await open(page);
  await paste(page, DEPLOYMENT.replace('spec:\n  selector', 'spec:\n  replicas: 3\n  selector'));
  const groups = page.locator('.lane-group');
  await expect(groups).toHaveCount(4);
  await expect(groups.nth(1)).toHaveAttribute('aria-expanded', 'false');
  await groups.nth(1).click();
  await expect(groups.nth(1)).toHaveAttribute('aria-expanded', 'true');
  await page.getByRole('combobox', { name: 'Pod' }).selectOption({ index: 2 });
  await expect(answer(page)).toContainText('grafana-');
});

test('what is no manifest is refused with words, and changes nothing', async ({ page }) => {
  await open(page);
  const before = await answer(page).textContent();
  await paste(page, 'a note from the fridge');
  await expect(page.getByRole('alert')).toContainText('no manifest');
  await expect(answer(page)).toHaveText(before ?? '');
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('alert')).toBeHidden();
});

test('a manifest in one line of JSON is one too', async ({ page }) => {
  await open(page);
  await paste(
    page,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'one-line' },
      spec: { containers: [{ name: 'app', image: 'x' }] },
    }),
  );
  await expect(answer(page)).toContainText('one-line is Ready in the API');
});

test('says above the lanes what of a manifest is left out', async ({ page }) => {
  await open(page);
  await paste(
    page,
    DEPLOYMENT.replace('      containers:', '      schedulingGates: [{name: quota}]\n      containers:'),
  );
  await expect(page.locator('.notice')).toContainText('schedulingGates of Deployment grafana is not yet modelled');
  await page.locator('.notice').getByRole('button', { name: 'YAML' }).click();
  await expect(page.locator('.issues .warning')).toContainText('schedulingGates');
});

test('Up and Down give the keys to a lane, ? lists the keys', async ({ page }) => {
  await open(page);
  const body = page.locator('body');
  for (let i = 0; i < 2; i++) await body.press('ArrowDown');
  await expect(page.locator('.lane-label.focused')).toContainText('Readiness worker');
  await body.press('Comma');
  await expect(page.locator('.event-phrase')).toContainText('readiness');
  await body.press('Escape');
  await body.press('Escape');
  await expect(page.locator('.lane-label.focused')).toHaveCount(0);
  await body.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys and pointer' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('the syncLoop unfolds into its channels, and folds again', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 1400 }); // all lanes in view
  await open(page);
  const count = page.locator('.ruler-label');
  const folded = await count.textContent();
  // Every name stands in its own row, readable.
  for (const name of await page.locator('.lane-name').all()) {
    const [own, row] = await Promise.all([name.boundingBox(), name.locator('..').boundingBox()]);
    expect([own?.y, own?.height]).toEqual([row?.y, expect.closeTo(row?.height ?? 0, -1)]);
    await expect(name).toBeInViewport({ ratio: 0.1 });
  }
  const unfold = page.getByRole('button', { name: 'Channels of the syncLoop' });
  await expect(unfold).toHaveAttribute('aria-expanded', 'false');
  await unfold.press('Enter');
  await expect(page.getByRole('button', { name: /^configCh/ })).toBeVisible();
  await expect(page.getByRole('button', { name: /^plegCh/ })).toBeVisible();
  await expect(count).not.toHaveText(folded ?? '');
  await unfold.click();
  await expect(count).toHaveText(folded ?? '');
});

test('a wheel scrolls lanes that do not fit, and with Ctrl zooms', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  await open(page);
  const lanes = page.getByRole('region', { name: 'Lanes of the run' });
  const shown = page.locator('.window-text');
  const before = await shown.textContent();
  await lanes.hover();
  await page.mouse.wheel(0, 120);
  await expect.poll(() => lanes.evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
  await expect(shown).toHaveText(before ?? '');
  const away = () =>
    lanes.evaluate((element) => {
      const canvas = element.querySelector('canvas')?.getBoundingClientRect();
      const box = element.getBoundingClientRect();
      return [(canvas?.top ?? 0) - box.top, (canvas?.height ?? 0) - box.height].map(Math.round);
    });
  expect(await away(), 'marks stand beside their names: the canvas stays in view').toEqual([0, 0]);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -120);
  await page.keyboard.up('Control');
  await expect(shown).not.toHaveText(before ?? '');
});

test('a selection shows its rule at once, wherever the state panel was scrolled to', async ({ page }) => {
  await open(page);
  await page.locator('.inspector').evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });
  await page.locator('body').press('Comma');
  await expect(page.locator('.event-phrase')).toBeInViewport();
});

test('of very many errors the first hundred are shown, and how many more there are', async ({ page }) => {
  await open(page);
  const containers = Array.from({ length: 150 }, (_, i) => `    - {name: "Upper${i}", image: x}`).join('\n');
  await paste(page, `apiVersion: v1\nkind: Pod\nmetadata: {name: many}\nspec:\n  containers:\n${containers}\n`);
  await expect(page.locator('.issue-counts')).toContainText('150 errors');
  await expect(page.locator('.issues li')).toHaveCount(100);
  await expect(page.locator('.issues')).toContainText('And 50 more.');
});

test('a large text with a mistake is read aside: the page answers meanwhile, then shows the place', async ({
  page,
}) => {
  await open(page);
  const text = `${DEPLOYMENT}---\n${'# comment\n'.repeat(30_000)}${DEPLOYMENT.replace('selector: {', 'selector: {{')}`;
  const held = await page.evaluate(async (pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    const before = document.querySelectorAll('[aria-busy=true]').length;
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    await new Promise(requestAnimationFrame);
    return [before, document.querySelectorAll('[aria-busy=true]').length > 0];
  }, text);
  expect(held).toEqual([0, true]);
  await expect(page.getByRole('textbox', { name: 'Manifests and scenario as YAML' })).toBeVisible();
  await expect(page.locator('.issues')).toContainText(/Line 3\d{4}/);
});
