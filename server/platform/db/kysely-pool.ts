import type { PostgresCursor, PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';

const preparedName = /^\s*\/\* prepared: ([\w-]+) \*\//;

/**
 * The pool as Kysely takes it. A statement that begins with the comment `prepared: its-name` is planned once a
 * connection instead of at every call. Worth it for statements of fixed text that each message goes through; a pooler
 * in front must keep prepared statements (PgBouncer from 1.21 on does).
 */
export function kyselyPool(pool: pg.Pool): PostgresPool {
  const wrapped = new WeakMap<pg.PoolClient, PostgresPoolClient>();

  function wrap(client: pg.PoolClient): PostgresPoolClient {
    function query(text: string | PostgresCursor<unknown>, values: readonly unknown[] = []) {
      if (typeof text !== 'string') throw new Error('Cursors are not used here');
      const name = preparedName.exec(text)?.[1];
      return client.query({ text, values: [...values], ...(name !== undefined && { name }) });
    }
    return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release() };
  }

  return {
    async connect() {
      const client = await pool.connect();
      const known = wrapped.get(client) ?? wrap(client);
      wrapped.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
}
