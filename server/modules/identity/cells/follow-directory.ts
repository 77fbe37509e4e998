import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Context } from '#server/context.ts';
import { fingerprintsOf, noteInDirectory } from './directory.ts';
import type { Entry } from './directory.ts';

const rowsPerRead = 1_000;

type Found = { id: number; email_key: string | null; key_hash: Buffer | null };

/** All that leads to accounts of this cell, by the tables that have it. */
const sources: readonly RawBuilder<unknown>[] = [
  sql`select id, email_key, api_key_hash as key_hash from accounts`,
  sql`select id, null as email_key, key_hash from account_keys`,
  sql`select id, null as email_key, auth_key_hash as key_hash from projects`,
  sql`select id, null as email_key, key_hash from project_keys`,
];

/**
 * Writes the directory's entries of this cell anew, those of accounts from before there was one and under a new
 * SECRET_KEY among them, and removes what leads nowhere any more. Answers how many were removed.
 */
// account-wide: the directory is of all accounts of the cell.
export async function followDirectory(ctx: Context): Promise<number> {
  const { rows: begun } = await sql<{ at: Date }>`select now() as at`.execute(ctx.db);
  for (const source of sources) {
    for (let after = 0; ;) {
      const { rows } = await sql<Found>`
        select * from (${source}) as found where id > ${after} order by id limit ${rowsPerRead}
      `.execute(ctx.db);
      await noteInDirectory(ctx, rows.flatMap(entriesOf));
      const last = rows.at(-1);
      if (last === undefined || rows.length < rowsPerRead) break;
      after = last.id;
    }
  }
  const { rows } = await sql<{ removed: number }>`
    with gone as (
      delete from cell_directory where cell = ${ctx.config.databaseSchema} and noted_at < ${begun[0]?.at}
      returning 1
    )
    select count(*)::int as removed from gone
  `.execute(ctx.db);
  return rows[0]?.removed ?? 0;
}

/** All that leads to some accounts, as the directory has it, under all keys. */
export async function fingerprintsOfAccounts(ctx: Context, accountIds: readonly number[]): Promise<Buffer[]> {
  const { rows } = await sql<Found>`
    select 0 as id, email_key, api_key_hash as key_hash from accounts where id = any(${accountIds}::bigint[])
    union all select 0, null, key_hash from account_keys where account_id = any(${accountIds}::bigint[])
    union all select 0, null, auth_key_hash from projects where account_id = any(${accountIds}::bigint[])
    union all select 0, null, key_hash from project_keys where account_id = any(${accountIds}::bigint[])
  `.execute(ctx.db);
  return rows.flatMap(entriesOf).flatMap((entry) => fingerprintsOf(ctx, entry));
}

function entriesOf({ email_key: emailKey, key_hash: keyHash }: Found): Entry[] {
  return [...(emailKey === null ? [] : [{ emailKey }]), ...(keyHash === null ? [] : [{ keyHash }])];
}

const keyMark = 'the key of a cell';

/** Says where this cell is reached, and what an account that is moved here has to bring. */
export async function announceCell({ db, config, secrets }: Context): Promise<void> {
  const files = config.s3 ? `${config.s3.endpoint}/${config.s3.bucket}` : config.dataDir;
  await sql`
    insert into cells (name, number, url, key_fingerprint, files, seen_at)
    values (${config.databaseSchema}, 0, ${config.publicUrl}, ${secrets.fingerprints(keyMark)[0]}, ${files}, now())
    on conflict (name) do update
      set url = excluded.url, key_fingerprint = excluded.key_fingerprint, files = excluded.files, seen_at = excluded.seen_at
  `.execute(db);
}
