import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { inProject, seedProject } from './seeded-project.ts';

/** Every room of the house, each file importing only what it may. */
const sound = {
  'contracts/messages.ts': `import { z } from 'zod';\nexport const Message = z.string();\n`,
  'sdk/client.ts': `import type {} from '#contracts/messages.ts';\n`,
  'sdk/cli/main.ts': `import '../client.ts';\nimport 'node:fs';\n`,
  'server/entry/serve.ts': `import '#server/application.ts';\n`,
  'server/application.ts': `import '#server/routes.ts';\nimport '#server/platform/clock.ts';\n`,
  'server/routes.ts': `import '#server/modules/messaging/messages/index.ts';\nimport '#server/modules/identity/billing/index.ts';\n`,
  'server/context.ts': `import '#server/connectors/mail/port.ts';\n`,
  'server/config.ts': `export const config = 1;\n`,
  'server/database.ts': `import type {} from '#server/modules/identity/billing/tables.ts';\n`,
  'server/migrate-database.ts': `import '#server/modules/identity/billing/indexes.ts';\n`,
  'server/modules/messaging/messages/index.ts': `import './send-message.ts';\n`,
  'server/modules/messaging/messages/send-message.ts': `import '#server/context.ts';\nimport '#server/modules/identity/billing/index.ts';\n`,
  'server/modules/identity/billing/index.ts': `import './capture-order.ts';\n`,
  'server/modules/identity/billing/tables.ts': `export type BillingTables = { invoices: { id: number } };\n`,
  'server/modules/identity/billing/indexes.ts': `import type {} from './tables.ts';\nexport const billingIndexes = [];\n`,
  'server/modules/identity/billing/channels.ts': `export const billingChannel = 'dovepost_billing';\n`,
  'server/modules/identity/billing/capture-order.ts': `import '#server/platform/clock.ts';\n`,
  'server/connectors/mail/port.ts': `import '#server/platform/clock.ts';\nimport '#server/config.ts';\n`,
  'server/connectors/payments/port.ts': `export const port = 1;\n`,
  'server/platform/clock.ts': `import '#contracts/messages.ts';\n`,
  'web/app/main.tsx': `import '#web/features/messages/page.tsx';\nimport '#web/features/billing/page.tsx';\n`,
  'web/features/messages/page.tsx': `import '#web/shared/button.tsx';\n`,
  'web/features/billing/page.tsx': `import '#web/shared/button.tsx';\n`,
  'web/shared/button.tsx': `import '#contracts/messages.ts';\nimport 'react';\n`,
  'tests/support/customer.ts': `import '#contracts/messages.ts';\nimport '#server/modules/identity/billing/index.ts';\n`,
  'scripts/dev.ts': `import '#server/config.ts';\n`,
};

function checkWalls(files: Record<string, string>): { status: number | null; output: string } {
  const project = seedProject(files);
  onTestFinished(() => project.remove());
  return project.run(process.execPath, inProject('scripts/check-walls.ts'));
}

test('a sound house passes', () => {
  expect(checkWalls(sound)).toMatchObject({ status: 0 });
});

