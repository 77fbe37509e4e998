import { createToken, hashToken } from '#server/platform/secrets.ts';
import type { SecretBox } from '#server/platform/secrets.ts';
import { createWebhookSecret, webhookSecretContext } from './webhook-secret.ts';

const authKeyContext = (hash: Buffer) => `project:${hash.toString('hex')}:auth_key`;

/** The stored form of a new auth key: a hash to find it by and the key itself, encrypted, to show it again. */
export function newAuthKey(secrets: SecretBox) {
  const authKey = createToken('authKey');
  const hash = hashToken(authKey);
  return { auth_key_hash: hash, auth_key_sealed: secrets.seal(authKey, authKeyContext(hash)) };
}

export function openAuthKey(secrets: SecretBox, stored: { auth_key_hash: Buffer; auth_key_sealed: Buffer }): string {
  return secrets.open(stored.auth_key_sealed, authKeyContext(stored.auth_key_hash));
}

export function newWebhookSecret(secrets: SecretBox, accountId: number) {
  return { webhook_secret_sealed: secrets.seal(createWebhookSecret(), webhookSecretContext(accountId)) };
}

export function openWebhookSecret(
  secrets: SecretBox,
  stored: { account_id: number; webhook_secret_sealed: Buffer },
): string {
  return secrets.open(stored.webhook_secret_sealed, webhookSecretContext(stored.account_id));
}

type SealedKeys = {
  account_id: number;
  auth_key_hash: Buffer;
  auth_key_sealed: Buffer;
  webhook_secret_sealed: Buffer;
  old_webhook_secret_sealed: Buffer | null;
};

/** All under the current key; undefined where they are already. */
export function resealedKeys(secrets: SecretBox, stored: SealedKeys) {
  const context = webhookSecretContext(stored.account_id);
  const old = stored.old_webhook_secret_sealed;
  const authKey = secrets.reseal(stored.auth_key_sealed, authKeyContext(stored.auth_key_hash));
  const webhookSecret = secrets.reseal(stored.webhook_secret_sealed, context);
  const oldWebhookSecret = old && secrets.reseal(old, context);
  if (!authKey && !webhookSecret && !oldWebhookSecret) return undefined;
  return {
    auth_key_sealed: authKey ?? stored.auth_key_sealed,
    webhook_secret_sealed: webhookSecret ?? stored.webhook_secret_sealed,
    old_webhook_secret_sealed: oldWebhookSecret ?? old,
  };
}
