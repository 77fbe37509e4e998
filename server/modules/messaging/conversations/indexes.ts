import type { ConcurrentIndex } from '#server/platform/db/concurrent-indexes.ts';
import type { ConversationTables } from './tables.ts';

/** Indexes added after the first release, on tables that are large by then. */
export const conversationIndexes: readonly ConcurrentIndex<keyof ConversationTables>[] = [
  {
    name: 'conversations_assigned',
    table: 'conversations',
    columns: '(account_id, assigned_to, last_message_id) where assigned_to is not null',
  },
  {
    name: 'conversations_snoozed',
    table: 'conversations',
    columns: '(snoozed_until) where snoozed_until is not null',
  },
  {
    name: 'conversations_of_account_snoozed',
    table: 'conversations',
    columns: '(account_id, snoozed_until) where snoozed_until is not null',
  },
  { name: 'conversations_labelled', table: 'conversations', columns: `using gin (label_ids) where label_ids <> '{}'` },
];
