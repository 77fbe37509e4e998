import type { Migration } from 'kysely';
import * as accountsToWebhooks from './0001-accounts-to-webhooks.ts';
import * as profiles from './0002-profiles.ts';

/** In the order of their names, which are kept in every database that ran them: add, never rename. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-accounts-to-webhooks': accountsToWebhooks,
  '0002-profiles': profiles,
};
