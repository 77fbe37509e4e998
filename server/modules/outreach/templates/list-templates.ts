import { sql } from 'kysely';
import type { EndpointInput, EndpointResponse } from '#contracts/endpoint.ts';
import type { listTemplates as contract } from '#contracts/saved-templates.ts';
import type { AccountContext } from '#server/context.ts';
import { notLeaving } from '#server/not-leaving.ts';
import { hasWords, inOrderOf, readListPage } from '#server/platform/db/list-page.ts';
import type { ListKey } from '#server/platform/db/list-page.ts';
import { presentTemplate } from './present.ts';
import type { TemplateRow } from './present.ts';

type ListTemplates = EndpointInput<typeof contract>['query'];

const keys: Record<ListTemplates['sort'], ListKey> = {
  name: { by: sql`lower(s.name)`, type: 'text', first: 'asc' },
  updated: { by: sql`s.updated_at`, type: 'timestamptz', first: 'desc' },
};

/**
 * Over rows `s`, which the statement narrows to the account itself. An account has a bounded number of templates: a
 * search may read them all.
 */
export const templateFilter = ({ search = '' }: Pick<ListTemplates, 'search'>) =>
  hasWords(sql`s.name || ' ' || s.message`, search);

export async function listTemplates(
  ctx: AccountContext,
  input: ListTemplates,
): Promise<EndpointResponse<typeof contract>> {
  const { page, pageSize, sort } = input;
  const where = sql`s.account_id = ${ctx.account.id} and ${templateFilter(input)} and ${notLeaving(ctx, 'templates')}`;
  const { ids, place } = await readListPage(ctx.db, { table: 'saved_templates', where, key: keys[sort], input });
  const rows = await findTemplateRows(ctx, ids);
  return { data: inOrderOf(ids, rows).map(presentTemplate), total: place.total ?? 0, page, pageSize };
}

function findTemplateRows(ctx: AccountContext, ids: readonly number[]): Promise<TemplateRow[]> {
  return ctx.db
    .selectFrom('saved_templates')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute();
}
