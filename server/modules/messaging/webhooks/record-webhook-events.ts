import { sql } from 'kysely';
import { namedOnlyEvents } from '#contracts/webhooks.ts';
import type { WebhookEventType } from '#contracts/webhooks.ts';
import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { notifyLive } from '#server/modules/identity/live/index.ts';
import { columnsOf } from '#server/platform/db/any-length.ts';
import { createEventId, numberedPayload } from './event-record.ts';
import { notifyDue } from './channels.ts';

type ReportedEvent = Extract<DomainEvent, { data: unknown }> & { projectId: number };
type AccountEvent = Exclude<Extract<DomainEvent, { data: unknown }>, { projectId: number }>;

function isReported(event: DomainEvent): event is ReportedEvent {
  return 'data' in event && 'projectId' in event;
}

const isOfAccount = (event: DomainEvent): event is AccountEvent => 'data' in event && !('projectId' in event);

function messageIdOf(event: ReportedEvent): number | null {
  return 'direction' in event.data ? event.data.id : null;
}

/** To ask first costs a round trip, and spares writing out what nobody listens to. */
const mostUnasked = 8;

const isToBeNamed = ({ type }: ReportedEvent) => namedOnlyEvents.some((each) => each === type);

/** The events to write out: few of projects as they are, others once it is known that somebody listens. */
async function findReported(tx: Tx, events: readonly DomainEvent[]): Promise<ReportedEvent[]> {
  const reported = events.filter(isReported);
  const isAsked = reported.length > mostUnasked || reported.some(isToBeNamed) || events.some(isOfAccount);
  return isAsked ? findListenedTo(tx, events) : reported;
}

type Listening = { account_id: number; id: number; named: WebhookEventType[] };

/**
 * Most projects have no webhook: for them nothing is written out. Paused and disabled endpoints count as existing. An
 * event that has to be named is none of a project where nobody names it: there may be thousands of them. Events of an
 * account are repeated for each of its projects that listens.
 */
async function findListenedTo(tx: Tx, events: readonly DomainEvent[]): Promise<ReportedEvent[]> {
  const reported = events.filter(isReported);
  const ofAccounts = events.filter(isOfAccount);
  if (reported.length === 0 && ofAccounts.length === 0) return [];
  const projects = new Map(reported.map(({ projectId, accountId }) => [projectId, accountId]));
  const { rows } = await sql<Listening>`
    /* prepared: find-listening-projects */
    select e.account_id, e.project_id as id,
           array(select unnest(${namedOnlyEvents}::text[]) intersect
                 select unnest(coalesce(o.events, o.named_events)) from webhook_endpoints o
                  where o.account_id = e.account_id and o.project_id = e.project_id and o.url is not null) as named
      from (select x.account_id, x.id
              from unnest(${[...projects.values()]}::bigint[], ${[...projects.keys()]}::bigint[]) as x (account_id, id)
            union
            select account_id, id from projects
             where account_id = any(${[...new Set(ofAccounts.map(({ accountId }) => accountId))]}::bigint[])) as p
      join webhook_endpoints e on e.account_id = p.account_id and e.project_id = p.id
     where e.url is not null
     group by e.account_id, e.project_id
     order by e.project_id
  `.execute(tx.db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const takes = ({ named }: Listening, type: WebhookEventType) =>
    !namedOnlyEvents.some((each) => each === type) || named.some((each) => each === type);
  const listensTo = ({ projectId, type }: ReportedEvent) => {
    const project = byId.get(projectId);
    return project !== undefined && takes(project, type);
  };
  const copies = ofAccounts.flatMap((event) =>
    rows
      .filter((project) => project.account_id === event.accountId && takes(project, event.type))
      .map(({ id }) => ({ ...event, projectId: id })),
  );
  return [...reported.filter(listensTo), ...copies];
}

/**
 * Stores the events of projects that have an endpoint, and a delivery of each for every endpoint that wants it. Runs in
 * the transaction that made the events, so that a change and its webhooks are there together or not at all. The count of
 * a project stays locked until that commits: a sequence has no gaps, and whoever sees one has all before it.
 */
export async function recordWebhookEvents(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  const reported = await findReported(tx, events);
  if (reported.length === 0) return;
  const column = columnsOf(reported);
  await sql`
    /* prepared: record-webhooks, unread */
    with e as materialized (
      select * from unnest(
        ${column('accountId', 'bigint')}, ${column('projectId', 'bigint')}, ${column(createEventId, 'text')},
        ${column('type', 'text')}, ${column(numberedPayload, 'text')}, ${column(messageIdOf, 'bigint')},
        ${column(({ at }) => at.toISOString(), 'timestamptz')}
      ) with ordinality as e (account_id, project_id, event_id, type, payload, message_id, at, position)
       where exists (select from webhook_endpoints w
                      where w.account_id = e.account_id and w.project_id = e.project_id and w.url is not null)
    ), counted as (
      -- In one order for all, as each locks its count.
      insert into webhook_sequences as s (account_id, project_id, last_sequence)
      select e.account_id, e.project_id, count(*)
        from e join projects p on p.account_id = e.account_id and p.id = e.project_id
       group by e.account_id, e.project_id
       order by e.account_id, e.project_id
      on conflict (account_id, project_id) do update set last_sequence = s.last_sequence + excluded.last_sequence
      returning account_id, project_id, last_sequence
    ), numbered as (
      select e.*, c.last_sequence + 1 - row_number() over (partition by e.project_id order by e.position desc) as sequence
        from e join counted c using (account_id, project_id)
    ), inserted as (
      insert into webhook_records
        (account_id, project_id, event_id, url, type, payload, message_id, status, next_attempt_at, created_at,
         endpoint_id, sequence, is_event)
      select n.account_id, n.project_id, n.event_id, coalesce(w.url, ''), n.type,
        kept_json(left(n.payload, -2) || n.sequence || '}'), n.message_id,
        case when w.id is null then 'unsent' else 'pending' end,
        case when w.id is not null and w.paused_at is null then ${tx.clock.now()}::timestamptz end, n.at,
        case when not w.is_first then w.id end, n.sequence,
        row_number() over (partition by n.project_id, n.sequence order by w.id) = 1
      from numbered n
      left join webhook_endpoints w on w.account_id = n.account_id and w.project_id = n.project_id
        and w.url is not null and w.disabled_at is null and (w.events is null and n.type <> all(${namedOnlyEvents}::text[])
             or n.type = any(w.events) or n.type = any(w.named_events))
      order by n.position, w.id
      returning account_id, project_id, coalesce(endpoint_id, -project_id) as queue_id, next_attempt_at
    )
    select ${notifyDue(sql`account_id`, sql`queue_id`)}
      from inserted where next_attempt_at is not null group by account_id, queue_id
     union all
    select ${notifyLive(sql`account_id`, { type: 'webhooks.changed', project_id: sql`project_id` })}
      from inserted group by account_id, project_id
  `.execute(tx.db);
}