const violations: readonly [wall: string, file: keyof typeof sound, imported: string][] = [
  ['server-and-web-are-apart', 'server/routes.ts', '#web/shared/button.tsx'],
  ['server-and-web-are-apart', 'web/shared/button.tsx', '#server/platform/clock.ts'],
  ['product-without-tests', 'server/platform/clock.ts', '#tests/support/customer.ts'],
  ['product-without-tests', 'web/shared/button.tsx', '#tests/support/customer.ts'],
  ['contracts-stand-alone', 'contracts/messages.ts', '#server/platform/clock.ts'],
  ['contracts-need-only-zod', 'contracts/messages.ts', 'kysely'],
  ['contracts-need-only-zod', 'contracts/messages.ts', 'node:fs'],
  ['sdk-stands-alone', 'sdk/client.ts', '#server/platform/clock.ts'],
  ['sdk-stands-alone', 'sdk/client.ts', '#web/shared/button.tsx'],
  ['sdk-without-node', 'sdk/client.ts', 'node:fs'],
  ['platform-is-lowest', 'server/platform/clock.ts', '#server/config.ts'],
  ['platform-is-lowest', 'server/platform/clock.ts', '#server/connectors/mail/port.ts'],
  ['config-reads-only', 'server/config.ts', '#server/platform/clock.ts'],
  ['connectors-below-domain', 'server/connectors/mail/port.ts', '#server/modules/identity/billing/index.ts'],
  ['connectors-below-domain', 'server/connectors/mail/port.ts', '#server/context.ts'],
  ['connectors-apart', 'server/connectors/mail/port.ts', '#server/connectors/payments/port.ts'],
  ['context-below-modules', 'server/context.ts', '#server/modules/identity/billing/index.ts'],
  ['modules-below-composition', 'server/modules/identity/billing/capture-order.ts', '#server/routes.ts'],
  ['database-is-declarations', 'server/database.ts', '#server/modules/identity/billing/capture-order.ts'],
  ['database-is-declarations', 'server/database.ts', '#server/context.ts'],
  [
    'tables-know-tables',
    'server/modules/identity/billing/tables.ts',
    '#server/modules/identity/billing/capture-order.ts',
  ],
  ['indexes-are-declarations', 'server/migrate-database.ts', '#server/modules/identity/billing/capture-order.ts'],
  [
    'indexes-are-declarations',
    'server/modules/identity/billing/indexes.ts',
    '#server/modules/identity/billing/capture-order.ts',
  ],
  [
    'module-front-door',
    'server/modules/messaging/messages/send-message.ts',
    '#server/modules/identity/billing/capture-order.ts',
  ],
  ['module-front-door-for-others', 'server/routes.ts', '#server/modules/identity/billing/capture-order.ts'],
  ['module-front-door-for-others', 'tests/support/customer.ts', '#server/modules/identity/billing/capture-order.ts'],
  [
    'identity-imports-downward',
    'server/modules/identity/billing/capture-order.ts',
    '#server/modules/messaging/messages/index.ts',
  ],
  ['entry-is-the-top', 'scripts/dev.ts', '#server/entry/serve.ts'],
  ['shared-is-lowest', 'web/shared/button.tsx', '#web/features/billing/page.tsx'],
  ['features-below-app', 'web/features/billing/page.tsx', '#web/app/main.tsx'],
  ['features-apart', 'web/features/billing/page.tsx', '#web/features/messages/page.tsx'],
  ['product-needs-no-dev-dependency', 'server/routes.ts', 'vite'],
  ['declared', 'server/routes.ts', 'fastify-plugin'],
  ['found', 'server/routes.ts', './nowhere.ts'],
];

test('modules must not write each other\u2019s tables', () => {
  const source = `export const text = 'delete from invoices';\n`;
  const { status, output } = checkWalls({ ...sound, 'server/modules/messaging/messages/send-message.ts': source });
  expect(output).toContain('server/modules/messaging/messages/send-message.ts:1 writes invoices');
  expect(status).toBe(1);
});

describe('of a house with every wall broken', () => {
  let output = '';

  beforeAll(() => {
    const broken: Record<string, string> = { ...sound };
    for (const [, file, imported] of violations) broken[file] = `import '${imported}';\n${broken[file]}`;
    const project = seedProject(broken);
    const report = project.run(process.execPath, inProject('scripts/check-walls.ts'));
    project.remove();
    expect(report.status).toBe(1);
    ({ output } = report);
  });

  test.each(violations)('%s: %s must not import %s', (wall, file, imported) => {
    const target = imported.replace(/^(#|node:|\.\/)/, '');
    const reported = output.split('\n').filter((line) => line.startsWith(`  error ${wall}: ${file} → `));
    expect(reported.join()).toContain(target);
  });
});

test('files must not import each other in a circle', () => {
  const imported = `import './index.ts';\n`;
  const { status, output } = checkWalls({ ...sound, 'server/modules/identity/billing/capture-order.ts': imported });
  expect(output).toContain('error never-round: ');
  expect(status).toBe(1);
});

test('modules must not need each other, not even for a type', () => {
  const imported = `import type {} from '#server/modules/messaging/messages/index.ts';\n`;
  const { status, output } = checkWalls({ ...sound, 'server/modules/identity/billing/capture-order.ts': imported });
  expect(output).toContain('Modules need each other: identity/billing → messaging/messages → identity/billing');
  expect(status).toBe(1);
});

test('a type counts as an import', () => {
  const imported = `import type {} from '#server/modules/identity/billing/index.ts';\n`;
  const { output } = checkWalls({ ...sound, 'server/context.ts': imported });
  expect(output).toContain('error context-below-modules: ');
});

test('a house in which nothing is found does not pass', () => {
  const { status, output } = checkWalls({ ...sound, 'server/application.ts': '' });
  expect(output).toContain('Nothing was cruised');
  expect(status).toBe(1);
});
