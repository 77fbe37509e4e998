import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { connectorsThat, connectorTraits } from '#contracts/connectors.ts';
import type { ConnectorName } from '#contracts/connectors.ts';
import { lidOf, lidPrefix } from '#server/connectors/messaging/port.ts';
import type { Peer } from '#server/connectors/messaging/port.ts';
import type { AccountContext, Context, Tx } from '#server/context.ts';
import { columnsOf } from '#server/platform/db/any-length.ts';
import { localDay, startOfLocalDay } from '#server/platform/wall-clock.ts';
import type { RotationPhone } from '../rotation/assign-phones.ts';
import { isScopedId } from './scoped-users.ts';

const hourMs = 60 * 60_000;

/** Connectors whose network takes free content only for hours after a contact has written. */
export const windowedConnectors = connectorsThat(({ windowHours }) => windowHours !== null);

export const isWindowed = (connector: ConnectorName) => connectorTraits[connector].windowHours !== null;

type Opening = { peer: Peer; at: Date };

/**
 * The contacts wrote at these times, by the network's; one that lies ahead of ours counts from now. Never shortens a
 * window.
 */
export async function openWindows(
  ctx: Context,
  { accountId, phoneId, openings }: { accountId: number; phoneId: number; openings: readonly Opening[] },
): Promise<void> {
  if (openings.length === 0) return;
  const nowMs = ctx.clock.now().getTime();
  const column = columnsOf(openings);
  await sql`
    /* prepared: open-windows */
    insert into contact_windows as w (account_id, phone_id, contact_key, expires_at)
    select ${accountId}::bigint, ${phoneId}::bigint, coalesce(phone_key(o.number), ${lidPrefix}::text || o.lid) as key,
           max(o.written_at) + make_interval(hours => ${connectorTraits.cloud.windowHours ?? 0}::int)
      from unnest(${column(({ peer }) => peer.number, 'text')}, ${column(({ peer }) => peer.lid ?? '', 'text')},
                  ${column(({ at }) => new Date(Math.min(at.getTime(), nowMs)).toISOString(), 'timestamptz')})
             as o (number, lid, written_at)
     group by key order by key
    on conflict (phone_id, contact_key) do update set expires_at = excluded.expires_at
     where w.expires_at < excluded.expires_at
  `.execute(ctx.db);
}

/** Whether a phone's window to a number is open, in SQL. */
export const isWindowOpen = (phoneId: RawBuilder<number>, phone: RawBuilder<string>, now: Date): RawBuilder<boolean> =>
  sql<boolean>`exists (select from contact_windows cw
                        where cw.phone_id = ${phoneId} and cw.contact_key = phone_key(${phone}) and cw.expires_at > ${now})`;

/** The open windows of a phone by the hours until they shut, and how many contacts wrote today. */
export async function countWindows(
  ctx: AccountContext,
  phoneId: number,
): Promise<{ open: number; by_hour: number[]; wrote_today: number }> {
  const now = ctx.clock.now();
  const { timezone } = ctx.account;
  const hours = connectorTraits.cloud.windowHours ?? 0;
  const today = startOfLocalDay(localDay(now, timezone), timezone);
  const { rows } = await sql<{ hour: number; open: number; wrote_today: number }>`
    select least(floor(extract(epoch from expires_at - ${now}::timestamptz) / 3600), ${hours - 1})::int as hour,
           count(*)::int as open,
           count(*) filter (where expires_at >= ${today}::timestamptz + make_interval(hours => ${hours}))::int as wrote_today
      from contact_windows
     where account_id = ${ctx.account.id} and phone_id = ${phoneId} and expires_at > ${now}
     group by 1
  `.execute(ctx.db);
  const byHour = new Map(rows.map(({ hour, open }) => [hour, open]));
  const sum = (of: 'open' | 'wrote_today') => rows.reduce((all, row) => all + row[of], 0);
  return {
    open: sum('open'),
    by_hour: Array.from({ length: hours }, (_, hour) => byHour.get(hour) ?? 0),
    wrote_today: sum('wrote_today'),
  };
}

type WindowedPhone = { id: number; connector: ConnectorName };

/** The phones that can send a poll now. */
export const findPollers = <P extends Pick<RotationPhone, 'connector' | 'status' | 'is_active' | 'is_resting'>>(
  phones: readonly P[],
): P[] =>
  phones.filter(
    ({ connector, status, is_active: isActive, is_resting: isResting }) =>
      connectorTraits[connector].changesSent && status === 'connected' && isActive && !isResting,
  );

/**
 * A recipient, and the business account that a template comes from; undefined for anything but a template. `isPoll`: a
 * poll that any phone may send.
 */
