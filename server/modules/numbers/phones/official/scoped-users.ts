import { sql } from 'kysely';
import type { Peer } from '#server/connectors/messaging/port.ts';
import type { Context, Tx } from '#server/context.ts';
import { anyLength } from '#server/platform/db/any-length.ts';

/** User ids of the official API; addresses of linked numbers are digits. */
export const isScopedId = (lid: string) => /^[A-Z]{2}\./.test(lid);

/**
 * Each person with the number behind their user id, where a message has brought both before, or one of these does: users
 * hide their number from businesses that have not talked with them for a while. Keeps both where these bring them.
 */
export async function withKnownNumbers(ctx: Context, accountId: number, peers: readonly Peer[]): Promise<Peer[]> {
  const scoped = peers.flatMap(({ lid, number }) => (lid !== undefined && isScopedId(lid) ? [{ lid, number }] : []));
  if (scoped.length === 0) return [...peers];
  const brought = new Map(scoped.flatMap(({ lid, number }) => (number === undefined ? [] : [[lid, number]])));
  await noteScopedUsers(ctx, accountId, brought);
  const hidden = scoped.flatMap(({ lid, number }) => (number === undefined && !brought.has(lid) ? [lid] : []));
  const known = new Map([...brought, ...(await findNumbersOfUsers(ctx, accountId, [...new Set(hidden)]))]);
  return peers.map((peer) => {
    const number = peer.number ?? (peer.lid === undefined ? undefined : known.get(peer.lid));
    return number === undefined ? peer : { ...peer, number };
  });
}

export async function withKnownNumber(ctx: Context, accountId: number, peer: Peer): Promise<Peer> {
  const [known] = await withKnownNumbers(ctx, accountId, [peer]);
  return known ?? peer;
}

async function noteScopedUsers(ctx: Context, accountId: number, numberOf: ReadonlyMap<string, string>): Promise<void> {
  if (numberOf.size === 0) return;
  await sql`
    /* prepared: note-scoped-users */
    insert into scoped_users as u (account_id, user_id, number, seen_at)
    select ${accountId}::bigint, x.user_id, x.number, ${ctx.clock.now()}::timestamptz
      from unnest(${anyLength([...numberOf.keys()], 'text')}, ${anyLength([...numberOf.values()], 'text')})
             as x (user_id, number)
     order by x.user_id
    on conflict (account_id, user_id) do update set number = excluded.number, seen_at = excluded.seen_at
     where u.number <> excluded.number
  `.execute(ctx.db);
}

async function findNumbersOfUsers(
  ctx: Context,
  accountId: number,
  userIds: readonly string[],
): Promise<[string, string][]> {
  if (userIds.length === 0) return [];
  const { rows } = await sql<{ user_id: string; number: string }>`
    /* prepared: find-numbers-of-users */
    select user_id, number from scoped_users
     where account_id = ${accountId} and user_id = any(${anyLength(userIds, 'text')})
  `.execute(ctx.db);
  return rows.map(({ user_id: userId, number }) => [userId, number]);
}

/** The number, digits, of a user id; undefined where no message has brought it. */
export async function findNumberOfUser(ctx: Context, accountId: number, userId: string): Promise<string | undefined> {
  const [found] = await findNumbersOfUsers(ctx, accountId, [userId]);
  return found?.[1];
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
