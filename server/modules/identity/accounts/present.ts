import type { User } from '#contracts/accounts.ts';
import type { SecretBox } from '#server/platform/secrets.ts';
import { openApiKey } from './api-key.ts';
import type { AccountRow } from './queries.ts';

export function presentUser(row: AccountRow, secrets: SecretBox): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    api_key: openApiKey(secrets, row),
    timezone: row.timezone,
    default_country: row.default_country,
    email_confirmed: row.email_unconfirmed_since === null,
    messages_kept_days: row.messages_kept_days,
    created_at: row.created_at.toISOString(),
  };
}
