import { expect, test } from '@playwright/test';
import { answer, goTo, open, paste } from './page.ts';

const POD = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  initContainers:
    - {name: mesh, image: x, restartPolicy: Always, startupProbe: {tcpSocket: {port: 15021}, periodSeconds: 1}}
  containers: [{name: app, image: x}] # the app
`;
const flag = (name: string | RegExp) => ({ name });

test('an action is added at the playhead, moved by drag and by keys, and taken back', async ({ page }) => {
  await open(page);
  await paste(page, POD);
  await goTo(page, '20');
  await page.getByRole('button', { name: 'Add at playhead' }).click();
  await page.getByRole('button', { name: 'Delete web' }).click();
  const first = page.getByRole('button', flag(/20\.000 s Action: deletePod/));
  await expect(first).toBeVisible();
  await page.locator('body').press('End');
  await expect(answer(page)).toContainText('does not exist any more');

  await page.locator('body').press('f'); // all of the run, and so the flag
  await page.getByRole('button', flag(/deletePod/)).focus();
  await page.keyboard.press('Shift+ArrowLeft');
  const moved = page.getByRole('button', flag(/19\.000 s Action: deletePod/));
  await expect(moved).toBeFocused();

  const box = await moved.boundingBox();
  if (box === null) throw new Error('the flag is not in view');
  await page.mouse.move(box.x + 5, box.y + 8);
  await page.mouse.down();
  await page.mouse.move(box.x - 75, box.y + 8, { steps: 4 });
  await page.mouse.up();
  await expect(page.getByRole('button', flag(/deletePod/))).not.toHaveAccessibleName(/19\.000 s/);

  await page.getByRole('button', { name: 'YAML' }).click();
  const editor = page.getByRole('textbox', { name: 'Manifests and scenario as YAML' });
  await expect(editor).toContainText('# the app');
  await expect(editor).toContainText('do: deletePod, pod: web}');
  for (let i = 0; i < 3; i++) await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', flag(/deletePod/))).toHaveCount(0);
  await expect(editor).not.toContainText('deletePod');
});

test('an action is changed and removed at its flag, by pointer and by keys', async ({ page }) => {
  await open(page);
  await paste(
    page,
    `${POD}---\napiVersion: podtopool/v1\nkind: Scenario\nactions:\n  - {at: 20s, do: deletePod, pod: web} # soon\n`,
  );
  const deletion = page.getByRole('button', flag(/s Action: deletePod/));
  await page.locator('body').press('f'); // all of the run, and so the flag
  await deletion.click();
  const dialog = page.getByRole('dialog', { name: 'Change deletePod' });
  await dialog.getByRole('textbox', { name: 'graceSeconds' }).fill('soon');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('graceSeconds must be a');
  await dialog.getByRole('textbox', { name: 'graceSeconds' }).fill('3');
  await page.keyboard.press('Enter');
  await dialog.getByRole('textbox', { name: 'at' }).fill('25s');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', flag(/25\.000 s Action: deletePod/))).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: 'YAML' }).click();
  const editor = page.getByRole('textbox', { name: 'Manifests and scenario as YAML' });
  await expect(editor).toContainText('- {at: 25s, do: deletePod, pod: web, graceSeconds: 3} # soon');

  await deletion.focus();
  await page.keyboard.press('Delete');
  await expect(deletion).toHaveCount(0);
  await expect(editor).not.toContainText('deletePod');
  await page.getByRole('button', { name: 'Undo' }).click();
  await deletion.focus();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(deletion).toHaveCount(0);
});

test('another Kubernetes version is another run: 1.20 knows no sidecars', async ({ page }) => {
  await open(page);
  await paste(page, POD);
  await page.locator('body').press('End');
  await expect(answer(page)).toContainText('web is Ready');
  await page.getByRole('combobox', { name: /Kubernetes/ }).selectOption({ label: '1.20' });
  await page.locator('body').press('End');
  await expect(answer(page)).toContainText('web is not Ready');
});
