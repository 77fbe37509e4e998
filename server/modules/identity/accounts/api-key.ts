import { createToken, hashToken } from '#server/platform/secrets.ts';
import type { SecretBox } from '#server/platform/secrets.ts';

export const sealContext = (hash: Buffer) => `account:${hash.toString('hex')}:api_key`;

/** A new key, with what is stored of it: a hash to find it by and the key itself, encrypted, to show it again. */
export function createApiKey(secrets: SecretBox) {
  const apiKey = createToken('apiKey');
  const hash = hashToken(apiKey);
  return { apiKey, columns: { api_key_hash: hash, api_key_sealed: secrets.seal(apiKey, sealContext(hash)) } };
}

export function openApiKey(secrets: SecretBox, stored: { api_key_hash: Buffer; api_key_sealed: Buffer }): string {
  return secrets.open(stored.api_key_sealed, sealContext(stored.api_key_hash));
}
