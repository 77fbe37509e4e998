import type { BulkRun } from '#contracts/bulk-runs.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { requireFreeSpace } from '#server/free-space.ts';
import { findDefaultCountry, findKnownNumbers } from '#server/modules/numbers/reading/index.ts';
import { CsvError } from '#contracts/csv-error.ts';
import { longStatementMs, setStatementTimeout } from '#server/platform/db/timeouts.ts';
import { ConflictError, ProblemError } from '#server/platform/errors.ts';
import { requireDraft } from '../bulk-run.ts';
import { lockOwnRun } from '../change-bulk-run.ts';
import { presentBulkRun } from '../present.ts';
import { announceBulkRun, getBulkRunRow, saveBulkRun } from '../queries.ts';
import { insertRows } from './insert-rows.ts';
import type { NewRow } from './insert-rows.ts';
import { readRows } from './read-rows.ts';

/** The rows that one statement stores. */
const batchSize = 1000;

/** `defaultCountry`: of the file; else the account's. */
type UploadRows = { runId: number; file: AsyncIterable<Uint8Array>; defaultCountry?: string | undefined };

/**
 * Gives a draft the rows of a file in place of those it has, a batch in memory at a time. A run whose upload breaks off
 * cannot be started before it has been given rows anew. Throws 409 `bulk_run_started`, 422 `invalid_csv`, 413
 * `file_too_large` and `storage_quota_reached`, 507 `storage_low`; then it has no rows.
 */
export async function uploadRows(ctx: AccountContext, { runId, file, defaultCountry }: UploadRows): Promise<BulkRun> {
  await requireFreeSpace(ctx);
  const uploadNumber = await beginUpload(ctx, runId);
  const upload = { runId, uploadNumber };
  try {
    const { columns, rows } = await readRows(file, {
      defaultCountry: defaultCountry ?? (await findDefaultCountry(ctx)),
      findKnown: (digits) => findKnownNumbers(ctx, digits),
    });
    let batch: NewRow[] = [];
    let total = 0;
    let invalid = 0;
    for await (const row of rows) {
      total += 1;
      if (!row.isValid) invalid += 1;
      batch.push(row);
      if (batch.length < batchSize) continue;
      await requireFreeSpace(ctx);
      await insertRows(ctx, upload, batch);
      batch = [];
    }
    await insertRows(ctx, upload, batch);
    if (total === 0) throw new ProblemError(422, 'invalid_csv', 'CSV appears empty or invalid');
    return await endUpload(ctx, upload, { columns: [...columns], total_count: total, skipped_count: invalid });
  } catch (error) {
    // Rows that cannot be removed now go with the draft, or with the next upload.
    await forgetRows(ctx, upload).catch((fault: unknown) =>
      ctx.logger.warn({ err: fault }, 'rows of an upload remain'),
    );
    throw error instanceof CsvError ? new ProblemError(422, 'invalid_csv', error.message) : error;
  }
}

function beginUpload(ctx: AccountContext, runId: number): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    await setStatementTimeout(tx.db, longStatementMs);
    const run = await lockOwnRun(tx, runId);
    requireDraft(run);
    await deleteRows(tx, runId);
    const uploadNumber = run.upload_number + 1;
    const empty = { total_count: 0, skipped_count: 0, stored_bytes: 0, columns: [] };
    await saveBulkRun(tx, run, { ...empty, upload_number: uploadNumber, is_uploading: true });
    return uploadNumber;
  });
}

type Upload = { runId: number; uploadNumber: number };
type Outcome = { columns: string[]; total_count: number; skipped_count: number };

function endUpload(ctx: AccountContext, { runId, uploadNumber }: Upload, outcome: Outcome): Promise<BulkRun> {
  return inTransaction(ctx, async (tx) => {
    const run = await lockOwnRun(tx, runId);
    requireDraft(run);
    if (run.upload_number !== uploadNumber) {
      throw new ConflictError('bulk_run_uploading', 'Other rows are being given to this run');
    }
    await saveBulkRun(tx, run, { ...outcome, is_uploading: false });
    await announceBulkRun(tx, { accountId: tx.account.id, runId });
    return presentBulkRun(await getBulkRunRow(tx, runId));
  });
}

function forgetRows(ctx: AccountContext, { runId, uploadNumber }: Upload): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    await setStatementTimeout(tx.db, longStatementMs);
    const run = await lockOwnRun(tx, runId);
    if (run.status !== 'draft' || run.upload_number !== uploadNumber) return;
    await deleteRows(tx, runId);
    await saveBulkRun(tx, run, { total_count: 0, skipped_count: 0, stored_bytes: 0, columns: [], is_uploading: false });
  });
}

async function deleteRows({ db, account }: AccountContext, runId: number): Promise<void> {
  await db.deleteFrom('bulk_run_rows').where('account_id', '=', account.id).where('bulk_run_id', '=', runId).execute();
}
