import { sql } from 'kysely';
import { isChange } from '#contracts/message-content.ts';
import type { Message } from '#contracts/messages.ts';
import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { followEngagement } from './follow-engagement.ts';
import { followAnswers, followOptOuts } from './follow-answers.ts';
import type { OutcomeSource } from './tables.ts';

type MessageEvent = Extract<DomainEvent, { data: Message }>;
type Step = 'sent' | 'delivered' | 'read';
/** `at`: when it happened; `change` is -1 for what turned out to have failed after it was sent. */
type Written = {
  event: MessageEvent;
  step: Step;
  change: 1 | -1;
  at: string | null;
  source: OutcomeSource;
  sourceId: number;
};

/** The source of a message to many; undefined for a direct one. */
function sourceOf(message: Message): { source: OutcomeSource; sourceId: number } | undefined {
  if (message.campaign_id !== null) return { source: 'campaign', sourceId: message.campaign_id };
  if (message.flow_id !== null) return { source: 'flow', sourceId: message.flow_id };
  if (message.bulk_run_id !== null) return { source: 'bulk_run', sourceId: message.bulk_run_id };
  return undefined;
}

const steps: ReadonlyMap<string, Step> = new Map([
  ['message.sent', 'sent'],
  ['message.delivered', 'delivered'],
  ['message.read', 'read'],
]);

function writtenOf(event: DomainEvent): Written[] {
  const isTakenBack = event.type === 'message.failed' && event.data.sent_at !== null;
  const step = isTakenBack ? 'sent' : steps.get(event.type);
  if (step === undefined) return [];
  const { data } = event as MessageEvent;
  const source = sourceOf(data);
  if (!source) return [];
  // A failure takes back what was counted, in the minute in which it was.
  const at = step === 'sent' ? data.sent_at : null;
  return [{ event: event as MessageEvent, step, change: isTakenBack ? -1 : 1, at, ...source }];
}

/**
 * Counts what becomes of messages to many, and who answers them, in the transaction in which it becomes so: a message
 * makes each step once, and one that was sent and then failed counts as failed alone, so that the counts are what a
 * recount of the messages would be.
 */
export async function followOutcomes(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  const written = events.flatMap(writtenOf);
  if (written.length > 0) await tallySteps(tx, written);
  await followEngagement(tx, events, sourceOf);
  const sent = written.filter(({ step, change }) => step === 'sent' && change === 1);
  if (sent.length > 0) await noteWrites(tx, sent);
  await noteOthers(tx, events);
  await followAnswers(tx, events);
  await followOptOuts(tx, events);
}

async function tallySteps(tx: Tx, written: readonly Written[]): Promise<void> {
  const now = tx.clock.now();
  await sql`
    /* prepared: tally-steps, unread */
    insert into outcome_tallies (account_id, source, source_id, hour, minute, sent, delivered, read)
    select account_id, source, source_id, date_trunc('hour', at), date_trunc('minute', at),
           coalesce(sum(change) filter (where step = 'sent'), 0), count(*) filter (where step = 'delivered'),
           count(*) filter (where step = 'read')
      from unnest(${written.map(({ event }) => event.accountId)}::bigint[], ${written.map(({ source }) => source)}::text[],
                  ${written.map(({ sourceId }) => sourceId)}::bigint[], ${written.map(({ step }) => step)}::text[],
                  ${written.map(({ change }) => change)}::int[],
                  ${written.map(({ at }) => at ?? now.toISOString())}::timestamptz[])
             as x (account_id, source, source_id, step, change, at)
     group by account_id, source, source_id, date_trunc('hour', at), date_trunc('minute', at)
  `.execute(tx.db);
}

/** In the order of the numbers, as whoever writes several of them does. */
async function noteWrites(tx: Tx, sent: readonly Written[]): Promise<void> {
  await sql`
    /* prepared: note-writes, unread */
    insert into last_writes as w (account_id, phone_key, source, source_id, message_id, written_at)
    select distinct on (account_id, phone_key(recipient))
           account_id, phone_key(recipient), source, source_id, message_id, ${tx.clock.now()}::timestamptz
      from unnest(${sent.map(({ event }) => event.accountId)}::bigint[],
                  ${sent.map(({ event }) => event.data.to)}::text[], ${sent.map(({ source }) => source)}::text[],
                  ${sent.map(({ sourceId }) => sourceId)}::bigint[], ${sent.map(({ event }) => event.data.id)}::bigint[])
             as x (account_id, recipient, source, source_id, message_id)
     where recipient is not null
     order by account_id, phone_key(recipient), message_id desc
    on conflict (account_id, phone_key) do update
       set source = excluded.source, source_id = excluded.source_id, message_id = excluded.message_id,
           written_at = excluded.written_at, replied_at = null, opted_out_at = null, superseded_at = null
     where w.message_id <> excluded.message_id and w.written_at <= excluded.written_at
  `.execute(tx.db);
}

/** After a message from a person or a program, here or on the handset, answers count for that message. */
async function noteOthers(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  const others = events.filter(
    (event): event is MessageEvent =>
      event.type === 'message.sent' && sourceOf(event.data) === undefined && !isChange(event.data.type),
  );
  if (others.length === 0) return;
  const times = others.map(({ at, data }) => (data.sent_at === null ? at : new Date(data.sent_at)));
  await sql`
    /* prepared: note-others, unread */
    with wrote as (
      select account_id, phone_key(recipient) as phone_key, max(at) as at
        from unnest(${others.map(({ accountId }) => accountId)}::bigint[], ${others.map(({ data }) => data.to)}::text[],
                    ${times}::timestamptz[]) as x (account_id, recipient, at)
       where recipient is not null
       group by account_id, phone_key(recipient)
    ), superseded as (
      select w.account_id, w.phone_key, wrote.at from last_writes w join wrote using (account_id, phone_key)
       where w.superseded_at is null and w.replied_at is null and w.written_at <= wrote.at
       order by w.account_id, w.phone_key for update of w
    )
    update last_writes w set superseded_at = s.at
      from superseded s where w.account_id = s.account_id and w.phone_key = s.phone_key
  `.execute(tx.db);
}
