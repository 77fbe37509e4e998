import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

const dayMs = 24 * 60 * 60_000;

/** Longer than anything looks back: the page of a phone shows 14 days, and a cycle of new chats is a month. */
const sendsKeptMs = 35 * dayMs;
const signalsKeptMs = 180 * dayMs;

const defaults = {
  /** Rows of one statement, and of one phone in it. */
  sliceRows: 5_000,
  phoneRows: 500,
  /** The rest is left for the next round. */
  roundMs: 60_000,
};

/**
 * Forgets what phones sent and were told too long ago to matter: some of each phone at a time, so that one with millions
 * holds up none of the others.
 */
export async function removeOldHealthRows(ctx: Context, overrides: Partial<typeof defaults> = {}): Promise<void> {
  const { sliceRows, phoneRows, roundMs } = { ...defaults, ...overrides };
  const endsAt = performance.now() + roundMs;
  const now = ctx.clock.now().getTime();
  const sendsBefore = new Date(now - sendsKeptMs);
  const signalsBefore = new Date(now - signalsKeptMs);
  for (;;) {
    // account-wide: time alone decides, whosever they are.
    const sends = await sql`
      with old as (
        select s.phone_id, s.message_id
          from phone_health h
         cross join lateral (
           select phone_id, message_id from phone_sends
            where phone_id = h.phone_id and at < ${sendsBefore}
            order by at
            limit ${phoneRows}
         ) s
         limit ${sliceRows}
      )
      delete from phone_sends s using old where s.phone_id = old.phone_id and s.message_id = old.message_id
    `.execute(ctx.db);
    const signals = await sql`
      with old as (
        select s.id
          from phone_health h
         cross join lateral (
           select id, at from phone_signals where phone_id = h.phone_id order by id limit ${phoneRows}
         ) s
         where s.at < ${signalsBefore}
         limit ${sliceRows}
      )
      delete from phone_signals s using old where s.id = old.id
    `.execute(ctx.db);
    const isDone = (sends.numAffectedRows ?? 0n) === 0n && (signals.numAffectedRows ?? 0n) === 0n;
    if (isDone || performance.now() > endsAt) return;
  }
}
