import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Context } from '#server/context.ts';
import { idsPerCell, smallIdsPerCell } from '#server/platform/db/cell-ids.ts';
import { noteTexts } from './directory.ts';

const rowsPerRead = 1_000;

type Found = { account_id: number; id: number; text: string | null };

const digest = (column: string) => sql`'key ' || encode(${sql.ref(column)}, 'hex')`;

/** All that leads to accounts of this cell, by the tables that have it, as `directory` has it for one entry. */
const sources: readonly RawBuilder<unknown>[] = [
  sql`select id as account_id, id, 'email ' || email_key as text from accounts`,
  sql`select id as account_id, id, ${digest('api_key_hash')} as text from accounts`,
  sql`select account_id, id, ${digest('key_hash')} as text from account_keys`,
  sql`select account_id, id, ${digest('auth_key_hash')} as text from projects`,
  sql`select account_id, id, ${digest('key_hash')} as text from project_keys`,
  sql`select account_id, account_id as id, ${digest('token_hash')} as text from password_resets`,
  sql`select account_id, account_id as id, ${digest('token_hash')} as text from email_links`,
  sql`select account_id, account_id as id, ${digest('token_hash')} as text from invitations`,
  sql`select account_id, phone_id as id, ${digest('callback_hash')} as text from cloud_numbers`,
  sql`select account_id, phone_id as id, 'business account ' || business_account_id as text from cloud_numbers
       where operator_app_id is not null`,
  sql`select account_id, account_id as id, 'identity ' || issuer || ' ' || subject as text from oidc_identities`,
];

/** Addresses in messages name the cell that made them: those of others are all that is looked for. */
const idsInAddresses: readonly { source: RawBuilder<unknown>; perCell: number }[] = [
  { source: sql`select id as account_id, id, 'account ' || id as text from accounts`, perCell: idsPerCell },
  { source: sql`select account_id, id, 'link ' || id as text from links`, perCell: smallIdsPerCell },
];

/**
 * Writes the directory's entries of this cell anew, those of accounts from before there was one and under a new
 * SECRET_KEY among them, and removes what leads nowhere any more. Answers how many were removed.
 */
// account-wide: the directory is of all accounts of the cell.
export async function followDirectory(ctx: Context): Promise<number> {
  const { rows: begun } = await sql<{ at: Date; number: number }>`
    select now() as at, coalesce((select number from cells where name = ${ctx.config.databaseSchema}), 0) as number
  `.execute(ctx.db);
  const { at, number } = begun[0] ?? { at: new Date(0), number: 0 };
  const to = Number.MAX_SAFE_INTEGER;
  for (const source of sources) await noteRange(ctx, source, { from: 0, to });
  for (const { source, perCell } of idsInAddresses) {
    await noteRange(ctx, source, { from: 0, to: number * perCell });
    await noteRange(ctx, source, { from: (number + 1) * perCell, to });
  }
  const { rows } = await sql<{ removed: number }>`
    with gone as (
      delete from cell_directory where cell = ${ctx.config.databaseSchema} and noted_at < ${at}
      returning 1
    )
    select count(*)::int as removed from gone
  `.execute(ctx.db);
  return rows[0]?.removed ?? 0;
}

type Range = { from: number; to: number };

async function noteRange(ctx: Context, source: RawBuilder<unknown>, { from, to }: Range): Promise<void> {
  for (let after = from; ;) {
    // Several rows may have the id of one account.
    const { rows } = await sql<Found>`
      select * from (${source}) as found where id > ${after}::bigint and id <= ${to}::bigint
       order by id fetch first ${sql.lit(rowsPerRead)} rows with ties
    `.execute(ctx.db);
    await noteTexts(ctx, rows.flatMap(textsOf));
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerRead) return;
    after = last.id;
  }
}

/** All that leads to some accounts, as the directory has it, under all keys. */
export async function fingerprintsOfAccounts(ctx: Context, accountIds: readonly number[]): Promise<Buffer[]> {
  const { rows } = await sql<Found>`
    select * from (${sql.join([...sources, ...idsInAddresses.map(({ source }) => source)], sql` union all `)}) as found
     where account_id = any(${accountIds}::bigint[])
  `.execute(ctx.db);
  return rows.flatMap(textsOf).flatMap((text) => ctx.secrets.fingerprints(text));
}

/** Accounts without an address of their own, say, have none. */
const textsOf = ({ text }: { text: string | null }): string[] => (text === null ? [] : [text]);

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
