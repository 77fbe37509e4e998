import { sql } from 'kysely';
import { rolesThatMay } from '#contracts/roles.ts';
import type { NotificationKind } from '#contracts/notifications.ts';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishAllLive } from '#server/modules/identity/live/index.ts';
import { anyLength } from '#server/platform/db/any-length.ts';
import { defaultSettings } from './settings.ts';

/** Causes that one transaction works off: each may concern a thousand members. */
const causesPerStep = 50;

type Concerned = {
  account_id: number;
  user_id: number;
  kind: NotificationKind;
  project_id: number | null;
  conversation_id: number | null;
  alert_id: number | null;
  actor_id: number | null;
  count: number;
  at: Date;
  page: boolean;
  push: boolean;
  mail: boolean;
  mail_after_minutes: number;
};

/**
 * Works out whom each cause concerns, until none is due or `isStopped`. Any number of processes may run it. Answers
 * whether there was any.
 */
export async function workOffCauses(ctx: Context, isStopped: () => boolean = () => false): Promise<boolean> {
  for (let isAny = false; ; isAny = true) {
    const count = isStopped() ? 0 : await workOffStep(ctx);
    if (count < causesPerStep) return isAny || count > 0;
  }
}

// account-wide: the causes of all accounts are worked off in their order.
async function workOffStep(ctx: Context): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    const { rows: taken } = await sql<{ id: number }>`
      /* prepared: take-causes */
      select id from notification_causes where due_at <= ${tx.clock.now()}
       order by due_at, id limit ${causesPerStep} for update skip locked
    `.execute(tx.db);
    if (taken.length === 0) return 0;
    const ids = taken.map(({ id }) => id);
    const concerned = await findConcerned(tx, ids);
    await sql`
      /* prepared: remove-causes, unread */
      delete from notification_causes where id = any(${anyLength(ids, 'bigint')})
    `.execute(tx.db);
    if (concerned.length > 0) await notifyMembers(tx, concerned);
    return taken.length;
  });
}

const mayAnswer = rolesThatMay('messages:send');
const mayRead = rolesThatMay('messages:read');
const mayManage = rolesThatMay('account:write');

/** Members whom causes concern, and how their settings want to be told; each once for what is alike. */
async function findConcerned(tx: Tx, causeIds: readonly number[]): Promise<Concerned[]> {
  const setting = (channel: 'page' | 'push' | 'mail') => sql`coalesce(
    (s.changes #>> array[x.kind, ${sql.lit(channel)}])::boolean,
    (${JSON.stringify(defaultSettings)}::jsonb #>> array[x.kind, ${sql.lit(channel)}])::boolean)`;
  const { rows } = await sql<Concerned>`
    /* prepared: find-concerned */
    with causes as (
      select t.*, c.assigned_to as assignee_id, c.assigned_at, c.snoozed_by,
             exists (select from memberships m
                      where m.account_id = t.account_id and m.user_id = c.assigned_to and m.removed_at is null
                        and m.created_at <= c.assigned_at and m.role = any(${mayAnswer}::text[])
                        and (m.project_ids is null or t.project_id = any(m.project_ids))) as is_assigned
        from notification_causes t
        left join conversations c on c.account_id = t.account_id and c.id = t.conversation_id
        left join alerts a on a.account_id = t.account_id and a.id = t.alert_id
       where t.id = any(${anyLength(causeIds, 'bigint')})
         and (t.kind = 'alert' or c.id is not null)
         and (t.kind <> 'alert' or (a.id is not null and a.ended_at is null and a.dismissed_at is null))
    ), told as (
      select t.*, m.user_id, m.role, m.project_ids as own_projects,
             case when t.kind <> 'message' then t.kind
                  when t.is_assigned then 'message_mine' else 'message_unassigned' end as told_kind
        from causes t
        join memberships m on m.account_id = t.account_id and m.removed_at is null
       where m.user_id is distinct from t.actor_id
         and case t.kind
               when 'alert' then m.role = any(${mayManage}::text[]) and m.project_ids is null
               when 'message' then m.role = any(${mayAnswer}::text[]) and (not t.is_assigned or m.user_id = t.assignee_id)
               when 'snooze_ended' then m.user_id = case when t.is_assigned then t.assignee_id else t.snoozed_by end
               else m.user_id = any(t.user_ids) end
         and m.role = any(${mayRead}::text[])
         and (t.project_id is null or m.project_ids is null or t.project_id = any(m.project_ids))
    ), x as (
      select account_id, user_id, told_kind as kind, project_id, conversation_id, alert_id,
             max(actor_id) as actor_id, count(*)::int as count, max(due_at) as at
        from told group by account_id, user_id, told_kind, project_id, conversation_id, alert_id
    )
    select x.*, ${setting('page')} as page, ${setting('push')} as push, ${setting('mail')} as mail,
           coalesce((s.changes ->> 'mail_after_minutes')::int, ${defaultSettings.mail_after_minutes}) as mail_after_minutes
      from x left join notification_settings s on s.account_id = x.account_id and s.user_id = x.user_id
     order by x.account_id, x.user_id, x.kind, x.conversation_id
  `.execute(tx.db);
  return rows.filter(({ page, push, mail }) => page || push || mail);
}

