import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Context } from '#server/context.ts';

/** Tables of an account that its archive has, a file of JSON Lines each, in the order of their primary keys. */
export const archivedTables = [
  'alert_settings',
  'alerts',
  'audit_events',
  'bulk_run_rows',
  'bulk_runs',
  'campaign_recipients',
  'campaigns',
  'conversation_episodes',
  'conversation_labels',
  'conversation_notes',
  'conversations',
  'engagements',
  'event_names',
  'events',
  'field_types',
  'flow_deliveries',
  'flows',
  'invitations',
  'link_clicks',
  'link_settings',
  'links',
  'marketing_stops',
  'media_files',
  'memberships',
  'message_caps',
  'message_clicks',
  'link_totals',
  'message_counts',
  'message_price_list',
  'messages',
  'notification_settings',
  'opt_out_settings',
  'payments',
  'phone_costs',
  'phones',
  'profile_facts',
  'profile_imports',
  'profiles',
  'project_keys',
  'projects',
  'saved_templates',
  'saved_views',
  'segment_counts',
  'segment_moves',
  'segments',
  'source_rules',
  'subscriptions',
  'suppression_log',
  'suppressions',
  'template_counts',
  'topic_consent_log',
  'topic_consents',
  'topics',
  'webhook_endpoints',
  'webhook_records',
  'whatsapp_business_accounts',
  'whatsapp_templates',
] as const;

/** Tables that no archive has, by the reason; a test holds both lists against the database. */
export const leftOut: Readonly<Record<string, readonly string[]>> = {
  'the archives themselves': ['account_exports'],
  'the log of requests is of the server': ['api_requests'],
  'what an undo would put back': ['bulk_action_changes'],
  'work in the background': [
    'audience_watches',
    'audience_work',
    'flow_candidates',
    'profile_changes',
    'profile_states',
    'conversation_presence',
    'notification_causes',
    'push_deliveries',
    'event_keys',
    'kept_contacts',
    'kept_numbers',
    'bulk_actions',
    'cloud_webhooks',
    'conversation_backfill',
    'engagement_backfill',
    'typed_fields',
    'incoming_messages_seen',
    'media_fetches',
    'message_text_backfill',
    'opt_out_confirmations',
    'phone_contacts',
    'phone_leases',
    'phone_histories',
    'phone_questions',
    'profile_adoptions',
    'profile_import_numbers',
    'read_receipts',
    'segment_stays',
    'segment_watchers',
    'segment_watches',
    'waiting_messages',
  ],
  'counts that are added up in bulk_runs': ['bulk_run_tallies'],
  'counts that are added up in campaigns': ['campaign_tallies'],
  'what Meta said of a number': [
    'marketing_caps',
    'number_holds',
    'portfolio_contacts',
    'cloud_notices',
    'scoped_users',
  ],
  'secrets of Meta': ['cloud_numbers'],
  'secrets of a link': ['connector_credentials', 'connector_keys'],
  'what WhatsApp shows of people for a day': ['contact_facts'],
  'names that profiles and conversations have': ['handset_names'],
  'of 24 hours': ['contact_windows', 'idempotent_requests'],
  'of people, for themselves': ['drafts', 'notifications'],
  'counts of events': ['event_accounts', 'event_days', 'event_hours'],
  'who had how many messages of late': ['cap_numbers', 'cap_reservations'],
  'secrets of a person': [
    'oidc_identities',
    'push_subscriptions',
    'passkeys',
    'email_links',
    'password_resets',
    'recovery_codes',
    'remembered_devices',
    'sessions',
    'sign_in_challenges',
    'sign_in_networks',
    'totp_factors',
  ],
  'fingerprints, which say nothing to anybody': ['erased_numbers'],
  'a secret': ['account_keys', 'erasure_keys'],
  'when a key was used last': ['api_key_uses'],
  'follows from flow_deliveries': ['flow_profiles'],
  'counts that are added up in flows': ['flow_tallies'],
  'of 48 hours': ['idempotency_keys'],
  'follows from messages': ['last_writes', 'message_answers', 'message_opt_outs'],
  'where networks have files': ['media_uploads'],
  'the index of messages': ['message_texts'],
  'what WhatsApp said for a day': ['number_checks'],
  'counts of a day': ['number_look_ups', 'phone_sends'],
  'what WhatsApp said of numbers': ['numbers_off_whatsapp'],
  'the log of the operator': ['operator_acts'],
  'counts of reports': ['outcome_holds', 'outcome_hours', 'outcome_minutes', 'outcome_tallies', 'outcome_totals'],
  'what WhatsApp said of a number': ['phone_health', 'phone_signals'],
  'counts of the fields of profiles': ['profile_field_deltas', 'profile_fields'],
  'follows from profiles': ['typed_values'],
  'files that were uploaded, for 7 days': ['profile_import_chunks'],
  'of people, who see theirs': ['security_events'],
  'mails that are owed': ['subscription_notices', 'webhook_notices'],
  'payments in test mode': ['test_orders'],
  'numbers of events': ['webhook_sequences'],
};

