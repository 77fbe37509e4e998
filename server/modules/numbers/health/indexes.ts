import type { ConcurrentIndex } from '#server/platform/db/concurrent-indexes.ts';
import type { PhoneHealthTables } from './tables.ts';

/** Those since the first release, of tables that are large by then. */
export const phoneHealthIndexes: readonly ConcurrentIndex<keyof PhoneHealthTables>[] = [
  // Who has to write first: a phone of which nobody does is asked for with every message.
  {
    name: 'phone_contacts_refused',
    table: 'phone_contacts',
    columns: '(phone_id) where refused_at is not null',
  },
];
