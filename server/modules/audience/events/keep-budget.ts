import { sql } from 'kysely';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { keysKeptMs } from './store-events.ts';

const slice = 5_000;
const roundMs = 60_000;

/** Erases the oldest events of accounts whose events take more room than they may, a slice of each in turn; answers whose. */
export async function keepEventBudgets(ctx: Context): Promise<number[]> {
  const endsAt = performance.now() + roundMs;
  const erased = new Set<number>();
  for (let accounts = await findOver(ctx); accounts.length > 0; accounts = await findOver(ctx)) {
    for (const accountId of accounts) {
      if (performance.now() > endsAt) return [...erased];
      await eraseOldest(ctx, accountId);
      erased.add(accountId);
    }
  }
  return [...erased];
}

// account-wide: whose events they are, whoever they are.
async function findOver({ db, config }: Context): Promise<number[]> {
  const rows = await db
    .selectFrom('event_accounts')
    .select('account_id')
    .where('bytes', '>', config.eventsQuotaBytes)
    .execute();
  return rows.map((row) => row.account_id);
}

async function eraseOldest(ctx: Context, accountId: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { bytes } = await lock(tx, accountId);
    const { rows } = await sql<{ count: number; bytes: number; last: Date | null }>`
      with oldest as (
        select id, sum(bytes) over (order by id) - bytes as before from events
         where account_id = ${accountId} order by id limit ${slice}
      ), gone as (
        delete from events using oldest
         where events.account_id = ${accountId} and events.id = oldest.id
           and oldest.before < ${bytes - tx.config.eventsQuotaBytes}
        returning events.bytes, events.received_at
      )
      select count(*) as count, coalesce(sum(bytes), 0) as bytes, max(received_at) as last from gone
    `.execute(tx.db);
    const gone = rows[0];
    // Profiles that were deleted took events along, which nobody subtracted.
    const left = gone?.last ? bytes - gone.bytes : 0;
    await sql`
      update event_accounts set bytes = ${left}, erased_until = greatest(erased_until, ${gone?.last ?? null}::timestamptz)
       where account_id = ${accountId}
    `.execute(tx.db);
  });
}

async function lock(tx: Tx, accountId: number): Promise<{ bytes: number }> {
  return tx.db
    .selectFrom('event_accounts')
    .select('bytes')
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Notes that months of events are about to be dropped. */
// account-wide: months hold the events of all accounts.
export async function noteErasedEvents({ db, clock, config }: Context): Promise<void> {
  const before = new Date(clock.now().getTime() - config.eventsKeptDays * 86_400_000);
  await sql`update event_accounts set erased_until = greatest(erased_until, ${before}::timestamptz)`.execute(db);
}

/** Events go with their profiles and their months; how much room the others take is counted anew. */
export async function recountEvents(ctx: Context): Promise<void> {
  const accounts = await ctx.db.selectFrom('event_accounts').select('account_id').orderBy('account_id').execute();
  for (const { account_id: accountId } of accounts) {
    await inTransaction(ctx, async (tx) => {
      await lock(tx, accountId);
      await sql`
        update event_accounts
           set bytes = coalesce((select sum(e.bytes) from events e where e.account_id = ${accountId}), 0)
         where account_id = ${accountId}
      `.execute(tx.db);
    });
  }
  const before = new Date(ctx.clock.now().getTime() - 48 * 3_600_000);
  await ctx.db.deleteFrom('event_hours').where('hour', '<', before).execute();
}

export async function removeOldEventKeys({ db, clock }: Context): Promise<void> {
  const before = new Date(clock.now().getTime() - keysKeptMs);
  await db.deleteFrom('event_keys').where('stored_at', '<', before).execute();
}
