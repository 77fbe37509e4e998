import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { anyLength } from '#server/platform/db/any-length.ts';
import type { Grant } from './delivery-slots.ts';

/** A record that this process delivers until its lease ends. */
export type ClaimedWebhook = {
  account_id: number;
  project_id: number;
  /** Of its endpoint. */
  queue_id: number;
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
  /** Null: there is no such endpoint any more. */
  endpoint_url: string | null;
  /** Its endpoint was switched off. */
  is_disabled: boolean;
  secret_sealed: Buffer | null;
  old_secret_sealed: Buffer | null;
  old_secret_until: Date | null;
};

/** SQL: which endpoint a record is for; of a project's first one the project, negative. An index has the same words. */
export const queueOf = (record: string) => sql.raw(`(coalesce(${record}.endpoint_id, -${record}.project_id))`);

/**
 * Takes due records of the granted endpoints, the longest due first. A claim is a lease: it pushes the record's due
 * time to `leasedUntil`, so that another process delivers it again should this one die. A claimed record goes to the
 * URL that its endpoint has now; due records of a paused endpoint wait from here on. An event waits while an earlier
 * one of its message has its first attempt before it: a healthy receiver is told in order, and one that fails holds the
 * next back for no longer than one attempt.
 */
export async function claimDueWebhooks(
  ctx: Context,
  input: { grants: readonly Grant[]; now: Date; leasedUntil: Date },
): Promise<ClaimedWebhook[]> {
  const accountIds = input.grants.map(({ accountId }) => accountId);
  const queueIds = input.grants.map(({ queueId }) => queueId);
  const slots = input.grants.map((grant) => grant.slots);
  const { rows } = await sql<Omit<ClaimedWebhook, 'leased_until'> & { leased_until: Date | null }>`
    /* prepared: claim-webhooks */
    with due as materialized (
      select w.account_id, w.id, w.queue_id
      from unnest(
        ${anyLength(accountIds, 'bigint')}, ${anyLength(queueIds, 'bigint')}, ${anyLength(slots, 'int')}
      ) as g (account_id, queue_id, slots)
      cross join lateral (
        select account_id, id, g.queue_id
        from webhook_records as waiting
        where account_id = g.account_id and ${queueOf('waiting')} = g.queue_id
          and status = 'pending' and next_attempt_at <= ${input.now}::timestamptz
          and (attempts > 0 or not exists (
            select from webhook_records as earlier
            where earlier.account_id = waiting.account_id and earlier.message_id = waiting.message_id
              and ${queueOf('earlier')} = g.queue_id
              and earlier.id < waiting.id and earlier.status = 'pending' and earlier.attempts = 0))
        order by next_attempt_at
        limit g.slots
        for update skip locked
      ) as w
    ), aimed as (
      select due.*, e.url, e.disabled_at, e.paused_at, e.secret_sealed, e.old_secret_sealed, e.old_secret_until
      from due left join webhook_endpoints e on e.account_id = due.account_id and e.queue_id = due.queue_id
    )
    update webhook_records as r
    set next_attempt_at = case when a.paused_at is null then ${input.leasedUntil}::timestamptz end,
      url = coalesce(a.url, r.url)
    from aimed as a
    where r.account_id = a.account_id and r.id = a.id
    returning r.account_id, r.project_id, a.queue_id, r.id, r.event_id, r.url, r.payload, r.attempts, r.message_id,
      r.is_manual, r.manual_attempts, r.scheduled_attempt_at, r.error, r.last_status_code,
      r.next_attempt_at as leased_until, a.url as endpoint_url, a.disabled_at is not null as is_disabled,
      a.secret_sealed, a.old_secret_sealed, a.old_secret_until
  `.execute(ctx.db);
  return rows.flatMap(({ leased_until, ...row }) => (leased_until ? [{ ...row, leased_until }] : []));
}

/** `isFailing`: its server took nothing at the last attempts. */
export type DueEndpoint = { accountId: number; queueId: number; dueAt: Date; isFailing: boolean };

/** When each endpoint with pending records is next due, found by stepping through the index from one to the next. */
export async function findDueEndpoints(ctx: Context): Promise<DueEndpoint[]> {
  const { rows } = await sql<{ account_id: number; queue_id: number; due_at: Date | null; is_failing: boolean }>`
    with recursive due as (
      (select account_id, ${queueOf('r')} as queue_id, next_attempt_at as due_at
       from webhook_records as r
       where status = 'pending'
       order by account_id, ${queueOf('r')}, next_attempt_at
       limit 1)
      union all
      select following.*
      from due
      cross join lateral (
        select account_id, ${queueOf('r')} as queue_id, next_attempt_at as due_at
        from webhook_records as r
        where status = 'pending' and (account_id, ${queueOf('r')}) > (due.account_id, due.queue_id)
        order by account_id, ${queueOf('r')}, next_attempt_at
        limit 1
      ) as following
    )
    select account_id, queue_id, due_at,
           exists (select from webhook_endpoints e
                    where e.account_id = due.account_id and e.queue_id = due.queue_id and e.failing_since is not null)
             as is_failing
      from due
  `.execute(ctx.db);
  // Records of a paused endpoint are never due.
  return rows.flatMap(({ account_id: accountId, queue_id: queueId, due_at: dueAt, is_failing: isFailing }) =>
    dueAt ? [{ accountId, queueId, dueAt, isFailing }] : [],
  );
}
