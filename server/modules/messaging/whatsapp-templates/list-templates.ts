import { sql } from 'kysely';
import type { EndpointInput, EndpointResponse } from '#contracts/endpoint.ts';
import type { listWhatsappTemplates as contract, WhatsappTemplate } from '#contracts/whatsapp-templates.ts';
import type { AccountContext } from '#server/context.ts';
import { findTemplateCounts } from '#server/modules/messaging/counts/index.ts';
import { hasWords } from '#server/platform/db/list-page.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { presentTemplate } from './present.ts';
import type { TemplateRow, Told } from './present.ts';
import { findUsers, usersOf } from './used-by.ts';

type ListTemplates = EndpointInput<typeof contract>['query'];

/** A business account has a bounded number of templates: a page may read them all. */
export async function listWhatsappTemplates(
  ctx: AccountContext,
  { page, pageSize, status, category, language, name, search, ...of }: ListTemplates,
): Promise<EndpointResponse<typeof contract>> {
  const { business_account_id: businessAccountId = null, project_id: projectId = null } = of;
  const asked = sql`whatsapp_templates t
     where t.account_id = ${ctx.account.id}
       and (${status ?? null}::text is null or t.status = ${status ?? null})
       and (${category ?? null}::text is null or t.category = ${category ?? null})
       and (${name ?? null}::text is null or t.name = ${name ?? null})
       and (${language ?? null}::text is null or lower(t.language) = lower(replace(${language ?? null}, '-', '_')))
       and (${businessAccountId}::text is null or t.business_account_id = ${businessAccountId})
       and (${projectId}::bigint is null
            or t.business_account_id in (select n.business_account_id from cloud_numbers n
                                           join phones p on p.account_id = n.account_id and p.id = n.phone_id
                                          where n.account_id = ${ctx.account.id} and p.project_id = ${projectId}))
       and ${hasWords(sql`t.name || ' ' || jsonb_path_query_array(t.components, '$[*].text')::text`, search ?? '')}`;
  const { rows } = await sql<TemplateRow>`
    select t.* from ${asked} order by t.name, t.language, t.id limit ${pageSize} offset ${(page - 1) * pageSize}
  `.execute(ctx.db);
  const counted = await sql<{ total: number }>`select count(*)::int as total from ${asked}`.execute(ctx.db);
  const told = await findTold(ctx, rows);
  return {
    data: rows.map((row) => presentTemplate(row, told(row))),
    total: counted.rows[0]?.total ?? 0,
    page,
    pageSize,
  };
}

async function findTold(ctx: AccountContext, rows: readonly TemplateRow[]): Promise<(row: TemplateRow) => Told> {
  const users = await findUsers(ctx, rows);
  const countsOf = await findTemplateCounts(ctx, rows);
  return (row) => ({ used_by: usersOf(users, row), counts: countsOf(row) });
}

export async function getWhatsappTemplate(ctx: AccountContext, id: number): Promise<WhatsappTemplate> {
  return presentWithUsers(ctx, await getTemplateRow(ctx, id));
}

export async function presentWithUsers(ctx: AccountContext, row: TemplateRow): Promise<WhatsappTemplate> {
  return presentTemplate(row, (await findTold(ctx, [row]))(row));
}

export async function getTemplateRow(ctx: AccountContext, id: number): Promise<TemplateRow> {
  const row = await ctx.db
    .selectFrom('whatsapp_templates')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw new NotFoundError('Template');
  return row;
}
