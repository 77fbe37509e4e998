import { sql } from 'kysely';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';

/** The most messages that one statement adopts; further ones follow in the background. */
const messagesPerStep = 1_000;

type Adoption = { account_id: number; profile_id: number; phone_key: string };

/**
 * Ties messages to profiles that were made after them, by all forms of their numbers. Few have any, and planning what
 * ties them costs as much as the rest of making a profile. Profiles' numbers have a collation of their own: compared in
 * that one, the key of the messages' index would not be used, and each of the account's messages would be read.
 */
export async function adoptMessages(
  tx: Tx,
  { accountId, profileIds }: { accountId: number; profileIds: readonly number[] },
): Promise<void> {
  const { rows } = await sql<Adoption>`
    /* prepared: find-with-messages */
    select p.account_id, p.id as profile_id, phone_key(p.phone) as phone_key
      from profiles p
     cross join lateral (
       select from messages m
        where m.account_id = p.account_id and m.profile_id is null
          and phone_key(case m.direction when 'incoming' then m.sender else m.recipient end)
              = phone_key(p.phone) collate "default"
        limit 1
     ) as earlier
     where p.account_id = ${accountId} and p.id = any(${profileIds}::bigint[])
  `.execute(tx.db);
  const unfinished = await adopt(tx, rows);
  if (unfinished.length === 0) return;
  await sql`
    insert into profile_adoptions (account_id, profile_id, phone_key)
    select * from ${tableOf(unfinished)} on conflict (account_id, profile_id) do update set phone_key = excluded.phone_key
  `.execute(tx.db);
}

/** Adopts what was too much at once, step by step. */
export async function adoptFurtherMessages(ctx: Context): Promise<void> {
  while (await adoptStep(ctx));
}

// account-wide: a worker serves the profiles of all accounts.
async function adoptStep(ctx: Context): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const { rows: due } = await sql<Adoption>`
      delete from profile_adoptions
       where (account_id, profile_id) in (select account_id, profile_id from profile_adoptions limit 10
                                             for update skip locked)
      returning account_id, profile_id, phone_key
    `.execute(tx.db);
    if (due.length === 0) return false;
    const unfinished = await adopt(tx, due);
    if (unfinished.length > 0) {
      await sql`insert into profile_adoptions (account_id, profile_id, phone_key) select * from ${tableOf(unfinished)}`.execute(
        tx.db,
      );
    }
    return true;
  });
}

/** Answers those that may have more. */
async function adopt(tx: Tx, adoptions: readonly Adoption[]): Promise<Adoption[]> {
  if (adoptions.length === 0) return [];
  const limit = Math.ceil(messagesPerStep / adoptions.length);
  const { rows } = await sql<Adoption>`
    with made as (
      select * from ${tableOf(adoptions)}
    ), found as materialized (
      select made.account_id, made.profile_id, x.id
        from made
       cross join lateral (
         select m.id from messages m
          where m.account_id = made.account_id and m.profile_id is null
            and phone_key(case m.direction when 'incoming' then m.sender else m.recipient end) = made.phone_key
          limit ${limit}
       ) as x
    ), adopted as (
      update messages m set profile_id = found.profile_id from found
       where m.account_id = found.account_id and m.id = found.id
    )
    select made.account_id, made.profile_id, made.phone_key
      from made join found using (account_id, profile_id)
     group by made.account_id, made.profile_id, made.phone_key
    having count(*) >= ${limit}
  `.execute(tx.db);
  return rows;
}

const tableOf = (adoptions: readonly Adoption[]) => sql`
  jsonb_to_recordset(${JSON.stringify(adoptions)}::jsonb) as given (account_id bigint, profile_id bigint, phone_key text)`;
