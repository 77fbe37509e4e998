import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { settleEntries } from '#server/modules/outreach/recipients/index.ts';
import type { SettledEntry } from '#server/modules/outreach/recipients/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { flowLedger } from '../flow-ledger.ts';
import { flowNotification } from '../channels.ts';

/**
 * Carries what became of flows' messages over to their deliveries and guards, in the transaction that settles the
 * messages. Guards are locked after the deliveries and in their order, as a run locks them.
 */
export async function settleDeliveries(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  const settled = await settleEntries(tx, flowLedger, events);
  if (settled.length === 0) return;
  await closeGuards(tx, settled);
  const flows = new Map(settled.map((entry) => [entry.source_id, entry.account_id]));
  await notify(
    tx.db,
    [...flows].map(([flowId, accountId]) => flowNotification({ kind: 'settled', accountId, flowId })),
  );
}

/** From now on the frequency counts: also for a message that failed, or turned out to be withdrawn. */
async function closeGuards(tx: Tx, settled: readonly SettledEntry[]): Promise<void> {
  const now = tx.clock.now();
  await sql`
    /* prepared: close-guards, unread */
    with guarding as (
      select g.account_id, g.flow_id, g.profile_id, x.before
        from unnest(${settled.map((entry) => entry.account_id)}::bigint[],
                    ${settled.map((entry) => entry.source_id)}::bigint[],
                    ${settled.map((entry) => entry.profile_id)}::bigint[],
                    ${settled.map(({ before }) => before)}::text[]) as x (account_id, flow_id, profile_id, before)
        join flow_profiles g using (account_id, flow_id, profile_id)
       order by g.account_id, g.flow_id, g.profile_id
         for update of g
    )
    update flow_profiles g
       set last_at = case b.before when 'queued' then ${now} else greatest(g.last_at, ${now}) end
      from guarding b
     where g.account_id = b.account_id and g.flow_id = b.flow_id and g.profile_id = b.profile_id
  `.execute(tx.db);
}
