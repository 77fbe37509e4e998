import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { messageEvents } from '#contracts/message-events.ts';
import type { MessageEvent } from '#contracts/message-events.ts';
import type { AccountContext } from '#server/context.ts';

/** All events of a person. */
export type Happenings = {
  events: readonly { name: string; at: Date; properties: Record<string, unknown> }[];
  /** How often on each day (YYYY-MM-DD in UTC), events included that are kept no longer. */
  days: readonly { name: string; day: string; n: number }[];
  /** Events that were received earlier may be gone. */
  erasedUntil: Date | null;
};

export const isMessageEvent = (name: string): name is MessageEvent =>
  (messageEvents as readonly string[]).includes(name);

/** The id of a name of the account's events; null where it has none. */
export const nameId = (accountId: number, name: string): RawBuilder<number> =>
  sql`(select id from event_names where account_id = ${accountId} and name = ${name})`;

/** True where events that happened from this moment on may be gone; asked once a statement. */
export const mayBeErased = (accountId: number, from: Date | undefined): RawBuilder<boolean> => sql`
  exists (select from event_accounts
           where account_id = ${accountId} and erased_until ${from ? sql`> ${from}` : sql`is not null`})`;

/** More of one person are not looked at one by one: those beyond count as erased. */
const most = 20_000;

/** By profile, of events with these names; undefined: with any. */
export async function findHappenings(
  ctx: AccountContext,
  profileIds: readonly number[],
  names?: readonly string[],
): Promise<Map<number, Happenings>> {
  const accountId = ctx.account.id;
  const isAsked = (id: RawBuilder<unknown>) =>
    names === undefined
      ? sql`true`
      : sql`${id} = any(array(select id from event_names
                                   where account_id = ${accountId} and name = any(${names}::text[])))`;
  const { rows: events } = await sql<Happenings['events'][number] & { profileId: number }>`
    select e.profile_id as "profileId", n.name, e.at, e.properties
      from unnest(${profileIds}::bigint[]) as x (profile_id)
     cross join lateral (
       select e.* from events e
        where e.account_id = ${accountId} and e.profile_id = x.profile_id and ${isAsked(sql`e.name_id`)}
        order by e.at desc, e.id desc limit ${most}) as e
      join event_names n on n.account_id = ${accountId} and n.id = e.name_id
     order by e.at desc, e.id desc
  `.execute(ctx.db);
  const { rows: days } = await sql<Happenings['days'][number] & { profileId: number }>`
    select d.profile_id as "profileId", n.name, d.day::text as day, d.n from event_days d
      join event_names n on n.account_id = d.account_id and n.id = d.name_id
     where d.account_id = ${accountId} and d.profile_id = any(${profileIds}::bigint[]) and ${isAsked(sql`d.name_id`)}
  `.execute(ctx.db);
  const account = await ctx.db
    .selectFrom('event_accounts')
    .select('erased_until')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const [eventsOf, daysOf] = [
    Map.groupBy(events, ({ profileId }) => profileId),
    Map.groupBy(days, ({ profileId }) => profileId),
  ];
  const erasedUntil = account?.erased_until ?? null;
  return new Map(
    profileIds.map((id) => [id, { events: eventsOf.get(id) ?? [], days: daysOf.get(id) ?? [], erasedUntil }]),
  );
}

/** How many events with these names there are of each, the counts by day included. */
export async function countHappenings(
  ctx: AccountContext,
  profileIds: readonly number[],
  names: readonly string[],
): Promise<Map<number, number>> {
  const { rows } = await sql<{ profileId: number; n: number }>`
    select d.profile_id as "profileId", sum(d.n)::float8 as n from event_days d
      join event_names n on n.account_id = d.account_id and n.id = d.name_id
     where d.account_id = ${ctx.account.id} and d.profile_id = any(${profileIds}::bigint[])
       and n.name = any(${names}::text[])
     group by d.profile_id
  `.execute(ctx.db);
  return new Map(rows.map(({ profileId, n }) => [profileId, n]));
}
