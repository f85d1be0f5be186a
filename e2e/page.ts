/** What the specs share. */
import { expect, type Page } from '@playwright/test';

/** Opens the page and waits for the first run. */
export async function open(page: Page, address = './'): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole('region', { name: /Lanes of the run|运行的泳道/ })).toBeVisible();
  await expect(answer(page)).not.toBeEmpty();
}

/** The answer sentence. */
export const answer = (page: Page) => page.locator('.answer');
/** The playhead in seconds, as the transport shows it. */
export const playhead = (page: Page) => page.getByRole('textbox', { name: /^Playhead/ });
export const goTo = async (page: Page, time: string): Promise<void> => {
  await playhead(page).fill(time);
  await playhead(page).press('Enter');
  await playhead(page).blur();
};

/** Puts a text on the page as Ctrl+V does, outside of any field, and waits until its run stands there: keys pressed earlier would act on the run before. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
}

export const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: grafana
  labels: {app: grafana}
spec:
  selector: {matchLabels: {app: grafana}}
  template:
    metadata: {labels: {app: grafana}}
    spec:
      securityContext: {fsGroup: 472}
      containers:
        - name: grafana
          image: registry.example/grafana:latest
          ports: [{containerPort: 3000, name: http-grafana}]
          readinessProbe:
            httpGet: {path: /robots.txt, port: 3000}
            initialDelaySeconds: 10
            periodSeconds: 30
            timeoutSeconds: 2
          livenessProbe:
            tcpSocket: {port: 3000}
            initialDelaySeconds: 30
`;
