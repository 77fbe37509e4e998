import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { BulkFilter, BulkResource } from '#contracts/bulk-actions.ts';
import type { AccountContext } from '#server/context.ts';
import { campaignFilter } from '#server/modules/outreach/campaigns/index.ts';
import { flowFilter } from '#server/modules/outreach/flows/index.ts';
import { phoneFilter } from '#server/modules/numbers/phones/index.ts';
import { compileFilter, requireFilter } from '#server/modules/audience/lists/index.ts';
import { segmentFilter } from '#server/modules/audience/segments/index.ts';
import { templateFilter } from '#server/modules/outreach/templates/index.ts';
import { InvalidInputError } from '#server/platform/errors.ts';
import { CampaignStatus } from '#contracts/campaigns.ts';
import { ConnectorName } from '#contracts/connectors.ts';
import { PhoneStatus } from '#contracts/phone-numbers.ts';
import type { BulkRecord } from './record.ts';

export const itemTables: Record<BulkResource, string> = {
  profiles: 'profiles',
  campaigns: 'campaigns',
  flows: 'flows',
  segments: 'segments',
  phones: 'phones',
  templates: 'saved_templates',
};

/** The condition of a list's filter, over rows `s` of its table; throws 422 for values it does not know. */
async function filterOf(ctx: AccountContext, resource: BulkResource, filter: BulkFilter): Promise<RawBuilder<unknown>> {
  const known = <T>(
    schema: { safeParse(value: unknown): { success: boolean; data?: T } },
    value: unknown,
    path: string,
  ) => {
    const parsed = schema.safeParse(value);
    if (value !== undefined && !parsed.success) {
      throw new InvalidInputError([{ path: `filter.${path}`, message: 'Unknown value' }]);
    }
    return parsed.data;
  };
  switch (resource) {
    case 'profiles': {
      const { predicate } = await compileFilter(ctx, filter);
      return sql`s.id in (select profiles.id from profiles where profiles.account_id = ${ctx.account.id} and ${predicate})`;
    }
    case 'campaigns':
      return campaignFilter({ ...filter, status: known(CampaignStatus, filter.status, 'status') });
    case 'flows':
      return flowFilter(filter);
    case 'segments':
      return segmentFilter(ctx, filter);
    case 'templates':
      return templateFilter(filter);
    case 'phones':
      return phoneFilter({
        ...filter,
        projectId: filter.project_id,
        status: known(PhoneStatus, filter.status, 'status'),
        connector: known(ConnectorName, filter.connector, 'connector'),
      });
  }
}

/** How many the filter finds, and the newest thing there is. Throws 422 for a segment or a topic that there is not. */
export async function measureFilter(
  ctx: AccountContext,
  resource: BulkResource,
  filter: BulkFilter,
): Promise<{ total: number; until: number }> {
  if (resource === 'profiles') await requireFilter(ctx, filter, 'filter.');
  const where = await filterOf(ctx, resource, filter);
  const { rows } = await sql<{ total: number; until: number | null }>`
    select count(*) as total, max(s.id) as until from ${sql.table(itemTables[resource])} as s
     where s.account_id = ${ctx.account.id} and ${where}
  `.execute(ctx.db);
  return { total: rows[0]?.total ?? 0, until: rows[0]?.until ?? 0 };
}

/** The next ids by their order; none: it is done. */
export async function nextItems(ctx: AccountContext, record: BulkRecord, limit: number): Promise<number[]> {
  const { id, after_id: after, until_id: until, resource, filter } = record;
  const from = record.has_ids
    ? sql`select each as id from bulk_actions b cross join lateral unnest(b.ids) as each
           where b.account_id = ${ctx.account.id} and b.id = ${id}`
    : sql`select s.id from ${sql.table(itemTables[resource])} as s
           where s.account_id = ${ctx.account.id} and ${await filterOf(ctx, resource, filter ?? {})}`;
  const { rows } = await sql<{ id: number }>`
    select distinct id from (${from}) as found where id > ${after} and id <= ${until} order by id limit ${limit}
  `.execute(ctx.db);
  return rows.map((row) => row.id);
}
