import { sql } from 'kysely';
import type { QueryExecutorProvider, RawBuilder } from 'kysely';

/** Where the product lives unless `DATABASE_SCHEMA` says otherwise. */
export const defaultSchema = 'public';

/**
 * The name of a channel or a lock as the database knows it. Both belong to the database as a whole: in a schema of its
 * own a product puts the schema before them, so that several stand beside each other.
 */
export function sharedName(schema: string, name: string): string {
  return schema === defaultSchema ? name : `${schema}.${name}`;
}

/** The same, by the schema of the connection. */
export function sharedNameSql(name: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`concat(nullif(current_schema(), ${sql.lit(defaultSchema)}) || '.', ${name}::text)`;
}

type OpenTransaction = QueryExecutorProvider & { readonly isTransaction: true };

const lockKey = (name: string, id: number) => sql`hashtextextended(${sharedNameSql(sql`${name}`)}, ${id})`;

/** Waits for an advisory lock that the transaction holds until it ends. */
export async function takeTurn(db: OpenTransaction, name: string, id = 0): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey(name, id)})`.execute(db);
}

/** Answers whether the transaction has the advisory lock now; waits for nobody. */
export async function tryTurn(db: OpenTransaction, name: string, id = 0): Promise<boolean> {
  const { rows } = await sql<{ is_ours: boolean }>`
    select pg_try_advisory_xact_lock(${lockKey(name, id)}) as is_ours
  `.execute(db);
  return rows[0]?.is_ours === true;
}

type Asked = { query(text: string, values: unknown[]): Promise<{ rows: unknown[] }> };

const keyOfConnection = `hashtextextended(concat(nullif(current_schema(), '${defaultSchema}') || '.', $1::text), 0)`;

/** The same of a connection, which holds the lock until it ends. */
export async function tryTurnOfConnection(client: Asked, name: string): Promise<boolean> {
  const { rows } = await client.query(`select pg_try_advisory_lock(${keyOfConnection}) as is_ours`, [name]);
  return (rows as { is_ours: boolean }[])[0]?.is_ours === true;
}

/** Waits for the lock, which the connection holds until it ends. */
export async function takeTurnOfConnection(client: Asked, name: string): Promise<void> {
  await client.query(`select pg_advisory_lock(${keyOfConnection})`, [name]);
}

/** Waits until nobody has the lock alone; others may share it. */
export async function shareTurnOfConnection(client: Asked, name: string): Promise<void> {
  await client.query(`select pg_advisory_lock_shared(${keyOfConnection})`, [name]);
}

/** The connection holds none of its locks any longer. */
export async function endTurnsOfConnection(client: Asked): Promise<void> {
  await client.query('select pg_advisory_unlock_all()', []);
}

/** The process id of the connection that holds the lock; undefined: none does. */
export async function holderOfTurn(client: Asked, name: string): Promise<number | undefined> {
  const { rows } = await client.query(
    `select pid from pg_locks
      where locktype = 'advisory' and granted and objsubid = 1
        and database = (select oid from pg_database where datname = current_database())
        and (classid::bigint << 32 | objid::bigint) = ${keyOfConnection}`,
    [name],
  );
  return (rows as { pid: number }[])[0]?.pid;
}
