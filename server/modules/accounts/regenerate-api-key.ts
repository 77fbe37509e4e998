import type { AccountContext } from '#server/context.ts';
import { createApiKey } from './api-key.ts';

/** The old key stops with the statement that stores the new one. */
export async function regenerateApiKey(ctx: AccountContext): Promise<{ api_key: string }> {
  const { apiKey, columns } = createApiKey(ctx.secrets);
  await ctx.db.updateTable('accounts').set(columns).where('id', '=', ctx.account.id).execute();
  return { api_key: apiKey };
}
