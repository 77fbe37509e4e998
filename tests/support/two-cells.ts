import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { moveAccounts } from '#server/admin/move-accounts.ts';
import { prepareDatabase } from '#server/migrate-database.ts';
import { startTestApplication } from './application.ts';
import type { TestApplication } from './application.ts';
import type { Customer } from './customer.ts';
import { createTestDatabase } from './database.ts';
import type { TestDatabase } from './database.ts';

export const cellAddresses = { public: 'http://one.localhost', cell_b: 'http://two.localhost' } as const;
export type Cell = keyof typeof cellAddresses;

/** Longer than a worker takes to notice that it has lost a phone, and shorter than a hung one may take. */
const lettingGoMs = 4_500;

export type TwoCells = {
  database: TestDatabase;
  one: TestApplication;
  two: TestApplication;
  move(customer: Pick<Customer, 'id'>, to: Cell): ReturnType<typeof moveAccounts>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Two products in the schemas `public` and `cell_b` of one database, with the same key and files. */
export async function startTwoCells(env: Record<string, string> = {}): Promise<TwoCells> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-cells-'));
  const role = { name: new URL(database.applicationConnectionString).username };
  for (const schema of ['public', 'cell_b']) await prepareDatabase(database.connectionString, { schema, role });
  const secretKey = randomBytes(32);
  const start = (schema: Cell) =>
    startTestApplication({
      connectionString: database.applicationConnectionString,
      secretKey,
      env: {
        DATA_DIR: dataDir,
        DATABASE_SCHEMA: schema,
        PUBLIC_URL: cellAddresses[schema],
        PROJECT_LIMIT: '5',
        DATABASE_URL: database.applicationConnectionString,
        MIGRATION_DATABASE_URL: database.connectionString,
        SECRET_KEY: secretKey.toString('base64'),
        ...env,
      },
    });
  const [one, two] = [await start('public'), await start('cell_b')];
  return {
    database,
    one,
    two,
    move: (customer, to) =>
      moveAccounts(
        to === 'public' ? two.ctx : one.ctx,
        { connectionString: database.connectionString, accountIds: [customer.id], to, operator: 'grace' },
        { lettingGoMs },
      ),
    async [Symbol.asyncDispose]() {
      await one[Symbol.asyncDispose]();
      await two[Symbol.asyncDispose]();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
