import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '#tests/support/database.ts';
import { distributeCell } from './distribute-cell.ts';

test('a database without Citus, and the schema that Citus does not take, are named as what is wrong, and nothing is made', async () => {
  const { connectionString, drop, pool } = await createTestDatabase({ isMigrated: false });
  onTestFinished(drop);
  await expect(distributeCell(connectionString, { schema: 'cell_b' })).rejects.toThrow(
    'DATABASE_URL: expected the coordinator of a Citus',
  );
  await expect(distributeCell(connectionString, {})).rejects.toThrow('DATABASE_SCHEMA: expected a schema of its own');
  expect((await pool.query(`select from pg_namespace where nspname = 'cell_b'`)).rowCount).toBe(0);
});
