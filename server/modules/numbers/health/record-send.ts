import { sql } from 'kysely';
import type { Context, Tx } from '#server/context.ts';
import { allowanceDay } from './allowance-day.ts';
import { saveHealth } from './change-health.ts';
import type { HealthPhone } from './change-health.ts';
import type { StoredSender } from './load-senders.ts';
import { drawGapMs } from './may-send.ts';
import type { Recipient } from './may-send.ts';
import { applySignal } from './signals.ts';

type PacedSend = { messageId: number; to: string; recipient: Recipient; random: () => number };

/**
 * Counts a message that is claimed for sending, with the pause after it, in the transaction that claims it. A message
 * that is tried again counts once, from now.
 */
export async function recordSend(tx: Tx, phone: HealthPhone, sender: StoredSender, send: PacedSend): Promise<void> {
  const now = tx.clock.now();
  const { contact } = send.recipient;
  const firstGapMs = contact === 'first' ? drawGapMs('first', send.random) : 0;
  const gapMs = drawGapMs('known', send.random);
  await sql`
    insert into phone_sends (account_id, phone_id, message_id, phone_key, contact, at, first_gap_ms, gap_ms)
    values (${phone.accountId}, ${phone.phoneId}, ${send.messageId}, phone_key(${send.to}), ${contact}, ${now},
            ${firstGapMs}, ${gapMs})
    on conflict (phone_id, message_id) do update
       set contact = excluded.contact, at = excluded.at, first_gap_ms = excluded.first_gap_ms, gap_ms = excluded.gap_ms,
           is_counted = true
  `.execute(tx.db);
  const { health } = sender;
  const isCanary = health.recovery?.step === 'canary' && (health.recovery.scope === 'all' || contact === 'first');
  const day = allowanceDay(now, phone.timeZone);
  const counted = isCanary ? applySignal(health, { kind: 'canary_sent' }, now, day) : health;
  await saveHealth(tx, phone, sender, { ...counted, idleFrom: now });
}

const dayMs = 24 * 60 * 60_000;

/** Whether the network took a message of this phone within the last 24 hours. */
export async function hasSentLately(
  ctx: Pick<Context, 'db' | 'clock'>,
  { accountId, phoneId }: { accountId: number; phoneId: number },
): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('phone_sends')
    .select('message_id')
    .where('account_id', '=', accountId)
    .where('phone_id', '=', phoneId)
    .where('at', '>=', new Date(ctx.clock.now().getTime() - dayMs))
    .where('accepted_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
