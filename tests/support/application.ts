import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApplication } from '#server/application.ts';
import type { Application } from '#server/application.ts';
import { parseConfig } from '#server/config.ts';
import type { Environment } from '#server/config.ts';
import type { Clock } from '#server/platform/clock.ts';
import { systemClock } from '#server/platform/clock.ts';
import { createLogger } from '#server/platform/logger.ts';
import type { Logger } from '#server/platform/logger.ts';
import { createTestDatabase } from './database.ts';

export type TestApplication = Application & {
  /** The application's. */
  connectionString: string;
  /** For what the application itself may not do. */
  ownerConnectionString: string;
  [Symbol.asyncDispose](): Promise<void>;
};

export type TestApplicationOptions = {
  env?: Environment;
  clock?: Clock;
  /** Another process's database, to run beside it. */
  connectionString?: string;
  /** PostgreSQL itself, where that leads to a pooler. */
  directConnectionString?: string;
  secretKey?: Buffer;
  logger?: Logger;
  /** A built web app to serve; without it the API alone is there. */
  webDirectory?: string;
};

/** The whole product in this process, on a database of its own and a port that the system chose. */
export async function startTestApplication(options: TestApplicationOptions = {}): Promise<TestApplication> {
  const database = options.connectionString === undefined ? await createTestDatabase() : undefined;
  const connectionString = options.connectionString ?? database?.applicationConnectionString ?? '';
  const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-test-'));
  const application = await startApplication({
    config: parseConfig({
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'fatal',
      WEBHOOKS_ALLOW_PRIVATE_ADDRESSES: 'true',
      ...options.env,
    }),
    connectionString,
    directConnectionString: options.directConnectionString,
    secretKey: options.secretKey ?? randomBytes(32),
    logger: options.logger ?? createLogger(process.env['TEST_LOG_LEVEL'] ?? 'fatal'),
    clock: options.clock ?? systemClock,
    ...(options.webDirectory !== undefined && { webDirectory: options.webDirectory }),
  });
  return {
    ...application,
    connectionString,
    ownerConnectionString: database?.connectionString ?? connectionString,
    async [Symbol.asyncDispose]() {
      await application.stop();
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
