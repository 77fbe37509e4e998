import { sql } from 'kysely';
import type { Peer } from '#server/connectors/messaging/port.ts';
import type { Context, Tx } from '#server/context.ts';

/** User ids of the official API; addresses of linked numbers are digits. */
export const isScopedId = (lid: string) => /^[A-Z]{2}\./.test(lid);

/**
 * The person with the number behind their user id, where a message has brought both before: users hide their number from
 * businesses that have not talked with them for a while. Keeps both where this message brings them.
 */
export async function withKnownNumber(ctx: Context, accountId: number, peer: Peer): Promise<Peer> {
  const { number, lid } = peer;
  if (lid === undefined || !isScopedId(lid)) return peer;
  if (number !== undefined) {
    await sql`
      /* prepared: note-scoped-user */
      insert into scoped_users as u (account_id, user_id, number, seen_at)
      values (${accountId}, ${lid}, ${number}, ${ctx.clock.now()})
      on conflict (account_id, user_id) do update set number = excluded.number, seen_at = excluded.seen_at
       where u.number <> excluded.number
    `.execute(ctx.db);
    return peer;
  }
  const known = await findNumberOfUser(ctx, accountId, lid);
  return known === undefined ? peer : { number: known, lid };
}

/** The number, digits, of a user id; undefined where no message has brought it. */
export async function findNumberOfUser(ctx: Context, accountId: number, userId: string): Promise<string | undefined> {
  const row = await ctx.db
    .selectFrom('scoped_users')
    .select('number')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.number;
}

/** The user ids of whoever has one of these numbers. */
export async function findUserIds(ctx: Context, accountId: number, phoneKeys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from scoped_users where account_id = ${accountId} and phone_key(number) = any(${phoneKeys}::text[])
  `.execute(ctx.db);
  return rows.map((row) => row.user_id);
}

/** Forgets the user ids of a person who asked to be forgotten. */
export async function forgetScopedUsers(
  tx: Tx,
  { accountId, phoneKeys }: { accountId: number; phoneKeys: readonly string[] },
): Promise<void> {
  await sql`
    delete from scoped_users where account_id = ${accountId} and phone_key(number) = any(${phoneKeys}::text[])
  `.execute(tx.db);
}
