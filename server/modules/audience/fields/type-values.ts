import { sql } from 'kysely';
import type { FieldType } from '#contracts/field-types.ts';
import { parseFieldPath } from '#contracts/field-path.ts';
import type { AccountContext, Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { notify } from '#server/platform/db/notify.ts';
import { retryConflicts } from '#server/platform/db/retry-conflicts.ts';
import { fieldsChannel } from './channels.ts';

const profilesPerSlice = 1_000;
const valuesPerSlice = 5_000;
/** Conditions that were compiled before may still be asked. */
const keptMs = 10 * 60_000;

type OpenField = {
  account_id: number;
  id: number;
  keys: string[];
  type: FieldType;
  fills_from: string | null;
  filled_until: number;
  is_dropped: boolean;
};

/** Has the values of a field read as its new type in the background; the earlier ones are met no more. */
export async function retypeValues(
  tx: Tx<AccountContext>,
  { path, type }: { path: string; type: FieldType | null },
): Promise<void> {
  await tx.db
    .updateTable('typed_fields')
    .set({ dropped_at: tx.clock.now(), filled_until: 0 })
    .where('account_id', '=', tx.account.id)
    .where('path', '=', path)
    .where('dropped_at', 'is', null)
    .execute();
  const field = parseFieldPath(path);
  if (type === null || field?.kind !== 'custom') return;
  await tx.db
    .insertInto('typed_fields')
    .values({
      account_id: tx.account.id,
      path,
      keys: [...field.keys],
      type,
      fills_from: null,
      filled_at: null,
      dropped_at: null,
    })
    .execute();
  await notify(tx.db, [{ channel: fieldsChannel, payload: '' }]);
}

/**
 * Fills in the values of a field, or removes those of an earlier type: a slice of any field that is not done. Answers
 * whether there was one. Triggers keep in step what is there.
 */
export function typeNextSlice(ctx: Context): Promise<boolean> {
  return retryConflicts(() =>
    inTransaction(ctx, async (tx) => {
      const field = await lockOpenField(tx);
      if (!field) return false;
      if (field.is_dropped) await dropSlice(tx, field);
      else if (field.fills_from === null) await noteOpenTransactions(tx, field);
      else await fillSlice(tx, field);
      return true;
    }),
  );
}

/** Any of them, so that a large account keeps nobody waiting. */
// account-wide: a worker serves the fields of all accounts.
async function lockOpenField(tx: Tx): Promise<OpenField | undefined> {
  const before = new Date(tx.clock.now().getTime() - keptMs);
  const { rows } = await sql<OpenField>`
    select account_id, id, keys, type, fills_from::text as fills_from, filled_until, dropped_at is not null as is_dropped
      from typed_fields
     where (filled_at is null or dropped_at is not null)
       and case when dropped_at is not null then dropped_at < ${before}
                else fills_from is null or fills_from <= pg_snapshot_xmin(pg_current_snapshot()) end
     order by random() limit 1 for update skip locked
  `.execute(tx.db);
  return rows[0];
}

const isField = ({ account_id: accountId, id }: OpenField) => sql`account_id = ${accountId} and id = ${id}`;

/** Their triggers may have missed the field, so that profiles are read once they have ended. */
async function noteOpenTransactions(tx: Tx, field: OpenField): Promise<void> {
  await sql`
    update typed_fields set fills_from = pg_snapshot_xmax(pg_current_snapshot()) where ${isField(field)}
  `.execute(tx.db);
}

/** The profiles are held, in the order in which imports lock them, so that what is read of them is the latest. */
async function fillSlice(tx: Tx, field: OpenField): Promise<void> {
  const { account_id: accountId, id, keys, type, filled_until: after } = field;
  const { rows } = await sql<{ last: number | null; count: number }>`
    with slice as materialized (
      select id from profiles where account_id = ${accountId} and id > ${after} order by id limit ${profilesPerSlice}
    ), held as materialized (
      select p.id, p.custom_fields from profiles p
       where p.account_id = ${accountId} and p.id > ${after} and p.id <= (select max(id) from slice)
       order by phone_key(p.phone) for share
    ), filled as (
      insert into typed_values (account_id, profile_id, field_id, place, number, day, text, is_readable)
      select ${accountId}, held.id, ${id}, r.place, r.number, r.day, r.text, r.is_readable
        from held cross join lateral typed_rows(typed_value_at(custom_fields, ${keys}::text[]), ${type}) as r
          on conflict do nothing
    )
    select max(id) as last, count(*)::int as count from slice
  `.execute(tx.db);
  const { last = null, count = 0 } = rows[0] ?? {};
  const isLast = count < profilesPerSlice;
  await sql`
    update typed_fields set filled_until = ${last ?? after},
                            filled_at = case when ${isLast} then ${tx.clock.now()}::timestamptz end
     where ${isField(field)}
  `.execute(tx.db);
}

async function dropSlice(tx: Tx, field: OpenField): Promise<void> {
  const { account_id: accountId, id, filled_until: after } = field;
  const { rows } = await sql<{ last: number | null; count: number }>`
    with slice as materialized (
      select profile_id from typed_values
       where account_id = ${accountId} and profile_id > ${after}
       order by profile_id limit ${valuesPerSlice}
    ), gone as (
      delete from typed_values
       where account_id = ${accountId} and field_id = ${id}
         and profile_id > ${after} and profile_id <= (select max(profile_id) from slice)
    )
    select max(profile_id) as last, count(*)::int as count from slice
  `.execute(tx.db);
  const { last = null, count = 0 } = rows[0] ?? {};
  if (count < valuesPerSlice) await sql`delete from typed_fields where ${isField(field)}`.execute(tx.db);
  else await sql`update typed_fields set filled_until = ${last} where ${isField(field)}`.execute(tx.db);
}
