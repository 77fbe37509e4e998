import { sql } from 'kysely';
import type { BulkRun } from '#contracts/bulk-runs.ts';
import { copiedName } from '#contracts/shorten-text.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { takeCarried } from '#server/modules/messaging/media/index.ts';
import { holdProject } from '#server/modules/identity/projects/index.ts';
import { pinAnew, skipText } from '#server/modules/outreach/recipients/index.ts';
import { longStatementMs, setStatementTimeout } from '#server/platform/db/timeouts.ts';
import { ConflictError } from '#server/platform/errors.ts';
import { lockOwnRun } from './change-bulk-run.ts';
import { insertDraft } from './insert-draft.ts';
import { presentBulkRun } from './present.ts';
import { announceBulkRun, getBulkRunRow } from './queries.ts';
import { findRules, requireTopic } from '#server/modules/audience/topics/index.ts';
import { requireQuota } from './rows/insert-rows.ts';

const longestName = 120;

/**
 * A draft with the message of another run and all its rows, whatever became of them. Throws 409 `bulk_run_uploading`
 * while the rows are not all there, 413 `storage_quota_reached`, 422 where its file has been removed.
 */
export async function duplicateBulkRun(ctx: AccountContext, { runId }: { runId: number }): Promise<BulkRun> {
  return inTransaction(ctx, async (tx) => {
    await setStatementTimeout(tx.db, longStatementMs);
    const run = await lockOwnRun(tx, runId);
    if (run.is_uploading) {
      throw new ConflictError('bulk_run_uploading', 'The rows of this run have not been read to their end');
    }
    await holdProject(tx, run.project_id);
    if (run.media) await takeCarried(tx, { media: { id: run.media.id } });
    const file = run.template?.header_media;
    if (file) await takeCarried(tx, { media: { id: file.id }, path: 'template.header_media' });
    const id = await insertDraft(tx, {
      project_id: run.project_id,
      name: copiedName(run.name, longestName),
      message: run.message,
      media: run.media,
      template: (await pinAnew(tx, run)) ?? run.template,
      delay_ms: run.delay_ms,
      columns: run.columns,
      topicId: await keptTopic(tx, runId),
      total_count: run.total_count,
      stored_bytes: run.stored_bytes,
    });
    await copyRows(tx, { from: runId, to: id });
    await requireQuota(tx);
    await announceBulkRun(tx, { accountId: tx.account.id, runId: id });
    return presentBulkRun(await getBulkRunRow(tx, id));
  });
}

/** The topic of a run, where there is still one. */
async function keptTopic(tx: Tx<AccountContext>, runId: number): Promise<number | null> {
  const { topic_id: topicId } = await findRules(tx, { accountId: tx.account.id, source: 'bulk_run', sourceId: runId });
  if (topicId !== null) await requireTopic(tx, topicId, 'topic_id');
  return topicId;
}

/** Rows without a possible number stay skipped; all others wait. */
async function copyRows(tx: Tx<AccountContext>, { from, to }: { from: number; to: number }): Promise<void> {
  const now = tx.clock.now();
  const isInvalid = sql`status = 'skipped' and reason = ${skipText('invalid_number')}`;
  await sql`
    with copied as (
      insert into bulk_run_rows (account_id, bulk_run_id, row_number, phone, country, fields, status, reason, changed_at)
      select account_id, ${to}, row_number, phone, country, fields,
             case when ${isInvalid} then 'skipped' else 'waiting' end, case when ${isInvalid} then reason end,
             case when ${isInvalid} then ${now}::timestamptz end
        from bulk_run_rows
       where account_id = ${tx.account.id} and bulk_run_id = ${from}
      returning status
    )
    update bulk_runs set skipped_count = (select count(*) from copied where status = 'skipped')
     where account_id = ${tx.account.id} and id = ${to}
  `.execute(tx.db);
}
