import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { tryTurnOfConnection } from './shared-names.ts';

const lockPollMs = 200;

/**
 * Runs the work while no other process on the connection's schema runs any under the same name. The lock is polled: a statement that
 * waits for it would hold a snapshot, and a concurrent index build waits for every snapshot, so that both would wait for
 * each other. The lock goes with its connection. `connectionString` leads to PostgreSQL itself, without a pooler.
 */
export async function withServerLock<Result>(
  connectionString: string,
  name: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('set statement_timeout = 0; set lock_timeout = 0');
    for (;;) {
      if (await tryTurnOfConnection(client, name)) return await work(client);
      await delay(lockPollMs);
    }
  } finally {
    await client.end();
  }
}
