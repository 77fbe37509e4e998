import { bulkRunIndexes } from '#server/modules/outreach/bulk/indexes.ts';
import { readyCell } from '#server/platform/db/citus/ready-cell.ts';
import { registerCell } from '#server/platform/db/register-cell.ts';
import { campaignIndexes } from '#server/modules/outreach/campaigns/indexes.ts';
import { conversationIndexes } from '#server/modules/messaging/conversations/indexes.ts';
import { eventIndexes } from '#server/modules/audience/events/indexes.ts';
import { flowIndexes } from '#server/modules/outreach/flows/indexes.ts';
import { messageIndexes } from '#server/modules/messaging/messages/indexes.ts';
import { phoneHealthIndexes } from '#server/modules/numbers/health/indexes.ts';
import { phoneLinkIndexes } from '#server/modules/numbers/links/indexes.ts';
import { phoneNumberIndexes } from '#server/modules/numbers/phones/indexes.ts';
import { profileIndexes } from '#server/modules/audience/profiles/indexes.ts';
import { segmentIndexes } from '#server/modules/audience/segments/indexes.ts';
import { officialIndexes } from '#server/modules/messaging/official/indexes.ts';
import { webhookIndexes } from '#server/modules/messaging/webhooks/indexes.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import type { MigrateOptions } from '#server/platform/db/migrate.ts';
import { openSchema } from '#server/platform/db/schema.ts';
import { withServerLock } from '#server/platform/db/server-lock.ts';
import { defaultSchema } from '#server/platform/db/shared-names.ts';
import { admitApplication } from '#server/platform/db/application-role.ts';
import type { ApplicationRole } from '#server/platform/db/application-role.ts';

const indexes = [
  ...bulkRunIndexes,
  ...campaignIndexes,
  ...conversationIndexes,
  ...flowIndexes,
  ...messageIndexes,
  ...officialIndexes,
  ...phoneHealthIndexes,
  ...phoneNumberIndexes,
  ...phoneLinkIndexes,
  ...eventIndexes,
  ...profileIndexes,
  ...segmentIndexes,
  ...webhookIndexes,
];

/** Brings the product's database to the newest schema, with the indexes that the modules declare. */
export function migrateDatabase(connectionString: string, options: MigrateOptions = {}): Promise<string[]> {
  return migrate(connectionString, { ...options, concurrentIndexes: indexes });
}

type PrepareOptions = MigrateOptions & { role?: ApplicationRole | undefined; schema?: string };

/**
 * Makes the database ready for a start: the schema, migrations, indexes, the cell's place among others, and the rights of
 * the application's role where it is another than the owner. Starts at the same time do this one after the other, as grants and index builds of two would wait for
 * each other. `connectionString` is the owner's; answers the migrations that ran.
 */
export async function prepareDatabase(
  connectionString: string,
  { role, schema = defaultSchema, ...options }: PrepareOptions = {},
): Promise<string[]> {
  const own = await openSchema(connectionString, schema);
  return withServerLock(own, 'dovepost start', async () => {
    const ran = await migrateDatabase(own, options);
    await registerCell(connectionString, schema);
    await readyCell(connectionString, schema, role?.name);
    if (role) await admitApplication(own, role);
    return ran;
  });
}
