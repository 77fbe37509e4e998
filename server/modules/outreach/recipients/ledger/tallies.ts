import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Tx } from '#server/context.ts';
import { ofSource, prepared } from './ledger.ts';
import type { Ledger, LedgerCounts, SourceRef } from './ledger.ts';

const sums = sql<LedgerCounts>`
  select coalesce(sum(t.queued), 0)::int as queued_count, coalesce(sum(t.sent), 0)::int as sent_count,
         coalesce(sum(t.failed), 0)::int as failed_count, coalesce(sum(t.skipped), 0)::int as skipped_count`;

/** The changes to the counts of the source `s` that are not added up yet: a single row `t`. */
export function talliesOf({ tallies, source }: Ledger): RawBuilder<unknown> {
  return sql`lateral (${sums} from ${sql.table(tallies)} t where t.account_id = s.account_id and ${sql.ref(`t.${source}`)} = s.id) t`;
}

/** The source's row with the tallies added. */
export const added = (row: LedgerCounts, tally: LedgerCounts): LedgerCounts => ({
  queued_count: row.queued_count + tally.queued_count,
  sent_count: row.sent_count + tally.sent_count,
  failed_count: row.failed_count + tally.failed_count,
  skipped_count: row.skipped_count + tally.skipped_count,
});

/** Takes the tallies out, for whoever holds the source's lock to add to its row; undefined: there are none. */
export async function takeTallies(tx: Tx, ledger: Ledger, ref: SourceRef): Promise<LedgerCounts | undefined> {
  const { rows } = await sql<LedgerCounts>`
    ${prepared(ledger, 'take-tallies')}
    with gone as (delete from ${sql.table(ledger.tallies)} where ${ofSource(ledger, ref)} returning *)
    ${sums} from gone t having count(*) > 0
  `.execute(tx.db);
  return rows[0];
}
