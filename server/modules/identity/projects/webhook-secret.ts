import { randomBytes } from 'node:crypto';

/** As Standard Webhooks writes a symmetric secret: 24 to 64 random bytes in base64 behind a prefix. */
export function createWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** The context that the stored secret is sealed to. A project's id is not known yet when its row is written. */
export function webhookSecretContext(accountId: number): string {
  return `account:${accountId}:webhook_secret`;
}
