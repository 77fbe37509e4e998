import pg from 'pg';
import { defaultTimeouts, startParameters } from './timeouts.ts';

const reachTimeoutMs = 10_000;

/** PgBouncer's refusal of a parameter that it is not configured to ignore. */
const refusal = 'unsupported startup parameter';

/** An unusual value, so that only a server that was given it returns it. */
const asked = { ...defaultTimeouts, lockMs: 12_345 };

/**
 * Whether what answers at the address is a pooler, which refuses or drops what a connection asks for at its start.
 * Throws when there is no answer, or the login is refused.
 */
export async function leadsToPooler(connectionString: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: reachTimeoutMs,
    query_timeout: reachTimeoutMs,
    ...startParameters(asked),
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ ms: string }>(
      "select setting as ms from pg_settings where name = 'lock_timeout'",
    );
    return rows[0]?.ms !== String(asked.lockMs);
  } catch (error) {
    if (error instanceof Error && error.message.includes(refusal)) return true;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
