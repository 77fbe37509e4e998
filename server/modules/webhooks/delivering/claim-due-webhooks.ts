import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Grant } from './delivery-slots.ts';

/** A record that this process delivers until its lease ends. */
export type ClaimedWebhook = {
  account_id: number;
  project_id: number;
  id: number;
  event_id: string;
  url: string;
  payload: string;
  attempts: number;
  message_id: number | null;
  is_manual: boolean;
  manual_attempts: number;
  scheduled_attempt_at: Date | null;
  error: string | null;
  last_status_code: number | null;
  leased_until: Date;
  /** Null: the project wants no webhooks any more. */
  project_url: string | null;
  /** Its endpoint was switched off. */
  is_disabled: boolean;
  webhook_secret_sealed: Buffer;
};

/**
 * Takes due records of the granted projects, the longest due first. A claim is a lease: it pushes the record's due time
 * to `leasedUntil`, so that another process delivers it again should this one die. It goes to the URL that the project
 * has now. An event waits while an earlier one of its message has its first attempt before it: a healthy receiver is
 * told in order, and one that fails holds the next back for no longer than one attempt.
 */
export async function claimDueWebhooks(
  ctx: Context,
  input: { grants: readonly Grant[]; now: Date; leasedUntil: Date },
): Promise<ClaimedWebhook[]> {
  const { rows } = await sql<ClaimedWebhook>`
    with due as materialized (
      select w.account_id, w.id
      from unnest(
        ${input.grants.map(({ accountId }) => accountId)}::bigint[],
        ${input.grants.map(({ projectId }) => projectId)}::bigint[],
        ${input.grants.map(({ slots }) => slots)}::int[]
      ) as g (account_id, project_id, slots)
      cross join lateral (
        select account_id, id
        from webhook_records as waiting
        where account_id = g.account_id and project_id = g.project_id
          and status = 'pending' and next_attempt_at <= ${input.now}::timestamptz
          and (attempts > 0 or not exists (
            select from webhook_records as earlier
            where earlier.account_id = waiting.account_id and earlier.message_id = waiting.message_id
              and earlier.id < waiting.id and earlier.status = 'pending' and earlier.attempts = 0))
        order by next_attempt_at
        limit g.slots
        for update skip locked
      ) as w
    )
    update webhook_records as r
    set next_attempt_at = ${input.leasedUntil}::timestamptz, url = coalesce(p.webhook_url, r.url)
    from due, projects as p
    where r.account_id = due.account_id and r.id = due.id
      and p.account_id = r.account_id and p.id = r.project_id
    returning r.account_id, r.project_id, r.id, r.event_id, r.url, r.payload, r.attempts, r.message_id,
      r.is_manual, r.manual_attempts, r.scheduled_attempt_at, r.error, r.last_status_code, r.next_attempt_at as leased_until, p.webhook_url as project_url,
      p.webhook_disabled_at is not null as is_disabled, p.webhook_secret_sealed
  `.execute(ctx.db);
  return rows;
}

/** When each project with pending records is next due, found by stepping through the index from project to project. */
export async function findDueProjects(ctx: Context): Promise<{ accountId: number; projectId: number; dueAt: Date }[]> {
  const { rows } = await sql<{ account_id: number; project_id: number; due_at: Date }>`
    with recursive due as (
      (select account_id, project_id, next_attempt_at as due_at
       from webhook_records
       where status = 'pending'
       order by account_id, project_id, next_attempt_at
       limit 1)
      union all
      select following.*
      from due
      cross join lateral (
        select account_id, project_id, next_attempt_at as due_at
        from webhook_records
        where status = 'pending' and (account_id, project_id) > (due.account_id, due.project_id)
        order by account_id, project_id, next_attempt_at
        limit 1
      ) as following
    )
    select account_id, project_id, due_at from due
  `.execute(ctx.db);
  return rows.map((row) => ({ accountId: row.account_id, projectId: row.project_id, dueAt: row.due_at }));
}
