import type { AccountContext } from '#server/context.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import type { TemplateRow } from './present.ts';

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
