import type { Tx } from '#server/context.ts';
import { removeAllAccountKeysOf, replaceApiKeysOf } from '#server/modules/identity/accounts/index.ts';
import type { Origin } from './origin.ts';
import { recordSecurityEvent } from './security-events/record-security-event.ts';

/** The api_keys that the person made are replaced, and the other keys of accounts that they made stop. */
export async function endAllKeysOf(tx: Tx, userId: number, origin: Origin): Promise<void> {
  for (const accountId of await replaceApiKeysOf(tx, userId)) {
    await recordSecurityEvent(tx, { accountId, type: 'api_key_rotated', origin });
  }
  for (const { accountId, name } of await removeAllAccountKeysOf(tx, userId)) {
    await recordSecurityEvent(tx, { accountId, type: 'account_key_deleted', origin, detail: name });
  }
}
