import type { Tx } from '#server/context.ts';
import { ConflictError } from '#server/platform/errors.ts';
import { noPassword } from './passwords/password-hash.ts';
import { getUser } from './queries.ts';

/**
 * After a way in was taken away, in its transaction and with the person's row locked. Throws 409 `last_way_in` where none
 * is left: a mail with a link may be out of reach.
 */
export async function requireWayIn(tx: Tx, userId: number): Promise<void> {
  const { password_hash: hash } = await getUser(tx, userId);
  if (hash !== noPassword) return;
  const passkey = await tx.db.selectFrom('passkeys').select('id').where('account_id', '=', userId).executeTakeFirst();
  if (passkey) return;
  const identity = await tx.db
    .selectFrom('oidc_identities')
    .select('subject')
    .where('account_id', '=', userId)
    .where('issuer', '=', tx.identityProvider?.issuer ?? '')
    .executeTakeFirst();
  if (identity) return;
  throw new ConflictError(
    'last_way_in',
    'Nothing else signs you in. Set a password by the link of "Forgot password", or add a passkey, first.',
  );
}
