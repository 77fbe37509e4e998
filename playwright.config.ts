import { defineConfig, devices } from '@playwright/test';
import { browserArgs, findPreparedBrowser } from '#tests/support/browser.ts';

const executablePath = findPreparedBrowser();

export default defineConfig({
  testDir: 'tests/e2e',
  forbidOnly: Boolean(process.env['CI']),
  // Tests that pass only the second time are listed as flaky.
  retries: process.env['CI'] ? 1 : 0,
  reporter: 'list',
  // Journeys wait for the product more than they compute: two share the two cores that the checks are made for.
  workers: 2,
  fullyParallel: true,
  // Long enough for a machine that does other work too; a test that succeeds never waits for them.
  timeout: 90_000,
  expect: { timeout: 30_000 },
  use: {
    ...devices['Desktop Chrome'],
    // Nothing is waited for that only moves.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording every test costs as much as running it.
    trace: 'on-first-retry',
    launchOptions: { args: [...browserArgs], ...(executablePath && { executablePath }) },
  },
});
