import { onTestFinished } from 'vitest';
import { spawnPgBouncer } from './spawn-pgbouncer.ts';
import type { PgBouncer } from './spawn-pgbouncer.ts';

/** Stands between the product and its database until the test ends. */
export async function runPgBouncer(connectionString: string): Promise<PgBouncer> {
  const pooler = await spawnPgBouncer(connectionString);
  onTestFinished(() => pooler.stop());
  return pooler;
}

/** Answers the address that leads through it. */
export const startPgBouncer = async (connectionString: string): Promise<string> =>
  (await runPgBouncer(connectionString)).connectionString;
