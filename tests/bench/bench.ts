import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { startEmbeddedPostgres } from '#server/platform/db/embedded/embedded-postgres.ts';
import type { EmbeddedPostgres } from '#server/platform/db/embedded/embedded-postgres.ts';
import { createPool } from '#server/platform/db/pool.ts';
import { defaultTimeouts } from '#server/platform/db/timeouts.ts';
import { createLogger } from '#server/platform/logger.ts';
import { startProduct } from '#tests/support/product.ts';
import type { Product } from '#tests/support/product.ts';

/** Seeding millions of rows takes as long as it takes. */
export const openSeedingPool = (connectionString: string): pg.Pool =>
  createPool({ connectionString, logger: createLogger('silent'), timeouts: { ...defaultTimeouts, statementMs: 0 } });

/** A database of its own, and the product started over it as often as a figure needs. */
export type Bench = {
  connectionString: string;
  /** For what comes by TCP alone. */
  tcpConnectionString: string;
  database: pg.Pool;
  start(env: Record<string, string>, whatsAppUrl?: string): Promise<Product & AsyncDisposable>;
};

/** The product and its baselines come to the database as the product does with its own: by a socket. */
export function bySocket({ connectionString, application }: EmbeddedPostgres): string {
  const { username, password } = new URL(connectionString);
  return Object.assign(new URL(application.connectionString), { username, password }).href;
}

export async function withBench<T>(work: (bench: Bench) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir, logger: createLogger('silent') });
  const connectionString = bySocket(postgres);
  const shared = {
    DATABASE_URL: connectionString,
    DATA_DIR: dataDir,
    SECRET_KEY: randomBytes(32).toString('base64'),
  };
  const database = openSeedingPool(connectionString);
  try {
    return await work({
      connectionString,
      tcpConnectionString: postgres.connectionString,
      database,
      async start(env, whatsAppUrl) {
        const product = await startProduct({ env: { ...shared, ...env }, ...(whatsAppUrl && { whatsAppUrl }) });
        return { ...product, [Symbol.asyncDispose]: async () => void (await product.stop()) };
      },
    });
  } finally {
    await database.end();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
