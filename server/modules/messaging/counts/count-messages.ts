import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import { countDeltas } from './count-delta.ts';
import type { CountedChange } from './count-delta.ts';

/**
 * Counts what has become of messages. Runs in the transaction that changes them, so that the counts are exact whatever
 * breaks: every write of a message's status comes by here.
 */
export async function countMessages(tx: Tx, changes: readonly CountedChange[]): Promise<void> {
  const deltas = countDeltas(changes);
  if (deltas.length === 0) return;
  await sql`
    /* prepared: count-messages, unread */
    insert into message_counts as c (account_id, project_id, quarter_hour, phone_id, direction,
                                     sent, delivered, failed, received)
    select * from unnest(${deltas.map(({ accountId }) => accountId)}::bigint[],
                         ${deltas.map(({ projectId }) => projectId)}::bigint[],
                         ${deltas.map(({ quarterHour }) => quarterHour)}::timestamptz[],
                         ${deltas.map(({ phoneId }) => phoneId)}::bigint[],
                         ${deltas.map(({ direction }) => direction)}::text[],
                         ${deltas.map(({ sent }) => sent)}::int[], ${deltas.map(({ delivered }) => delivered)}::int[],
                         ${deltas.map(({ failed }) => failed)}::int[], ${deltas.map(({ received }) => received)}::int[])
    on conflict (account_id, quarter_hour, project_id, phone_id, direction) do update
      set sent = c.sent + excluded.sent, delivered = c.delivered + excluded.delivered,
          failed = c.failed + excluded.failed, received = c.received + excluded.received
  `.execute(tx.db);
}
