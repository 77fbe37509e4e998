import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { publishAllLive } from '#server/modules/live/index.ts';
import { createEventId, payloadText } from './event-record.ts';
import { webhooksChannel } from './channels.ts';

type ReportedEvent = Extract<DomainEvent, { data: unknown }>;

function isReported(event: DomainEvent): event is ReportedEvent {
  return 'data' in event;
}

function messageIdOf(event: ReportedEvent): number | null {
  return event.type.startsWith('message.') ? event.data.id : null;
}

/** Most projects have no webhook: for them nothing is written out. */
async function findListeningProjects(tx: Tx, events: readonly DomainEvent[]): Promise<ReadonlySet<number>> {
  const projects = new Map(events.filter(isReported).map(({ projectId, accountId }) => [projectId, accountId]));
  if (projects.size === 0) return new Set();
  const { rows } = await sql<{ id: number }>`
    /* prepared: find-listening-projects */
    select p.id from projects p
      join unnest(${[...projects.values()]}::bigint[], ${[...projects.keys()]}::bigint[]) as x (account_id, id)
        on p.account_id = x.account_id and p.id = x.id
     where p.webhook_url is not null and p.webhook_disabled_at is null
  `.execute(tx.db);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Stores a delivery for each event whose project has a webhook URL. Runs in the transaction that made the events, so
 * that a change and its webhook are there together or not at all.
 */
export async function recordWebhookEvents(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  const listening = await findListeningProjects(tx, events);
  const reported = events.filter(isReported).filter(({ projectId }) => listening.has(projectId));
  if (reported.length === 0) return;
  const { rows: projects } = await sql<{ account_id: number; project_id: number }>`
    /* prepared: record-webhooks */
    with inserted as (
      insert into webhook_records
        (account_id, project_id, event_id, url, type, payload, message_id, status, next_attempt_at, created_at)
      select e.account_id, e.project_id, e.event_id, p.webhook_url, e.type, e.payload, e.message_id, 'pending',
        ${tx.clock.now()}::timestamptz, e.at
      from unnest(
        ${reported.map(({ accountId }) => accountId)}::bigint[],
        ${reported.map(({ projectId }) => projectId)}::bigint[],
        ${reported.map(createEventId)}::text[],
        ${reported.map(({ type }) => type)}::text[],
        ${reported.map(payloadText)}::text[],
        ${reported.map(messageIdOf)}::bigint[],
        ${reported.map(({ at }) => at.toISOString())}::timestamptz[]
      ) with ordinality as e (account_id, project_id, event_id, type, payload, message_id, at, position)
      join projects p on p.account_id = e.account_id and p.id = e.project_id
      where p.webhook_url is not null and p.webhook_disabled_at is null
      order by e.position
      returning account_id, project_id
    ), changed as (select distinct account_id, project_id from inserted)
    select account_id, project_id,
      pg_notify(${webhooksChannel}, json_build_array(account_id, project_id)::text) as notified
    from changed
  `.execute(tx.db);
  await publishAllLive(
    tx,
    projects.map(({ account_id, project_id }) => ({
      accountId: account_id,
      event: { type: 'webhooks.changed', project_id },
    })),
  );
}
