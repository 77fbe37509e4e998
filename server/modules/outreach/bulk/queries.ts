import { sql } from 'kysely';
import type { AccountContext, Tx } from '#server/context.ts';
import { inScope } from '#server/scope.ts';
import { liveNotifications } from '#server/modules/identity/live/index.ts';
import { findRules, rulesOf } from '#server/modules/audience/topics/index.ts';
import { followHold } from '#server/modules/outreach/outcomes/index.ts';
import { added, countSkips, takeTallies, talliesOf } from '#server/modules/outreach/recipients/index.ts';
import type { LedgerCounts } from '#server/modules/outreach/recipients/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { bulkLedger } from './bulk-ledger.ts';
import type { BulkRunRow, BulkRunStep } from './bulk-run.ts';
import { bulkRunsChannel } from './channels.ts';
import { presentBulkRun } from './present.ts';
import type { BulkRunRecord } from './present.ts';

export type BulkRunRef = { accountId: number; runId: number };

/** Read in one statement with its tallies, so that its counts add up. */
export async function getBulkRunRow(ctx: AccountContext, runId: number): Promise<BulkRunRecord> {
  const { rows } = await sql<BulkRunRecord & { tally: LedgerCounts }>`
    select s.*, to_jsonb(t) as tally, rules.rules
      from bulk_runs s
     cross join ${talliesOf(bulkLedger)}
     cross join ${rulesOf('bulk_run')}
     where s.account_id = ${ctx.account.id} and s.id = ${runId} and ${inScope(ctx, 's.project_id')}
  `.execute(ctx.db);
  if (!rows[0]) throw new NotFoundError('Bulk run');
  const { tally, ...row } = rows[0];
  return { ...row, ...added(row, tally) };
}

/** Locks the run and adds up its tallies. Undefined when there is none. */
export async function lockBulkRun(tx: Tx, ref: BulkRunRef): Promise<BulkRunRow | undefined> {
  const row = await lockRow(tx, ref).executeTakeFirst();
  return row && addUpTallies(tx, row);
}

/** The same where nobody else has it locked; `isTallied`: it had tallies. */
export async function takeBulkRun(
  tx: Tx,
  ref: BulkRunRef,
): Promise<{ run: BulkRunRow; isTallied: boolean } | undefined> {
  const row = await lockRow(tx, ref).skipLocked().executeTakeFirst();
  if (!row) return undefined;
  const run = await addUpTallies(tx, row);
  return { run, isTallied: run !== row };
}

function lockRow(tx: Tx, { accountId, runId }: BulkRunRef) {
  return tx.db
    .selectFrom('bulk_runs')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', runId)
    .where(inScope(tx))
    .forUpdate();
}

async function addUpTallies(tx: Tx, row: BulkRunRow): Promise<BulkRunRow> {
  const tally = await takeTallies(tx, bulkLedger, { accountId: row.account_id, sourceId: row.id });
  return tally ? saveBulkRun(tx, row, added(row, tally)) : row;
}

/** Answers the run as it is after the step. */
export async function saveBulkRun(tx: Tx, row: BulkRunRow, step: BulkRunStep): Promise<BulkRunRow> {
  const updated = { ...step, updated_at: tx.clock.now() };
  const { columns, ...others } = updated;
  await tx.db
    .updateTable('bulk_runs')
    .set({ ...others, ...(columns && { columns: JSON.stringify(columns) }) })
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .execute();
  const saved = { ...row, ...updated };
  const of = { accountId: row.account_id, source: 'bulk_run', sourceId: row.id } as const;
  await followHold(tx, of, { before: row, after: saved });
  if (saved.status === 'completed' && row.status !== 'completed') await announceEnd(tx, saved);
  return saved;
}

async function announceEnd(tx: Tx, row: BulkRunRow): Promise<void> {
  const source = { accountId: row.account_id, projectId: row.project_id, at: tx.clock.now() };
  const rules = await findRules(tx, { accountId: row.account_id, source: 'bulk_run', sourceId: row.id });
  const skips = await countSkips(tx, bulkLedger, { accountId: row.account_id, sourceId: row.id });
  await tx.onDomainEvents(tx, [
    { ...source, type: 'bulk_run.completed', data: { ...presentBulkRun({ ...row, rules }), skips } },
  ]);
}

/** Notifies open pages and the runs' workers that this one has changed. */
export async function announceBulkRun(tx: Tx, { accountId, runId }: BulkRunRef): Promise<void> {
  await notify(tx.db, [
    ...liveNotifications(accountId, { type: 'bulk_runs.changed', bulk_run_id: runId }),
    { channel: bulkRunsChannel, payload: JSON.stringify([accountId, runId]) },
  ]);
}
