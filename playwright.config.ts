import { defineConfig, devices } from '@playwright/test';
import { browserArgs, findPreparedBrowser } from '#tests/support/browser.ts';

const executablePath = findPreparedBrowser();

export default defineConfig({
  testDir: 'tests/e2e',
  forbidOnly: Boolean(process.env['CI']),
  reporter: 'list',
  use: {
    ...devices['Desktop Chrome'],
    trace: 'retain-on-failure',
    launchOptions: { args: [...browserArgs], ...(executablePath && { executablePath }) },
  },
});
