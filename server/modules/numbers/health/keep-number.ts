import { sql } from 'kysely';
import type { Context, Tx } from '#server/context.ts';

type Numbered = { accountId: number; phoneId: number; number: string };

const keptMs = 400 * 24 * 60 * 60_000;

/**
 * Keeps who knows a number and how it stands with its network, in the transaction that deletes its phone: they belong to
 * the number, which may come back, also by the official API.
 */
export async function keepNumber(tx: Tx, { accountId, phoneId, number }: Numbered): Promise<void> {
  await sql`
    with known as materialized (
      select (select to_jsonb(h) from phone_health h where h.account_id = ${accountId} and h.phone_id = ${phoneId}) as health
    )
    insert into kept_numbers (account_id, number, kept_at, health)
    select ${accountId}::bigint, ${number}, ${tx.clock.now()}::timestamptz, health from known
    on conflict (account_id, number) do update
      set kept_at = excluded.kept_at, health = coalesce(excluded.health, kept_numbers.health)
  `.execute(tx.db);
  await sql`
    insert into kept_contacts as k (account_id, number, phone_key, wrote_at, refused_at)
    select account_id, ${number}, phone_key, wrote_at, refused_at from phone_contacts
     where account_id = ${accountId} and phone_id = ${phoneId}
    on conflict (account_id, number, phone_key) do update
      set wrote_at = greatest(k.wrote_at, excluded.wrote_at), refused_at = excluded.refused_at
  `.execute(tx.db);
}

/**
 * Gives a phone that is added what was kept of its number. `isPaced`: its health and the refusals are those of linked
 * numbers, and nothing to the official API.
 */
export async function restoreNumber(
  tx: Tx,
  { accountId, phoneId, number, isPaced }: Numbered & { isPaced: boolean },
): Promise<void> {
  await sql`
    insert into phone_contacts (account_id, phone_id, phone_key, wrote_at, refused_at)
    select account_id, ${phoneId}, phone_key, wrote_at, case when ${isPaced} then refused_at end from kept_contacts
     where account_id = ${accountId} and number = ${number} and (wrote_at is not null or ${isPaced})
    on conflict (phone_id, phone_key) do nothing
  `.execute(tx.db);
  if (!isPaced) return;
  await sql`
    with known as materialized (
      select health from kept_numbers
       where account_id = ${accountId} and number = ${number} and health is not null
    )
    insert into phone_health
    select (jsonb_populate_record(null::phone_health, health || jsonb_build_object('phone_id', ${phoneId}::bigint))).*
      from known
    on conflict do nothing
  `.execute(tx.db);
}

/** Forgets numbers that did not come back for more than a year. */
export async function removeOldNumbers(ctx: Context): Promise<void> {
  // account-wide: time alone decides, whosever they are.
  await sql`delete from kept_numbers where kept_at < ${new Date(ctx.clock.now().getTime() - keptMs)}`.execute(ctx.db);
}
