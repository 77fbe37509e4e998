import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { browserArgs, findPreparedBrowser } from '#tests/support/browser.ts';

// An environment for production would bring React's production build, which knows no tests.
process.env['NODE_ENV'] = 'test';

const executablePath = findPreparedBrowser();

/** What they change in their process would reach other tests: WhatsApp's root certificate, the console. */
const alone = [
  'server/connectors/messaging/whatsapp/trust.test.ts',
  'server/connectors/messaging/whatsapp/secrecy.test.ts',
];

const onNode = {
  environment: 'node',
  globalSetup: ['tests/support/database-server.ts'],
  testTimeout: 30_000,
  hookTimeout: 30_000,
  // Long enough for a machine that does other work too; a poll that succeeds never waits for it.
  expect: { poll: { timeout: 10_000 } },
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...onNode,
          name: 'unit',
          include: ['{contracts,sdk,server,tests,scripts}/**/*.test.ts'],
          exclude: ['tests/e2e/**', ...alone],
          // The files of a worker share the modules, which are most of what a file costs; nothing here mocks one.
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        test: { ...onNode, name: 'alone', include: alone, maxWorkers: 2 },
      },
      {
        plugins: [react(), tailwindcss()],
        test: {
          name: 'browser',
          isolate: false,
          maxWorkers: 2,
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
