import type { ConcurrentIndex } from '#server/platform/db/concurrent-indexes.ts';
import type { MessageTables } from './tables.ts';

/** As `isUnsent` says it, which a declaration may not import: `unsent.test.ts` sees that the queries use these indexes. */
const unsent = `direction = 'outgoing' and sent_at is null and error is null`;

/**
 * Indexes added after the first release, on tables that are large by then. No index of messages is of a status, in its
 * columns or its condition: a message that changes no indexed column is updated in its place (HOT).
 */
export const messageIndexes: readonly ConcurrentIndex<keyof MessageTables>[] = [
  // Of whoever is not kept as a profile: a profile made later finds its messages by it.
  {
    name: 'messages_without_profile',
    table: 'messages',
    columns: `(account_id, phone_key(case direction when 'incoming' then sender else recipient end))
              where profile_id is null`,
  },
  // Messages that wait or are being sent, by their phones.
  { name: 'messages_unsent', table: 'messages', columns: `(phone_id, id) where ${unsent}` },
  // Messages that wait to be tried again: rarely any.
  {
    name: 'messages_tried',
    table: 'messages',
    columns: `(phone_id, recipient, id) where retry_at is not null and ${unsent}`,
  },
  // For the day on which the number behind a LID is learnt.
  { name: 'messages_by_lid', table: 'messages', columns: '(phone_id, from_lid) where from_lid is not null' },
  // Of people whose number is not known yet: rarely any.
  {
    name: 'messages_of_unknown',
    table: 'messages',
    columns: `(phone_id, from_lid) where from_lid is not null
              and coalesce(case when direction = 'incoming' then sender else recipient end, 'lid:') like 'lid:%'`,
  },
  // By project and the time that they are due.
  {
    name: 'messages_without_phone',
    table: 'messages',
    columns: `(account_id, project_id, due_at) where phone_id is null and ${unsent}`,
  },
  // By the file that they carry, for the day on which it goes.
  {
    name: 'messages_by_media',
    table: 'messages',
    columns: `(account_id, (media ->> 'id')) where media is not null`,
  },
  {
    name: 'messages_by_metadata',
    table: 'messages',
    columns: 'using gin (account_id, metadata jsonb_path_ops) where metadata is not null',
  },
  {
    name: 'messages_of_bulk_run',
    table: 'messages',
    columns: '(account_id, bulk_run_id, id) where bulk_run_id is not null',
  },
  // The thread of one person, newest first.
  {
    name: 'messages_of_contact',
    table: 'messages',
    columns: `(account_id, project_id,
               (coalesce(phone_key(case direction when 'incoming' then sender else recipient end), 'lid:' || from_lid)),
               id)`,
  },
];
