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

export async function findHappenings(ctx: AccountContext, profileId: number): Promise<Happenings> {
  const accountId = ctx.account.id;
  const { rows: events } = await sql<Happenings['events'][number]>`
    select n.name, e.at, e.properties from events e
      join event_names n on n.account_id = e.account_id and n.id = e.name_id
     where e.account_id = ${accountId} and e.profile_id = ${profileId}
     order by e.at desc, e.id desc limit ${most}
  `.execute(ctx.db);
  const { rows: days } = await sql<Happenings['days'][number]>`
    select n.name, d.day::text as day, d.n from event_days d
      join event_names n on n.account_id = d.account_id and n.id = d.name_id
     where d.account_id = ${accountId} and d.profile_id = ${profileId}
  `.execute(ctx.db);
  const account = await ctx.db
    .selectFrom('event_accounts')
    .select('erased_until')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return { events, days, erasedUntil: account?.erased_until ?? null };
}
