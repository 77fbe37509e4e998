import { Readable } from 'node:stream';
import type { AccountContext } from '#server/context.ts';
import { pagedCsv } from '#server/platform/csv/paged-csv.ts';
import { presentSuppression } from '../present.ts';

const rowsPerRead = 1_000;

/** CSV of the list, oldest first, read from the database as it is taken. */
export async function exportSuppressions(ctx: AccountContext): Promise<Readable> {
  const csv = pagedCsv({
    header: ['phone', 'opted_out_at', 'by', 'note', 'message'],
    rowsPerRead,
    read: (after, limit) =>
      ctx.db
        .selectFrom('suppressions')
        .selectAll()
        .where('account_id', '=', ctx.account.id)
        .where('id', '>', after ?? 0)
        .orderBy('id')
        .limit(limit)
        .execute(),
    keyOf: ({ id }) => id,
    cellsOf(row) {
      const { phone, opted_out_at: at, by, note, evidence } = presentSuppression(row);
      return [phone, at, by, note ?? '', evidence?.text ?? ''];
    },
  });
  return Readable.from(csv, { objectMode: false });
}