const rowsPerRead = 200;

/** Bytes are never text, and secrets are kept as bytes or as digests of them. */
const isSecret = (name: string, type: string) => type === 'bytea' || /_(sealed|hash)$/.test(name);

type Columns = { key: { name: string; type: string }[]; secret: string[] };

async function columnsOf({ db }: Context, table: string): Promise<Columns> {
  const { rows } = await sql<{ name: string; type: string; place: number | null }>`
    select a.attname as name, format_type(a.atttypid, null) as type,
           array_position(i.indkey::int2[], a.attnum) as place
      from pg_attribute a left join pg_index i on i.indrelid = a.attrelid and i.indisprimary
     where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped
  `.execute(db);
  const key = rows
    .filter(({ place }) => place !== null)
    .toSorted((one, other) => (one.place ?? 0) - (other.place ?? 0));
  return { key, secret: rows.filter(({ name, type }) => isSecret(name, type)).map(({ name }) => name) };
}

export async function countRows({ db }: Context, accountId: number, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where account_id = ${accountId}
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** Columns that are kept packed, as they were. `t` is the row. */
const unpacked: Readonly<Record<string, RawBuilder<unknown>>> = {
  webhook_records: sql`|| jsonb_build_object('payload', unpacked_json(t.payload), 'history',
    (select jsonb_agg(unpacked_attempt(attempt) order by place)
       from jsonb_array_elements(t.history) with ordinality as each (attempt, place)))`,
};

type Page = { count: number; lines: string; last: string[] };

/**
 * The account's rows of a table without its secrets, as JSON Lines, a page at a time: each read begins where the last one
 * ended. The database writes them, so that a page is one text here and numbers stay as exact as they are kept.
 */
export async function* readTable(
  ctx: Context,
  { accountId, table }: { accountId: number; table: string },
): AsyncGenerator<Page> {
  const { key, secret } = await columnsOf(ctx, table);
  const names = sql.join(key.map(({ name }) => sql.ref(`t.${name}`)));
  let after: string[] | undefined;
  for (;;) {
    const last = after;
    const isAfter =
      last && sql`and (${names}) > (${sql.join(key.map(({ type }, place) => sql`${last[place]}::${sql.raw(type)}`))})`;
    const { rows } = await sql<Page>`
      with page as (
        select (to_jsonb(t) - ${secret}::text[] ${unpacked[table] ?? sql``})::text as line, array[${names}]::text[] as key,
               row_number() over (order by ${names}) as place
          from ${sql.table(table)} t where account_id = ${accountId} ${isAfter ?? sql``}
         order by ${names} limit ${rowsPerRead}
      )
      select count(*)::int as count, string_agg(line || chr(10), '' order by place) as lines,
             (select key from page order by place desc limit 1) as last
        from page
    `.execute(ctx.db);
    const [page] = rows;
    if (!page || page.count === 0) return;
    yield page;
    after = page.last;
    if (page.count < rowsPerRead) return;
  }
}
