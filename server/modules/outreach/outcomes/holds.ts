import { sql } from 'kysely';
import type { HoldKind } from '#contracts/reports.ts';
import type { WaitingReason } from '#contracts/waiting-reason.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import type { OutcomeSource } from './tables.ts';

type Source = { accountId: number; source: OutcomeSource; sourceId: number };
type State = { status?: string; waiting_for: WaitingReason | null };

/** More of one source are not kept: the oldest go. */
const mostHolds = 200;

const holdOf = ({ status, waiting_for: waitingFor }: State): HoldKind | null =>
  status === 'paused' ? 'paused' : waitingFor;

const ofSource = ({ accountId, source, sourceId }: Source) =>
  sql`account_id = ${accountId} and source = ${source} and source_id = ${sourceId}`;

/**
 * Notes when a source stops handing out messages and when it goes on, under its lock. A hold that comes back within a
 * minute is the same one.
 */
export async function followHold(tx: Tx, of: Source, change: { before: State; after: State }): Promise<void> {
  const [before, after] = [holdOf(change.before), holdOf(change.after)];
  if (before === after) return;
  const now = tx.clock.now();
  if (before !== null) {
    await sql`update outcome_holds set ended_at = ${now} where ${ofSource(of)} and ended_at is null`.execute(tx.db);
  }
  if (after === null) return;
  await sql`
    with again as (
      update outcome_holds set ended_at = null
       where ctid = (select ctid from outcome_holds
                      where ${ofSource(of)} and kind = ${after} and ended_at > ${now}::timestamptz - interval '1 minute'
                      order by began_at desc limit 1)
      returning 1
    ), gone as (
      delete from outcome_holds
       where ctid = any(array(select ctid from outcome_holds where ${ofSource(of)}
                               order by began_at desc offset ${mostHolds - 1}))
    )
    insert into outcome_holds (account_id, source, source_id, kind, began_at)
    select ${of.accountId}, ${of.source}, ${of.sourceId}, ${after}, ${now} where not exists (select from again)
  `.execute(tx.db);
}

export type Hold = { kind: HoldKind; began_at: Date; ended_at: Date | null };

/** In their order. */
export async function findHolds(ctx: AccountContext, of: Omit<Source, 'accountId'>): Promise<Hold[]> {
  const { rows } = await sql<Hold>`
    select kind, began_at, ended_at from outcome_holds where ${ofSource({ accountId: ctx.account.id, ...of })}
     order by began_at, ended_at nulls last
  `.execute(ctx.db);
  return rows;
}
