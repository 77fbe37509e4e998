import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { startProduct } from '#tests/support/product.ts';
import type { Product } from '#tests/support/product.ts';

/** The steps to undo after a test, the last first. */
export type CleanUp = (() => PromiseLike<unknown>)[];

export async function undo(cleanUp: CleanUp): Promise<void> {
  for (const step of cleanUp.splice(0).toReversed()) await step();
}

/** A database and a data directory; each start is of the same product. */
export type ChaosScene = { database: TestDatabase; start(): Promise<Product> };

export async function makeChaosScene(
  cleanUp: CleanUp,
  whatsAppUrl?: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<ChaosScene> {
  const database = await createTestDatabase();
  cleanUp.push(database.drop);
  const start = await makeStart(cleanUp, whatsAppUrl, { DATABASE_URL: database.connectionString, ...settings });
  return { database, start };
}

/** Starts of one product, whose settings lead it to its database. */
export async function makeStart(
  cleanUp: CleanUp,
  whatsAppUrl: string | undefined,
  settings: Readonly<Record<string, string>>,
): Promise<ChaosScene['start']> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-chaos-'));
  cleanUp.push(() => rm(dataDir, { recursive: true, force: true }));
  const env = { DATA_DIR: dataDir, SECRET_KEY: randomBytes(32).toString('base64'), ...settings };
  return async () => {
    const product = await startProduct({ env, ...(whatsAppUrl && { whatsAppUrl }) });
    cleanUp.push(() => product.stop());
    return product;
  };
}
