import { sql } from 'kysely';
import type { AccountContext } from '#server/context.ts';
import { countryOfDigits } from '#server/modules/numbers/health/index.ts';
import { skipText } from '#server/modules/outreach/recipients/index.ts';
import { ConflictError, ProblemError } from '#server/platform/errors.ts';
import { getBulkRunRow } from '../queries.ts';

export type NewRow = {
  row: number;
  /** Digits. */
  to: string;
  isValid: boolean;
  fields: Readonly<Partial<Record<string, string>>>;
};

type Upload = { runId: number; uploadNumber: number };

/**
 * Stores rows of a draft and counts what they take up, in one statement. Throws 409 `bulk_run_uploading` once another
 * upload has taken this one's place, 404 once the run has been deleted, and 413 `storage_quota_reached` when the
 * account's runs take up too much.
 */
export async function insertRows(
  ctx: AccountContext,
  { runId, uploadNumber }: Upload,
  rows: readonly NewRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const now = ctx.clock.now();
  // PostgreSQL's text and JSON have no place for the character 0.
  const fields = rows.map((row) => JSON.stringify(row.fields).replaceAll(String.raw`\u0000`, ''));
  const bytes = fields.reduce((sum, text) => sum + Buffer.byteLength(text) + bytesPerRow, 0);
  const { rows: stored } = await sql<{ count: number }>`
    with run as (
      update bulk_runs set stored_bytes = stored_bytes + ${bytes}
       where account_id = ${ctx.account.id} and id = ${runId} and upload_number = ${uploadNumber} and status = 'draft'
      returning account_id, id
    ), stored as (
      insert into bulk_run_rows (account_id, bulk_run_id, row_number, phone, country, fields, status, reason, changed_at)
      select run.account_id, run.id, x.row_number, x.phone, x.country, x.fields,
             case when x.is_valid then 'waiting' else 'skipped' end,
             case when not x.is_valid then ${skipText('invalid_number')}::text end,
             case when not x.is_valid then ${now}::timestamptz end
        from run
       cross join unnest(${rows.map(({ row }) => row)}::bigint[], ${rows.map(({ to }) => to)}::text[],
                         ${rows.map(({ to, isValid }) => (isValid ? (countryOfDigits(to) ?? null) : null))}::text[],
                         ${fields}::jsonb[], ${rows.map(({ isValid }) => isValid)}::boolean[])
                  as x (row_number, phone, country, fields, is_valid)
      returning 1
    )
    select count(*)::int as count from stored
  `.execute(ctx.db);
  if (stored[0]?.count !== rows.length) {
    await getBulkRunRow(ctx, runId);
    throw new ConflictError('bulk_run_uploading', 'Other rows are being given to this run');
  }
  await requireQuota(ctx);
}

const bytesPerRow = 100;

/** Throws 413 `storage_quota_reached`. */
export async function requireQuota({ db, account, config }: AccountContext): Promise<void> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(stored_bytes), 0)::bigint as bytes from bulk_runs where account_id = ${account.id}
  `.execute(db);
  const { quotaBytes } = config.storage;
  if ((rows[0]?.bytes ?? 0) <= quotaBytes) return;
  const quota = `${Math.round(quotaBytes / 1024 / 1024)} MiB`;
  throw new ProblemError(
    413,
    'storage_quota_reached',
    `The rows of your bulk runs take up ${quota}, the most an account may keep. Delete a run to make room.`,
  );
}
