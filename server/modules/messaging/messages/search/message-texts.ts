import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';

const messagesPerStep = 2_000;

/** The rest is left for the next round. */
const roundMs = 60_000;

/** Makes what came before there was a search by text as it is now found by it, step by step. */
export async function takeOverTexts(ctx: Context): Promise<void> {
  const endsAt = performance.now() + roundMs;
  while (performance.now() < endsAt && (await takeStep(ctx)));
}

// account-wide: one worker goes through the messages of all accounts.
async function takeStep(ctx: Context): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const { rows: due } = await sql<{ account_id: number; before_id: number | null }>`
      select * from message_text_backfill order by account_id limit 1 for update skip locked
    `.execute(tx.db);
    const [account] = due;
    if (!account) return false;
    const { account_id: accountId, before_id: beforeId } = account;
    const { rows } = await sql<{ first_id: number | null; count: number }>`
      with slice as (
        select account_id, id, body from messages
         where account_id = ${accountId} and (${beforeId}::bigint is null or id < ${beforeId})
         order by id desc limit ${messagesPerStep}
      ), kept as (
        insert into message_texts (account_id, message_id, body)
        select account_id, id, fold_text(body) from slice where body <> ''
        on conflict (account_id, message_id) do update set body = excluded.body
         where message_texts.body <> excluded.body
      )
      select min(id) as first_id, count(*)::int as count from slice
    `.execute(tx.db);
    const { first_id: firstId = null, count = 0 } = rows[0] ?? {};
    if (count < messagesPerStep) {
      await sql`delete from message_text_backfill where account_id = ${accountId}`.execute(tx.db);
    } else {
      await sql`update message_text_backfill set before_id = ${firstId} where account_id = ${accountId}`.execute(tx.db);
    }
    return true;
  });
}

/** Removes the texts of messages whose month is gone, slice by slice. */
export async function removeOldTexts({ db }: Context): Promise<void> {
  for (;;) {
    // account-wide: months hold the messages of all accounts.
    const { numAffectedRows } = await sql`
      delete from message_texts where ctid = any(array(
        select t.ctid from message_texts t
         where t.message_id < (select record_id_at(min(to_date(right(inhrelid::regclass::text, 7), 'YYYY_MM'))::timestamp
                                                     at time zone 'UTC')
                                 from pg_inherits where inhparent = 'messages'::regclass)
         limit 2000))
    `.execute(db);
    if (Number(numAffectedRows ?? 0n) === 0) return;
  }
}
