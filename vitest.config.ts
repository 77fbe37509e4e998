import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { globSync } from 'node:fs';
import { browserArgs, findPreparedBrowser } from '#tests/support/browser.ts';
import { needsDatabase } from '#tests/support/needs-database.ts';

// An environment for production would bring React's production build, which knows no tests.
process.env['NODE_ENV'] = 'test';

const executablePath = findPreparedBrowser();

/** Their changes to the process would reach other tests: WhatsApp's root certificate, the console. */
const alone = [
  'server/connectors/messaging/whatsapp/trust.test.ts',
  'server/connectors/messaging/whatsapp/secrecy.test.ts',
];

/** Long enough for a machine that does other work too; what succeeds never waits for it. */
const patient = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 60_000 } } };
/** Nothing of a page takes longer; a test that fails is told sooner. */
const inBrowser = { testTimeout: 45_000, hookTimeout: 45_000, expect: { poll: { timeout: 15_000 } } };

/** They wait for processes that they start for a third of their time: three keep the two cores busy that the checks are made for. */
const onNode = {
  environment: 'node' as const,
  ...patient,
  maxWorkers: 3,
  // Node reads the TypeScript itself, as it does for the product: a seventh of the work of a file goes with Vite's modules.
  experimental: { viteModuleRunner: false, nodeLoader: false },
};
const withDatabase = { ...onNode, globalSetup: ['tests/support/database-server.ts'] };

const unitFiles = globSync('{contracts,sdk,server,tests,scripts}/**/*.test.ts', { exclude: ['tests/e2e/**'] })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !alone.includes(path));

export default defineConfig({
  test: {
    reporters: ['default', './tests/support/flaky-reporter.ts'],
    projects: [
      {
        test: {
          ...withDatabase,
          name: 'unit',
          include: unitFiles.filter(needsDatabase),
          // The files of a worker share the modules, which are most of what a file costs; nothing here mocks one.
          isolate: false,
        },
      },
      {
        test: {
          ...onNode,
          name: 'pure',
          include: unitFiles.filter((path) => !needsDatabase(path)),
          isolate: false,
        },
      },
      {
        test: { ...onNode, name: 'alone', include: alone },
      },
      {
        plugins: [react(), tailwindcss()],
        test: {
          name: 'browser',
          ...inBrowser,
          isolate: false,
          maxWorkers: 2,
          setupFiles: ['web/testing/set-up.ts'],
          include: ['web/**/*.test.{ts,tsx}'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { args: [...browserArgs], ...(executablePath && { executablePath }) },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
