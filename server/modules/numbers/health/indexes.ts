import type { ConcurrentIndex } from '#server/platform/db/concurrent-indexes.ts';
import type { PhoneHealthTables } from './tables.ts';

/** Indexes added after the first release, on tables that are large by then. */
export const phoneHealthIndexes: readonly ConcurrentIndex<keyof PhoneHealthTables>[] = [
  // Contacts who have to write first: phones without any are asked about with every message.
  {
    name: 'phone_contacts_refused',
    table: 'phone_contacts',
    columns: '(phone_id) where refused_at is not null',
  },
];
