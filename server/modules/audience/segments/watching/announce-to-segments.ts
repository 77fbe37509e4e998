import { sql } from 'kysely';
import type { Context, Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { notify, notifyAtOnce } from '#server/platform/db/notify.ts';
import { segmentsChannel } from './channels.ts';

/** Notifies the workers of accounts whose people may have joined or left segments; it locks nothing. */
export async function announceToSegments(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  const changed = events.flatMap((event) => (event.type === 'profiles.changed' ? [event.accountId] : []));
  if (changed.length === 0) return;
  const { rows } = await sql<{ account_id: number }>`
    /* prepared: find-watched-segments */
    select account_id from segment_watchers where account_id = any(${[...new Set(changed)]}::bigint[])
  `.execute(tx.db);
  await notify(
    tx.db,
    rows.map(({ account_id }) => ({ channel: segmentsChannel, payload: String(account_id) })),
  );
}

/** A segment is new or reads otherwise: the account's people are compared soon. */
export async function watchSegments(ctx: Pick<Context, 'db' | 'clock'>, accountId: number): Promise<void> {
  await sql`
    insert into segment_watchers (account_id, due_at) values (${accountId}, ${ctx.clock.now()})
    on conflict (account_id) do update set due_at = least(segment_watchers.due_at, excluded.due_at)
  `.execute(ctx.db);
  await notifyAtOnce(ctx.db, { channel: segmentsChannel, payload: String(accountId) });
}
