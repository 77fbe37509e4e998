import { bulkRunIndexes } from '#server/modules/bulk-runs/indexes.ts';
import { campaignIndexes } from '#server/modules/campaigns/indexes.ts';
import { flowIndexes } from '#server/modules/flows/indexes.ts';
import { messageIndexes } from '#server/modules/messages/indexes.ts';
import { phoneHealthIndexes } from '#server/modules/phone-health/indexes.ts';
import { phoneNumberIndexes } from '#server/modules/phone-numbers/indexes.ts';
import { profileIndexes } from '#server/modules/profiles/indexes.ts';
import { segmentIndexes } from '#server/modules/segments/indexes.ts';
import { webhookIndexes } from '#server/modules/webhooks/indexes.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import type { MigrateOptions } from '#server/platform/db/migrate.ts';

const indexes = [
  ...bulkRunIndexes,
  ...campaignIndexes,
  ...flowIndexes,
  ...messageIndexes,
  ...phoneHealthIndexes,
  ...phoneNumberIndexes,
  ...profileIndexes,
  ...segmentIndexes,
  ...webhookIndexes,
];

/** Brings the product's database to the newest schema, with the indexes that the modules declare. */
export function migrateDatabase(connectionString: string, options: MigrateOptions = {}): Promise<string[]> {
  return migrate(connectionString, { ...options, concurrentIndexes: indexes });
}
