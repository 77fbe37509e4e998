import { Readable } from 'node:stream';
import type { AccountContext } from '#server/context.ts';
import { csvRecord } from '#server/platform/csv/write-csv.ts';
import { presentSuppression } from '../present.ts';

const rowsPerRead = 1_000;

/** CSV of the list, oldest first, read from the database as it is taken. */
export async function exportSuppressions(ctx: AccountContext): Promise<Readable> {
  return Readable.from(csvOf(ctx), { objectMode: false });
}

async function* csvOf(ctx: AccountContext): AsyncGenerator<string> {
  yield csvRecord(['phone', 'opted_out_at', 'by', 'note', 'message']);
  let lastId = 0;
  for (;;) {
    const rows = await ctx.db
      .selectFrom('suppressions')
      .selectAll()
      .where('account_id', '=', ctx.account.id)
      .where('id', '>', lastId)
      .orderBy('id')
      .limit(rowsPerRead)
      .execute();
    if (rows.length === 0) return;
    yield rows
      .map(presentSuppression)
      .map(({ phone, opted_out_at: at, by, note, evidence }) =>
        csvRecord([phone, at, by, note ?? '', evidence?.text ?? '']),
      )
      .join('');
    lastId = rows.at(-1)?.id ?? lastId;
  }
}
