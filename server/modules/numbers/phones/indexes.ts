import type { ConcurrentIndex } from '#server/platform/db/concurrent-indexes.ts';
import type { PhoneNumberTables } from './tables.ts';

/** Indexes added after the first release, on tables that are large by then. */
export const phoneNumberIndexes: readonly ConcurrentIndex<keyof PhoneNumberTables>[] = [
  {
    name: 'phones_by_folded_words',
    table: 'phones',
    columns: `using gin (account_id, (' ' || fold_text(coalesce(name, '') || ' ' || coalesce(number, ''))) gin_trgm_ops)`,
    replaces: 'phones_by_words',
  },
  {
    name: 'cloud_numbers_signed_up',
    table: 'cloud_numbers',
    columns: '(business_account_id) where operator_app_id is not null',
  },
];
