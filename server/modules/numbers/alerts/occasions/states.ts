import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AlertKind } from '#contracts/alerts.ts';
import { longWaits } from './occasion.ts';

/** An occasion that lasts as long as something stands so in the database. */
export type State = {
  kind: AlertKind;
  /** account_id, project_id, subject_id, facts, began_at, due_at of whatever stands so now. */
  standing: RawBuilder<unknown>;
  /** Whether the subject of the alert `a`, which no longer stands so, is well again and not merely gone. */
  isOver: RawBuilder<boolean>;
};

/** Phones come back by themselves, mostly within minutes. */
const reconnectsWithin = sql`interval '10 minutes'`;
const longWait = sql`interval '1 hour'`;

const phoneName = sql`coalesce(nullif(p.name, ''), '+' || p.number)`;

/** The occasions that last, as of `now`. */
export function statesAt(now: Date): readonly State[] {
  const at = sql`${now}::timestamptz`;
  return [
    {
      kind: 'phone_lost',
      // An owner who signs a phone out, or takes it out of the rotation, misses nothing.
      standing: sql`
        select account_id, project_id, id as subject_id, status_changed_at as began_at,
               status_changed_at + case when status = 'disconnected' then ${reconnectsWithin} else interval '0' end as due_at,
               jsonb_build_object('phone', ${phoneName}, 'status', status, 'error', error) as facts
          from phones p
         where is_active and was_connected and number is not null
           and (status in ('auth_failed', 'banned') or (status = 'disconnected' and wanted = 'online'))`,
      isOver: sql`exists (select from phones p where p.account_id = a.account_id and p.id = a.subject_id
                            and p.status = 'connected')`,
    },
    {
      kind: 'phone_limited',
      standing: sql`
        select h.account_id, p.project_id, h.phone_id as subject_id, h.state_since as began_at, h.state_since as due_at,
               jsonb_build_object('phone', ${phoneName}, 'code', h.code, 'until', h.until) as facts
          from phone_health h join phones p on p.account_id = h.account_id and p.id = h.phone_id
         where h.state in ('limited', 'capped', 'locked') and (h.until is null or h.until > ${at})
           and p.is_active and p.number is not null`,
      isOver: sql`exists (select from phones p where p.account_id = a.account_id and p.id = a.subject_id)`,
    },
    {
      kind: 'campaign_waiting',
      // Of a subscription that has ended, the notices about it tell.
      standing: sql`
        select account_id, project_id, id as subject_id, ${at} as began_at, ${at} + ${longWait} as due_at,
               jsonb_build_object('campaign', name, 'waiting_for', waiting_for) as facts
          from campaigns where status = 'running' and waiting_for = any(${longWaits}::text[])`,
      isOver: sql`exists (select from campaigns c where c.account_id = a.account_id and c.id = a.subject_id
                            and c.status in ('running', 'completed')
                            and c.waiting_for is distinct from 'subscription'
                            and c.waiting_for is distinct from 'account_suspended')`,
    },
    {
      kind: 'webhook_failing',
      // An endpoint that is disabled for failing has a mail of its own.
      standing: sql`
        select e.account_id, e.project_id, e.id as subject_id, e.failing_since as began_at,
               e.failing_since + ${longWait} as due_at, jsonb_build_object('project', p.name, 'url', e.url) as facts
          from webhook_endpoints e join projects p on p.account_id = e.account_id and p.id = e.project_id
         where e.failing_since <= ${at} - ${longWait} and e.url is not null and e.disabled_at is null and e.paused_at is null`,
      isOver: sql`exists (select from webhook_endpoints e where e.account_id = a.account_id and e.id = a.subject_id
                            and e.failing_since is null and e.disabled_at is null and e.url = a.facts ->> 'url')`,
    },
    {
      kind: 'daily_limit_reached',
      // Once a day: neither a line that comes and goes nor a count that is given back ends it, a higher maximum does.
      standing: sql`
        select account_id, project_id, id as subject_id, ${at} as began_at, ${at} as due_at,
               jsonb_build_object('phone', ${phoneName}, 'most', max_daily_messages, 'until', count_ends_at) as facts
          from phones p
         where is_active and number is not null and count_ends_at > ${at}
           and (daily_count >= max_daily_messages
                or exists (select from alerts o
                            where o.account_id = p.account_id and o.kind = 'daily_limit_reached' and o.subject_id = p.id
                              and o.ended_at is null and o.facts -> 'most' = to_jsonb(p.max_daily_messages)
                              and (o.facts ->> 'until')::timestamptz = p.count_ends_at))`,
      // The mail says when it is over.
      isOver: sql`false`,
    },
  ];
}
