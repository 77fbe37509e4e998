import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';

const sliceSize = 1_000;

/** Writes the memberships of founders whose accounts are older than the table, a slice in each transaction. */
export async function takeOverMemberships(ctx: Context, size = sliceSize): Promise<void> {
  while (await takeSlice(ctx, size));
}

/** Resolves to whether more is left. */
function takeSlice(ctx: Context, size: number): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    // account-wide: the cursor is one for all.
    const { rows } = await sql<{ after_id: number; until_id: number }>`
      select after_id, until_id from membership_backfill where after_id < until_id for update skip locked
    `.execute(tx.db);
    const [cursor] = rows;
    if (!cursor) return false;
    const { rows: taken } = await sql<{ id: number }>`
      with slice as (
        select id, created_at from accounts where id > ${cursor.after_id} and id <= ${cursor.until_id}
         order by id limit ${size}
           -- An account that is removed meanwhile has no members.
           for key share
      ), written as (
        insert into memberships (account_id, user_id, role, created_at)
        select id, id, 'owner', created_at from slice
        on conflict do nothing
      )
      select id from slice order by id desc limit 1
    `.execute(tx.db);
    const last = taken[0]?.id ?? cursor.until_id;
    await tx.db.updateTable('membership_backfill').set({ after_id: last }).execute();
    return last < cursor.until_id;
  });
}
