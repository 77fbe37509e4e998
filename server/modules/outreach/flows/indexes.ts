import type { ConcurrentIndex } from '#server/platform/db/concurrent-indexes.ts';
import { carriedMediaIndex, nameIndexes } from '#server/platform/db/common-indexes.ts';
import type { FlowTables } from './tables.ts';

/** Indexes added after the first release, on tables that are large by then. */
export const flowIndexes: readonly ConcurrentIndex<keyof FlowTables>[] = [
  {
    name: 'flow_profiles_by_phone',
    table: 'flow_profiles',
    isUnique: true,
    columns: '(account_id, flow_id, phone_key) where phone_key is not null',
  },
  // Profiles whose frequency has run out meanwhile, without those whose message is on its way.
  {
    name: 'flow_profiles_by_time',
    table: 'flow_profiles',
    columns: `(account_id, flow_id, last_at) where last_at < 'infinity'`,
  },
  // Few among many that were sent.
  {
    name: 'flow_deliveries_unsent',
    table: 'flow_deliveries',
    columns: `(account_id, flow_id, status, id) where status in ('failed', 'skipped')`,
  },
  {
    name: 'flow_deliveries_by_message',
    table: 'flow_deliveries',
    columns: '(account_id, flow_id, message_id) where message_id is not null',
  },
  // For whoever looks for the number that a message went to. Filling a ledger with its people costs it nothing, and the
  // planner looks for nothing else here, also in a ledger that has no statistics yet.
  {
    name: 'flow_deliveries_by_number',
    table: 'flow_deliveries',
    columns: '(account_id, flow_id, phone) where message_id is not null and phone is not null',
  },
  {
    name: 'flow_deliveries_by_profile',
    table: 'flow_deliveries',
    columns: '(account_id, flow_id, profile_id) where profile_id is not null',
  },
  ...nameIndexes('flows'),
  carriedMediaIndex('flows'),
];
