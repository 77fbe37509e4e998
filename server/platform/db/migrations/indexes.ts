import type { ConcurrentIndex } from '../concurrent-indexes.ts';

/** Indexes since the first release of tables that are large by then. */
export const indexes: readonly ConcurrentIndex[] = [
  { name: 'profile_fields_gone', table: 'profile_fields', columns: '(account_id) where profiles = 0' },
  {
    name: 'profiles_by_phone_key',
    table: 'profiles',
    isUnique: true,
    columns: '(account_id, phone_key(phone)) where not is_twin',
    // Two profiles of one person from before there was a key: both stay, and the younger gives way.
    prepare: `update profiles set is_twin = true
               where not is_twin and (account_id, id) in (
                 select account_id, id
                   from (select account_id, id,
                                row_number() over (partition by account_id, phone_key(phone) order by id) as place
                           from profiles where phone like '52%' or phone like '54%' or phone like '55%') as written
                  where place > 1)`,
  },
  { name: 'profiles_twins', table: 'profiles', columns: '(account_id, phone_key(phone)) where is_twin' },
  // Of whoever is not kept as a profile: a profile made later finds its messages by it.
  {
    name: 'messages_without_profile',
    table: 'messages',
    columns: `(account_id, phone_key(case direction when 'incoming' then sender else recipient end))
              where profile_id is null`,
  },
  // With the account beside the fields a row is compared as it lies there, and the planner knows from the column's own
  // statistics how many rows match.
  {
    name: 'profiles_by_fields',
    table: 'profiles',
    columns: 'using gin (account_id, custom_fields jsonb_path_ops) with (gin_pending_list_limit = 256)',
    replaces: 'profiles_by_custom_field',
  },
  {
    name: 'flow_profiles_by_phone',
    table: 'flow_profiles',
    isUnique: true,
    columns: '(account_id, flow_id, phone_key) where phone_key is not null',
  },
  // Whose frequency has run out meanwhile; a guard whose message is on its way is none of them.
  {
    name: 'flow_profiles_by_time',
    table: 'flow_profiles',
    columns: `(account_id, flow_id, last_at) where last_at < 'infinity'`,
  },
  // What waits to be tried again: rarely anything.
  {
    name: 'messages_retrying',
    table: 'messages',
    columns: `(phone_id, recipient, id) where status = 'pending' and retry_at is not null`,
  },
  // For the day on which the number behind a LID is learnt.
  { name: 'messages_by_lid', table: 'messages', columns: '(phone_id, from_lid) where from_lid is not null' },
  // The first attempts of a message's events, which go out in their order.
  {
    name: 'webhook_records_first_attempts',
    table: 'webhook_records',
    columns: `(account_id, message_id, id) where status = 'pending' and attempts = 0 and message_id is not null`,
  },
  // By project and the time that they are due.
  {
    name: 'messages_deferred',
    table: 'messages',
    columns: `(account_id, project_id, due_at) where status in ('scheduled', 'deferred')`,
  },
  // Who has to write first: a phone of which nobody does is asked for with every message.
  {
    name: 'phone_contacts_refused',
    table: 'phone_contacts',
    columns: '(phone_id) where refused_at is not null',
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
  // By endpoint: what waits for a dead one is never stepped over to reach another's.
  {
    name: 'webhook_records_due_by_queue',
    table: 'webhook_records',
    columns: `(account_id, (coalesce(endpoint_id, -project_id)), next_attempt_at) where status = 'pending'`,
    replaces: 'webhook_records_due',
  },
  {
    name: 'webhook_records_by_sequence',
    table: 'webhook_records',
    columns: '(account_id, project_id, sequence) where is_event',
  },
  {
    name: 'profiles_by_tags',
    table: 'profiles',
    columns: 'using gin (account_id, tags) with (gin_pending_list_limit = 256)',
  },
  // Lists are searched by words of their names.
  ...(['campaigns', 'flows', 'segments', 'bulk_runs'] as const).flatMap((table) => [
    {
      name: `${table}_by_words`,
      table,
      columns: `using gin (account_id, (' ' || plain_text(name)) gin_trgm_ops)`,
    },
    { name: `${table}_by_name`, table, columns: '(account_id, lower(name), id)' },
  ]),
  {
    name: 'phones_by_words',
    table: 'phones',
    columns: `using gin (account_id, (' ' || plain_text(coalesce(name, '') || ' ' || coalesce(number, ''))) gin_trgm_ops)`,
  },
  // By the file that they carry: it stays while one of them may send it.
  ...(['campaigns', 'flows', 'bulk_runs'] as const).map((table) => ({
    name: `${table}_by_media`,
    table,
    columns: `(account_id, (media ->> 'id')) where media is not null`,
  })),
  // Few among many that were sent.
  {
    name: 'flow_deliveries_unsent',
    table: 'flow_deliveries',
    columns: `(account_id, flow_id, status, id) where status in ('failed', 'skipped')`,
  },
  // Few among many that were sent: those whose message was answered. Bulk runs have theirs.
  {
    name: 'campaign_recipients_by_message',
    table: 'campaign_recipients',
    columns: '(account_id, campaign_id, message_id) where message_id is not null',
  },
  {
    name: 'flow_deliveries_by_message',
    table: 'flow_deliveries',
    columns: '(account_id, flow_id, message_id) where message_id is not null',
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