type Told = { account_id: number; id: number; user_id: number; kind: NotificationKind; conversation_id: number | null };

/** Notifications that are unread already count one more, and come up. */
async function notifyMembers(tx: Tx, concerned: readonly Concerned[]): Promise<void> {
  const now = tx.clock.now();
  const column = <K extends keyof Concerned>(name: K) => concerned.map((each) => each[name]);
  const mailDue = concerned.map(({ mail, mail_after_minutes: minutes }) =>
    mail ? new Date(now.getTime() + minutes * 60_000) : null,
  );
  const { rows: told } = await sql<Told>`
    /* prepared: notify-members */
    insert into notifications as n (account_id, user_id, kind, project_id, conversation_id, alert_id, actor_id, count,
                                    created_at, is_in_page, mail_due_at)
    select * from unnest(
      ${column('account_id')}::bigint[], ${column('user_id')}::bigint[], ${column('kind')}::text[],
      ${column('project_id')}::bigint[], ${column('conversation_id')}::bigint[], ${column('alert_id')}::bigint[],
      ${column('actor_id')}::bigint[], ${column('count')}::int[], ${column('at')}::timestamptz[],
      ${column('page')}::boolean[], ${mailDue}::timestamptz[])
    on conflict (account_id, user_id, kind, conversation_id) where read_at is null and conversation_id is not null
    do update set id = excluded.id, count = n.count + excluded.count, created_at = excluded.created_at,
                  actor_id = excluded.actor_id, is_in_page = n.is_in_page or excluded.is_in_page,
                  mail_due_at = coalesce(n.mail_due_at, excluded.mail_due_at)
    returning account_id, id, user_id, kind, conversation_id
  `.execute(tx.db);
  const pushed = new Set(concerned.filter(({ push }) => push).map(keyOf));
  await queuePushes(
    tx,
    told.filter((row) => pushed.has(keyOf(row))),
  );
  const people = new Map(told.map((row) => [`${row.account_id} ${row.user_id}`, row]));
  await publishAllLive(
    tx,
    [...people.values()].map(({ account_id: accountId, user_id }) => ({
      accountId,
      event: { type: 'notifications.changed', user_id },
    })),
  );
}

const keyOf = ({ account_id, user_id, kind, conversation_id }: Omit<Told, 'id'>) =>
  `${account_id} ${user_id} ${kind} ${conversation_id}`;

async function queuePushes(tx: Tx, told: readonly Told[]): Promise<void> {
  if (told.length === 0) return;
  await sql`
    with due as materialized (
      select s.account_id, s.id, t.id as notification_id
        from unnest(${told.map(({ account_id }) => account_id)}::bigint[], ${told.map(({ user_id }) => user_id)}::bigint[],
                    ${told.map(({ id }) => id)}::bigint[]) as t (account_id, user_id, id)
        join push_subscriptions s on s.account_id = t.account_id and s.user_id = t.user_id
    )
    insert into push_deliveries (account_id, subscription_id, notification_id, next_attempt_at)
    select account_id, id, notification_id, ${tx.clock.now()}::timestamptz from due
    on conflict do nothing
  `.execute(tx.db);
}
