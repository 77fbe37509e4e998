import { sql } from 'kysely';
import type { SavedTemplate } from '#contracts/saved-templates.ts';
import type { AccountContext } from '#server/context.ts';
import { partOf } from '#server/platform/db/like.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { presentTemplate } from './present.ts';
import type { TemplateRow } from './present.ts';

type ListTemplates = { page: number; pageSize: number; search?: string | undefined };
type Page = { data: SavedTemplate[]; total: number; page: number; pageSize: number };

/** By name. An account has a bounded number of them, so that a search may read them all. */
export async function listTemplates(ctx: AccountContext, { page, pageSize, search }: ListTemplates): Promise<Page> {
  const part = partOf(search ?? '');
  const { rows } = await sql<TemplateRow & { total: number }>`
    select saved_templates.*, (count(*) over ())::int as total from saved_templates
     where account_id = ${ctx.account.id} and (name ilike ${part} or message ilike ${part})
     order by lower(name), id
     limit ${pageSize} offset ${(page - 1) * pageSize}
  `.execute(ctx.db);
  const total = rows[0]?.total ?? (page === 1 ? 0 : await countTemplates(ctx, part));
  return { data: rows.map(presentTemplate), total, page, pageSize };
}

async function countTemplates(ctx: AccountContext, part: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from saved_templates
     where account_id = ${ctx.account.id} and (name ilike ${part} or message ilike ${part})
  `.execute(ctx.db);
  return rows[0]?.count ?? 0;
}

export async function getTemplateRow(ctx: AccountContext, templateId: number): Promise<TemplateRow> {
  const row = await ctx.db
    .selectFrom('saved_templates')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', templateId)
    .executeTakeFirst();
  if (!row) throw new NotFoundError('Template');
  return row;
}

export async function deleteTemplate(ctx: AccountContext, templateId: number): Promise<void> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('saved_templates')
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', templateId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new NotFoundError('Template');
}
