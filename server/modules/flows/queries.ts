import { sql } from 'kysely';
import type { AccountContext, Tx } from '#server/context.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import type { FlowRow } from './present.ts';

export type FlowCounts = Pick<FlowRow, 'queued_count' | 'sent_count' | 'failed_count'>;

const tallies = sql<FlowCounts>`
  select coalesce(sum(t.queued), 0)::int as queued_count, coalesce(sum(t.sent), 0)::int as sent_count,
         coalesce(sum(t.failed), 0)::int as failed_count`;

const added = (row: FlowRow, tally: FlowCounts): FlowCounts => ({
  queued_count: row.queued_count + tally.queued_count,
  sent_count: row.sent_count + tally.sent_count,
  failed_count: row.failed_count + tally.failed_count,
});

/** Newest first; one alone where its id is given. Read in one statement with their tallies, so that counts add up. */
async function findRows(ctx: AccountContext, flowId?: number): Promise<FlowRow[]> {
  const { rows } = await sql<FlowRow & { tally: FlowCounts }>`
    select f.*, to_jsonb(t) as tally
      from flows f
     cross join lateral (${tallies} from flow_tallies t where t.account_id = f.account_id and t.flow_id = f.id) t
     where f.account_id = ${ctx.account.id} ${flowId === undefined ? sql`` : sql`and f.id = ${flowId}`}
     order by f.id desc
  `.execute(ctx.db);
  return rows.map(({ tally, ...row }) => ({ ...row, ...added(row, tally) }));
}

export const findFlowRows = (ctx: AccountContext) => findRows(ctx);

export async function findFlowRow(ctx: AccountContext, flowId: number): Promise<FlowRow | undefined> {
  const [row] = await findRows(ctx, flowId);
  return row;
}

export async function getFlowRow(ctx: AccountContext, flowId: number): Promise<FlowRow> {
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
    .forUpdate()
    .executeTakeFirst();
  return row && addUpTallies(tx, row);
}

async function addUpTallies(tx: Tx, row: FlowRow): Promise<FlowRow> {
  const { rows } = await sql<FlowCounts>`
    /* prepared: add-up-flow-tallies */
    with gone as (
      delete from flow_tallies where account_id = ${row.account_id} and flow_id = ${row.id} returning *
    )
    ${tallies} from gone t having count(*) > 0
  `.execute(tx.db);
  const counts = rows[0] && added(row, rows[0]);
  if (!counts) return row;
  await saveFlow(tx, row, counts);
  return { ...row, ...counts };
}

/** What the engine changes of a flow; its settings are the user's. */
type EngineState = Pick<FlowRow, 'waiting_count' | 'skipped_count' | 'waiting_for' | 'next_feed_at'> & FlowCounts;

/** Under the flow's lock. */
export async function saveFlow(tx: Tx, row: FlowRow, state: Partial<EngineState>): Promise<void> {
  await tx.db
    .updateTable('flows')
    .set(state)
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .execute();
}
