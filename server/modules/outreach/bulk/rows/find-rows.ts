import { sql } from 'kysely';
import type { BulkRow, BulkRowChange } from '#contracts/bulk-runs.ts';
import type { Context } from '#server/context.ts';
import { narrowEntries, presentEntry, presentLedgerStatus } from '#server/modules/outreach/recipients/index.ts';
import type { NarrowedEntries, Narrowing, StoredEntry } from '#server/modules/outreach/recipients/index.ts';
import { bulkLedger } from '../bulk-ledger.ts';
import { stoppedReason } from '../bulk-run.ts';
import type { BulkRunRow } from '../bulk-run.ts';

type StoredRow = StoredEntry & { row_number: number; fields: Record<string, string> };

/** A row with what its file says of it. */
export type FoundRow = Omit<BulkRow, 'name'> & { fields: Record<string, string> };

type Slice = { after?: number | undefined; limit: number; offset?: number };

/** Rows that waited when it was stopped still do in the ledger. */
const isStopped = ({ status }: BulkRunRow) => status === 'stopped';

export const narrowRows = (ctx: Context, run: BulkRunRow, narrowing: Narrowing): Promise<NarrowedEntries> =>
  narrowEntries(
    ctx,
    {
      ledger: bulkLedger,
      accountId: run.account_id,
      sourceId: run.id,
      fedUntil: run.fed_until,
      brokenOff: isStopped(run) ? stoppedReason : undefined,
    },
    narrowing,
  );

/** Some of the rows that are narrowed to, in their order. */
export async function findRows(
  ctx: Context,
  run: BulkRunRow,
  { entries }: NarrowedEntries,
  slice: Slice,
): Promise<FoundRow[]> {
  // The keys come from an index alone. They are fenced, so that each row is found by its key: a ledger that was filled
  // just now has no statistics yet.
  const { rows } = await sql<StoredRow>`
    with page as materialized (
      select account_id, bulk_run_id, row_number from ${entries}
       where row_number > ${slice.after ?? 0}
       order by row_number
       limit ${slice.limit} offset ${slice.offset ?? 0}
    )
    select r.row_number, r.phone, r.fields, r.status, m.status as message_status, m.error_code, r.message_id, r.reason,
           r.changed_at, a.answered_at as replied_at, c.clicked_at
      from page
      join bulk_run_rows r using (account_id, bulk_run_id, row_number)
      left join messages m on m.account_id = page.account_id and m.id = r.message_id
      left join message_answers a on a.account_id = page.account_id and a.message_id = r.message_id
      left join message_clicks c on c.account_id = page.account_id and c.message_id = r.message_id
     order by r.row_number
  `.execute(ctx.db);
  return rows.map((row) => presentRow(run, row));
}

function presentRow(run: BulkRunRow, row: StoredRow): FoundRow {
  const brokenOff = isStopped(run) ? { reason: stoppedReason, at: run.finished_at } : undefined;
  return { row: row.row_number, fields: row.fields, ...presentEntry(row, brokenOff) };
}

const changesAtOnce = 2000;

/** Covers changes that an earlier answer may have missed: a change is stamped before its transaction commits. */
const overlapMs = 10_000;

type Since = { since?: string | undefined; after: number };
type Changes = { data: BulkRowChange[]; next: { since: string; after: number } | null; has_more: boolean };

/** The rows that have changed since, oldest change first. */
export async function findChanges(ctx: Context, run: BulkRunRow, { since, after }: Since): Promise<Changes> {
  const from = since === undefined ? new Date(0) : new Date(since);
  const { rows } = await sql<Pick<StoredRow, 'row_number' | 'status' | 'reason'> & { changed_at: Date }>`
    select row_number, status, reason, date_trunc('milliseconds', changed_at) as changed_at
      from bulk_run_rows
     where account_id = ${run.account_id} and bulk_run_id = ${run.id} and changed_at is not null
       and (changed_at, row_number) > (${from}::timestamptz, ${after}::bigint)
     order by bulk_run_rows.changed_at, row_number
     limit ${changesAtOnce}
  `.execute(ctx.db);
  const last = rows.at(-1);
  const hasMore = rows.length === changesAtOnce;
  const data = rows.map(({ row_number: row, status, reason }) => ({
    row,
    status: presentLedgerStatus(status),
    error: reason,
  }));
  if (!last) return { data, next: since === undefined ? null : { since, after }, has_more: false };
  const next = hasMore
    ? { since: last.changed_at.toISOString(), after: last.row_number }
    : { since: new Date(last.changed_at.getTime() - overlapMs).toISOString(), after: 0 };
  return { data, next, has_more: hasMore };
}