type Addressed = { to: string; businessAccountId: string | undefined; isPoll?: boolean };

/**
 * For each of the recipients, in their order, the phones that cannot carry the message to them now: those whose network
 * takes nothing but templates to them, for a template those of another business account or network, and for a poll those
 * whose network has none, where another phone can send it. A query or two, and none where no phone keeps windows.
 */
export async function findShutPhones(
  ctx: Context,
  phones: readonly RotationPhone[],
  recipients: readonly Addressed[],
): Promise<ReadonlySet<number>[]> {
  const windowed = phones.filter(({ connector }) => isWindowed(connector)).map(({ id }) => id);
  const others = phones.filter(({ connector }) => !isWindowed(connector)).map(({ id }) => id);
  const isAnyHidden = recipients.some(({ to }) => to.startsWith(lidPrefix));
  const isAnyTemplate = recipients.some(({ businessAccountId }) => businessAccountId !== undefined);
  if (recipients.length === 0 || (windowed.length === 0 && !isAnyTemplate && !isAnyHidden))
    return recipients.map(() => noPhones);
  const businesses = isAnyTemplate ? await findBusinesses(ctx, windowed) : undefined;
  const { rows } = await sql<{ place: number; phone_id: number }>`
    /* prepared: find-open-windows */
    select x.place::int as place, w.phone_id
      from unnest(${recipients.map(({ to }) => to)}::text[]) with ordinality as x (number, place)
      join contact_windows w on w.contact_key = phone_key(x.number)
     where w.phone_id = any(${windowed}::bigint[]) and w.expires_at > ${ctx.clock.now()}
  `.execute(ctx.db);
  const open = new Set(rows.map((row) => `${row.place}:${row.phone_id}`));
  const withoutPolls =
    findPollers(phones).length === 0
      ? []
      : phones.flatMap(({ id, connector }) => (connectorTraits[connector].changesSent ? [] : [id]));
  return recipients.map(({ to, businessAccountId, isPoll = false }, index) => {
    const lid = lidOf(to);
    // An address of one network says nothing to the other.
    const foreign = lid === undefined ? [] : isScopedId(lid) ? others : windowed;
    const closed =
      businessAccountId === undefined
        ? windowed.filter((id) => !open.has(`${index + 1}:${id}`))
        : phones.flatMap(({ id }) => (businesses?.get(id) === businessAccountId ? [] : [id]));
    return new Set([...foreign, ...closed, ...(isPoll ? withoutPolls : [])]);
  });
}

/** The content of a message: the business account of its template; undefined: free content. */
export type CarriedContent = { businessAccountId: string | undefined };

/** The phones that may carry it, whoever it is to. */
export async function phonesThatCarry<P extends WindowedPhone>(
  ctx: Context,
  phones: readonly P[],
  { businessAccountId }: CarriedContent,
): Promise<P[]> {
  if (businessAccountId === undefined) return [...phones];
  const businesses = await findBusinesses(
    ctx,
    phones.map(({ id }) => id),
  );
  return phones.filter(({ id }) => businesses.get(id) === businessAccountId);
}

async function findBusinesses(ctx: Context, phoneIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await ctx.db
    .selectFrom('cloud_numbers')
    .select(['phone_id', 'business_account_id'])
    // account-wide: the phones are those of one project.
    .where('phone_id', '=', sql<number>`any(${phoneIds}::bigint[])`)
    .execute();
  return new Map(rows.map((row) => [row.phone_id, row.business_account_id]));
}

const noPhones: ReadonlySet<number> = new Set();

const removedAtOnce = 5_000;

/** Forgets windows that shut a month ago. */
export async function removeOldWindows(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - 30 * 24 * hourMs);
  await sql`
    delete from contact_windows w
     -- account-wide: time alone decides, whosever they are.
     using (select phone_id, contact_key from contact_windows where expires_at < ${before} limit ${removedAtOnce}) old
     where w.phone_id = old.phone_id and w.contact_key = old.contact_key
  `.execute(ctx.db);
}

/** The number of somebody is known now: windows that they opened without it hold for it. */
export async function moveWindows(
  tx: Tx,
  { accountId, lid, number }: { accountId: number; lid: string; number: string },
): Promise<void> {
  await sql`
    insert into contact_windows as w (account_id, phone_id, contact_key, expires_at)
    select o.account_id, o.phone_id, phone_key(${number}::text), o.expires_at
      from phones p join contact_windows o on o.phone_id = p.id and o.contact_key = ${`${lidPrefix}${lid}`}
     where p.account_id = ${accountId}
    on conflict (phone_id, contact_key) do update set expires_at = excluded.expires_at
     where w.expires_at < excluded.expires_at
  `.execute(tx.db);
}
