import type { ConcurrentIndex } from '#server/platform/db/concurrent-indexes.ts';
import { carriedMediaIndex, nameIndexes } from '#server/platform/db/common-indexes.ts';
import type { CampaignTables } from './tables.ts';

/** Indexes added after the first release, on tables that are large by then. */
export const campaignIndexes: readonly ConcurrentIndex<keyof CampaignTables>[] = [
  // Few among many that were sent: those whose message was answered. Bulk runs have theirs.
  {
    name: 'campaign_recipients_by_message',
    table: 'campaign_recipients',
    columns: '(account_id, campaign_id, message_id) where message_id is not null',
  },
  // For whoever looks for the number that a message went to. Filling a ledger with its people costs it nothing, and the
  // planner looks for nothing else here, also in a ledger that has no statistics yet.
  {
    name: 'campaign_recipients_by_number',
    table: 'campaign_recipients',
    columns: '(account_id, campaign_id, phone) where message_id is not null and phone is not null',
  },
  ...nameIndexes('campaigns'),
  carriedMediaIndex('campaigns'),
];
