import type { UserContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { replaceApiKey } from '#server/modules/identity/accounts/index.ts';
import type { Origin } from './origin.ts';
import { recordSecurityEvent } from './security-events/record-security-event.ts';
import { requireSession } from './sessions/sessions.ts';

/** The old key stops with the statement that stores the new one. */
export async function regenerateApiKey(ctx: UserContext, { origin }: { origin: Origin }): Promise<{ api_key: string }> {
  return inTransaction(ctx, async (tx) => {
    const apiKey = await replaceApiKey(tx);
    await requireSession(tx);
    await recordSecurityEvent(tx, { accountId: tx.account.id, type: 'api_key_rotated', origin });
    return { api_key: apiKey };
  });
}
