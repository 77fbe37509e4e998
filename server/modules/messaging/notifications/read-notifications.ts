import { sql } from 'kysely';
import type { RawBuilder, Selectable } from 'kysely';
import type { Notification } from '#contracts/notifications.ts';
import type { Context, UserContext } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { contactNames } from '#server/modules/messaging/conversations/index.ts';
import { findAlertTitles } from '#server/modules/numbers/alerts/index.ts';
import { inScope } from '#server/scope.ts';
import { titleOf } from './title-of.ts';
import type { NotificationsTable } from './tables.ts';
import { inTransaction } from '#server/context.ts';

/** As far as unread notifications are counted. */
const mostCounted = 100;

type Row = Selectable<NotificationsTable> & { actor_name: string | null };
type OfAccount = { accountId: number; condition: RawBuilder<unknown>; limit: number };

/** Notifications over `n`, the latest first, as their members read them. */
export async function findNotifications(
  ctx: Context,
  { accountId, condition, limit }: OfAccount,
): Promise<Notification[]> {
  const { rows } = await sql<Row>`
    select n.*, u.name as actor_name from notifications n left join users u on u.id = n.actor_id
     where n.account_id = ${accountId} and ${condition}
     order by n.id desc limit ${limit}
  `.execute(ctx.db);
  const names = await contactNames(ctx, {
    accountId,
    conversationIds: rows.flatMap(({ conversation_id: id }) => id ?? []),
  });
  const titles = await findAlertTitles(ctx, { accountId, alertIds: rows.flatMap(({ alert_id: id }) => id ?? []) });
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    project_id: row.project_id,
    conversation_id: row.conversation_id,
    alert_id: row.alert_id,
    actor: row.actor_id === null ? null : { id: row.actor_id, name: row.actor_name ?? '' },
    title: titleOf({
      kind: row.kind,
      count: row.count,
      actor: row.actor_name,
      contact: names.get(row.conversation_id ?? 0) ?? 'Somebody',
      alert: titles.get(row.alert_id ?? 0) ?? 'Something needs attention',
    }),
    count: row.count,
    created_at: row.created_at.toISOString(),
    read_at: row.read_at?.toISOString() ?? null,
  }));
}

/** Of the person, in projects that they see now. */
const ownOf = (ctx: UserContext) =>
  sql`n.user_id = ${ctx.actor.userId} and n.is_in_page and (n.project_id is null or ${inScope(ctx, 'n.project_id')})`;

type List = { status: 'unread' | 'all'; after?: string | undefined; limit: number };
type Listed = { data: Notification[]; unread_count: number; next_cursor: string | null };

export async function listNotifications(ctx: UserContext, { status, after, limit }: List): Promise<Listed> {
  const condition = sql`${ownOf(ctx)} and ${status === 'unread' ? sql`n.read_at is null` : sql`true`}
    and ${after === undefined ? sql`true` : sql`n.id < ${Number(after)}`}`;
  const found = await findNotifications(ctx, { accountId: ctx.account.id, condition, limit: limit + 1 });
  const page = found.slice(0, limit);
  return {
    data: page,
    unread_count: await countUnread(ctx),
    next_cursor: found.length > limit ? String(page.at(-1)?.id) : null,
  };
}

async function countUnread(ctx: UserContext): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
      from (select from notifications n
             where n.account_id = ${ctx.account.id} and ${ownOf(ctx)} and n.read_at is null limit ${mostCounted}) as unread
  `.execute(ctx.db);
  return rows[0]?.count ?? 0;
}

type Read = { ids?: readonly number[] | undefined; conversation_id?: number | undefined };

/** Without names: all of them. Notifications of other people stay as they are. */
export async function readNotifications(
  ctx: UserContext,
  { ids, conversation_id: conversationId }: Read,
): Promise<{ unread_count: number }> {
  return inTransaction(ctx, async (tx) => {
    const { rows } = await sql`
      update notifications n set read_at = ${tx.clock.now()}, mail_due_at = null
       where n.account_id = ${tx.account.id} and n.user_id = ${tx.actor.userId} and n.read_at is null
         and ${ids === undefined ? sql`true` : sql`n.id = any(${[...ids]}::bigint[])`}
         and ${conversationId === undefined ? sql`true` : sql`n.conversation_id = ${conversationId}`}
      returning n.id
    `.execute(tx.db);
    // The person's other pages count anew.
    const news = { type: 'notifications.changed', user_id: tx.actor.userId } as const;
    if (rows.length > 0) await publishLive(tx, tx.account.id, news);
    return { unread_count: await countUnread(tx) };
  });
}
