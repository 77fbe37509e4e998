import { sql } from 'kysely';
import type { AccountContext, Tx } from '#server/context.ts';
import { inScope } from '#server/scope.ts';
import { rulesOf } from '#server/modules/audience/topics/index.ts';
import { clickedOf } from '#server/modules/outreach/links/index.ts';
import { followHold, outcomesOf } from '#server/modules/outreach/outcomes/index.ts';
import { added, takeTallies, talliesOf } from '#server/modules/outreach/recipients/index.ts';
import type { LedgerCounts } from '#server/modules/outreach/recipients/index.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { flowLedger } from './flow-ledger.ts';
import type { FlowRecord } from './present.ts';
import type { FlowRow } from './tables.ts';

/** In no order. Read in one statement with their tallies, so that counts add up. */
export async function findFlowRows(ctx: AccountContext, ids: readonly number[]): Promise<FlowRecord[]> {
  const { rows } = await sql<FlowRecord & { tally: LedgerCounts }>`
    select s.*, to_jsonb(t) as tally, to_jsonb(o) as outcomes, rules.rules,
           ${clickedOf('flow')} as clicked
      from flows s
     cross join ${talliesOf(flowLedger)}
     cross join ${outcomesOf('flow')}
     cross join ${rulesOf('flow')}
     where s.account_id = ${ctx.account.id} and ${inScope(ctx, 's.project_id')} and s.id = any(${ids}::bigint[])
  `.execute(ctx.db);
  return rows.map(({ tally, ...row }) => ({ ...row, ...added(row, tally) }));
}

export async function findFlowRow(ctx: AccountContext, flowId: number): Promise<FlowRecord | undefined> {
  const [row] = await findFlowRows(ctx, [flowId]);
  return row;
}

export async function getFlowRow(ctx: AccountContext, flowId: number): Promise<FlowRecord> {
  const row = await findFlowRow(ctx, flowId);
  if (!row) throw new NotFoundError('Flow');
  return row;
}

/** Locks the flow and adds up its tallies. Undefined when there is none. */
export async function lockFlow(tx: Tx<AccountContext>, flowId: number): Promise<FlowRow | undefined> {
  const row = await tx.db
    .selectFrom('flows')
    .selectAll()
    .where('account_id', '=', tx.account.id)
    .where('id', '=', flowId)
    .where(inScope(tx))
    .forUpdate()
    .executeTakeFirst();
  return row && addUpTallies(tx, row);
}

async function addUpTallies(tx: Tx, row: FlowRow): Promise<FlowRow> {
  const tally = await takeTallies(tx, flowLedger, { accountId: row.account_id, sourceId: row.id });
  if (!tally) return row;
  const counts = added(row, tally);
  await saveFlow(tx, row, counts);
  return { ...row, ...counts };
}

/** The columns of a flow that the engine changes; its settings are the user's. */
type EngineState = Pick<FlowRow, 'waiting_count' | 'waiting_for' | 'waiting_until' | 'next_feed_at'> & LedgerCounts;

/** Under the flow's lock. */
export async function saveFlow(tx: Tx, row: FlowRow, state: Partial<EngineState>): Promise<void> {
  await tx.db
    .updateTable('flows')
    .set(state)
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .execute();
  const of = { accountId: row.account_id, source: 'flow', sourceId: row.id } as const;
  await followHold(tx, of, { before: row, after: { ...row, ...state } });
}
