import { bulkRunIndexes } from '#server/modules/outreach/bulk/indexes.ts';
import { campaignIndexes } from '#server/modules/outreach/campaigns/indexes.ts';
import { flowIndexes } from '#server/modules/outreach/flows/indexes.ts';
import { messageIndexes } from '#server/modules/messaging/messages/indexes.ts';
import { phoneHealthIndexes } from '#server/modules/numbers/health/indexes.ts';
import { phoneNumberIndexes } from '#server/modules/numbers/phones/indexes.ts';
import { profileIndexes } from '#server/modules/audience/profiles/indexes.ts';
import { segmentIndexes } from '#server/modules/audience/segments/indexes.ts';
import { webhookIndexes } from '#server/modules/messaging/webhooks/indexes.ts';
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
