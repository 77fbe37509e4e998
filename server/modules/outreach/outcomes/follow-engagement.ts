import { sql } from 'kysely';
import type { Message } from '#contracts/messages.ts';
import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import type { OutcomeSource } from './tables.ts';

type Step = 'sent' | 'delivered' | 'read' | 'failed';
type MessageEvent = Extract<DomainEvent, { data: Message }>;

const steps: ReadonlyMap<string, Step> = new Map([
  ['message.sent', 'sent'],
  ['message.delivered', 'delivered'],
  ['message.read', 'read'],
  ['message.failed', 'failed'],
]);

type Reached = { event: MessageEvent; step: Step; at: string; profileId: number };

/**
 * Notes when messages to many came how far, beside them: conditions ask for it when retention has erased them. In the
 * order of the messages, as settling locks them.
 */
export async function followEngagement(
  tx: Tx,
  events: readonly DomainEvent[],
  sourceOf: (message: Message) => { source: OutcomeSource; sourceId: number } | undefined,
): Promise<void> {
  const reached = events.flatMap((event): (Reached & { source: OutcomeSource; sourceId: number })[] => {
    const step = steps.get(event.type);
    if (step === undefined) return [];
    const { data } = event as MessageEvent;
    const source = sourceOf(data);
    if (!source || data.profile_id === null) return [];
    const times = { sent: data.sent_at, delivered: data.delivered_at, read: data.read_at, failed: null };
    const at = times[step] ?? event.at.toISOString();
    return [{ event: event as MessageEvent, step, at, profileId: data.profile_id, ...source }];
  });
  if (reached.length === 0) return;
  const now = tx.clock.now();
  await sql`
    /* prepared: note-engagement, unread */
    insert into engagements as g (account_id, message_id, profile_id, source, source_id, sent_at, delivered_at, read_at,
                                  failed_at, changed_at)
    select account_id, message_id, min(profile_id), min(source), min(source_id),
           min(at) filter (where step = 'sent'), min(at) filter (where step = 'delivered'),
           min(at) filter (where step = 'read'), min(at) filter (where step = 'failed'), ${now}::timestamptz
      from unnest(${reached.map(({ event }) => event.accountId)}::bigint[],
                  ${reached.map(({ event }) => event.data.id)}::bigint[],
                  ${reached.map(({ profileId }) => profileId)}::bigint[], ${reached.map(({ source }) => source)}::text[],
                  ${reached.map(({ sourceId }) => sourceId)}::bigint[], ${reached.map(({ step }) => step)}::text[],
                  ${reached.map(({ at }) => at)}::timestamptz[])
             as x (account_id, message_id, profile_id, source, source_id, step, at)
     group by account_id, message_id
     order by account_id, message_id
    on conflict (account_id, message_id) do update
       set sent_at = coalesce(g.sent_at, excluded.sent_at), delivered_at = coalesce(g.delivered_at, excluded.delivered_at),
           read_at = coalesce(g.read_at, excluded.read_at), failed_at = coalesce(g.failed_at, excluded.failed_at),
           changed_at = excluded.changed_at
  `.execute(tx.db);
}
