import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { withinBounds } from './within-bounds.ts';

let database: TestDatabase;
let ctx: Context & { account: { id: number } };

beforeAll(async () => {
  database = await createTestDatabase();
  ctx = { db: database.db, reads: 'admitted', account: { id: 1 } } as typeof ctx;
});

afterAll(async () => {
  await database.drop();
});

test('a query that takes too long is cut off and reported', async () => {
  const slow = withinBounds(ctx, (tx) => sql`select pg_sleep(60)`.execute(tx.db), 20);
  await expect(slow).rejects.toMatchObject({ status: 503, code: 'too_costly' });
});

test('the bound ends with the statement', async () => {
  await withinBounds(ctx, (tx) => sql`select 1`.execute(tx.db), 20);
  const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(ctx.db);
  expect(rows).toEqual([{ statement_timeout: '30s' }]);
});
