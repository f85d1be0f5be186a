import { defineConfig, devices } from '@playwright/test';

/** Both are set by scripts/test.mjs: a free port, and the browser that it found. */
const PORT = Number(process.env.PODTOPOOL_PORT ?? 4179);
const executablePath = process.env.PODTOPOOL_CHROMIUM;

/** The specs run against `dist/`; build it first. */
export default defineConfig({
  testDir: 'e2e',
  forbidOnly: true,
  retries: 0,
  workers: 2,
  globalTimeout: 20 * 60_000,
  use: {
    ...devices['Desktop Chrome'],
    baseURL: `http://localhost:${PORT}/`,
    locale: 'en-GB',
    timezoneId: 'UTC',
    trace: 'retain-on-failure',
    // Playwright starts Chromium without its sandbox, so this works as root too.
    launchOptions: executablePath === undefined ? {} : { executablePath },
  },
  webServer: {
    command: `npx vite preview --port ${PORT} --strictPort`,
    port: PORT,
    reuseExistingServer: false,
  },
});
