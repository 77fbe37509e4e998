import type { LinkSettings } from '#contracts/links.ts';
import type { AccountContext } from '#server/context.ts';

export async function getLinkSettings(ctx: AccountContext): Promise<LinkSettings> {
  const row = await ctx.db
    .selectFrom('link_settings')
    .select('domain')
    .where('account_id', '=', ctx.account.id)
    .executeTakeFirst();
  return { domain: row?.domain ?? null, default_url: ctx.config.publicUrl };
}

/** Messages that are handed over from now on have the new one; what was sent keeps its address. */
export async function putLinkSettings(
  ctx: AccountContext,
  { domain }: { domain: string | null },
): Promise<LinkSettings> {
  if (domain === null) await ctx.db.deleteFrom('link_settings').where('account_id', '=', ctx.account.id).execute();
  else {
    await ctx.db
      .insertInto('link_settings')
      .values({ account_id: ctx.account.id, domain })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ domain }))
      .execute();
  }
  return getLinkSettings(ctx);
}
