import type { UserContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { createApiKey } from './api-key.ts';
import type { Origin } from './origin.ts';
import { recordSecurityEvent } from './security-events/record-security-event.ts';

/** The old key stops with the statement that stores the new one. */
export async function regenerateApiKey(ctx: UserContext, { origin }: { origin: Origin }): Promise<{ api_key: string }> {
  const { apiKey, columns } = createApiKey(ctx.secrets);
  await inTransaction(ctx, async (tx) => {
    await tx.db.updateTable('accounts').set(columns).where('id', '=', tx.account.id).execute();
    await recordSecurityEvent(tx, { accountId: tx.account.id, type: 'api_key_rotated', origin });
  });
  return { api_key: apiKey };
}
