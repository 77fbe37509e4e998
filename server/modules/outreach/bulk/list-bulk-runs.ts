import { sql } from 'kysely';
import type { listBulkRuns as contract } from '#contracts/bulk-runs.ts';
import type { EndpointInput, EndpointResponse } from '#contracts/endpoint.ts';
import type { AccountContext } from '#server/context.ts';
import { inScope } from '#server/scope.ts';
import { added, talliesOf } from '#server/modules/outreach/recipients/index.ts';
import type { LedgerCounts } from '#server/modules/outreach/recipients/index.ts';
import { hasWords, inOrderOf, readListPage } from '#server/platform/db/list-page.ts';
import type { ListKey } from '#server/platform/db/list-page.ts';
import { bulkLedger } from './bulk-ledger.ts';
import { presentBulkRun } from './present.ts';
import type { BulkRunRecord } from './present.ts';
import { rulesOf } from '#server/modules/audience/topics/index.ts';

type ListBulkRuns = EndpointInput<typeof contract>['query'];

const keys: Record<ListBulkRuns['sort'], ListKey> = {
  created: { by: sql`s.id`, type: 'bigint', first: 'desc' },
  name: { by: sql`lower(s.name)`, type: 'text', first: 'asc' },
};

export async function listBulkRuns(
  ctx: AccountContext,
  input: ListBulkRuns,
): Promise<EndpointResponse<typeof contract>> {
  const { search = '', status, page, pageSize } = input;
  const where = sql`s.account_id = ${ctx.account.id} and ${inScope(ctx, 's.project_id')} and ${hasWords(sql`s.name`, search)}
    and ${status === undefined ? sql`true` : sql`s.status = ${status}`}`;
  const { ids, place } = await readListPage(ctx.db, { table: 'bulk_runs', where, key: keys[input.sort], input });
  const rows = await findRowsOf(ctx, ids);
  return { data: inOrderOf(ids, rows).map(presentBulkRun), total: place.total ?? 0, page, pageSize };
}

async function findRowsOf(ctx: AccountContext, ids: readonly number[]): Promise<BulkRunRecord[]> {
  const { rows } = await sql<BulkRunRecord & { tally: LedgerCounts }>`
    select s.*, to_jsonb(t) as tally, rules.rules
      from bulk_runs s
     cross join ${talliesOf(bulkLedger)}
     cross join ${rulesOf('bulk_run')}
     where s.account_id = ${ctx.account.id} and s.id = any(${ids}::bigint[])
  `.execute(ctx.db);
  return rows.map(({ tally, ...row }) => ({ ...row, ...added(row, tally) }));
}
