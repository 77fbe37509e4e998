import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { contactKey } from '#server/modules/messaging/messages/index.ts';

/** Messages that one transaction goes through. */
const messagesPerStep = 2_000;

/** The rest is left for the next round. */
const roundMs = 60_000;

/** Makes conversations of what came before there were any: read, as far as anybody knows. */
export async function takeOverConversations(ctx: Context): Promise<void> {
  const endsAt = performance.now() + roundMs;
  while (performance.now() < endsAt && (await takeStep(ctx)));
}

// account-wide: one worker goes through the projects of all accounts.
async function takeStep(ctx: Context): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const { rows: due } = await sql<{ account_id: number; project_id: number; before_id: number | null }>`
      select * from conversation_backfill order by account_id, project_id limit 1 for update skip locked
    `.execute(tx.db);
    const [project] = due;
    if (!project) return false;
    const { account_id: accountId, project_id: projectId, before_id: beforeId } = project;
    const { rows } = await sql<{ first_id: number | null; count: number }>`
      with slice as (
        select * from messages
         where account_id = ${accountId} and project_id = ${projectId}
           and (${beforeId}::bigint is null or id < ${beforeId})
         order by id desc limit ${messagesPerStep}
      ), latest as (
        select distinct on (key) *
          from (select slice.*, ${contactKey} as key, case direction when 'incoming' then sender else recipient end as peer
                  from slice where direction = 'incoming' or source = 'handset') as theirs
         where key is not null
         order by key, id desc
      ), made as (
        insert into conversations (account_id, project_id, contact_key, phone, phone_id, last_message_id, last_message_at)
        select account_id, project_id, key, peer, phone_id, id, created_at from latest
        on conflict (account_id, project_id, contact_key) do nothing
      )
      select min(id) as first_id, count(*)::int as count from slice
    `.execute(tx.db);
    const { first_id: firstId = null, count = 0 } = rows[0] ?? {};
    const own = sql`account_id = ${accountId} and project_id = ${projectId}`;
    if (count < messagesPerStep) await sql`delete from conversation_backfill where ${own}`.execute(tx.db);
    else await sql`update conversation_backfill set before_id = ${firstId} where ${own}`.execute(tx.db);
    return true;
  });
}
