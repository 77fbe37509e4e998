import type pg from 'pg';

export type Owner = { accountId: number; projectId: number };

const person = `(14155550000 + (n - 1) / 9000 * 10000 + 1001 + (n - 1) % 9000 + 1)::text`;

/** Rows that both releases have. `$1` is the account, `$2` the project, `$3` how many. */
const common = [
  `insert into profiles (account_id, phone, phone_given, country_code, calling_code, national_number, phone_is_valid,
                         name, custom_fields, status, created_at, updated_at)
   select $1, phone, phone, 'US', '1', substr(phone, 2), true, 'Person ' || n, '{"group": "all"}', 'active', now(), now()
     from (select n, ${person} as phone, $2::int from generate_series(1, $3::int) n) p`,
  `insert into messages (account_id, project_id, direction, recipient, body, status, created_at, sent_at)
   select $1, $2, 'outgoing', ${person}, 'Your order number ' || n, 'sent', now(), now()
     from generate_series(1, $3::int) n`,
  `insert into webhook_records (account_id, project_id, event_id, url, type, payload, status, created_at)
   select $1, $2, 'evt_' || n, 'http://127.0.0.1:9/', 'message.sent', '{"data":{"id":' || n || '}}', 'delivered', now()
     from generate_series(1, $3::int) n`,
];

const sinceEndpoints = [
  `insert into conversations (account_id, project_id, contact_key, phone, last_message_id, last_message_at)
   select m.account_id, m.project_id, phone_key(recipient), recipient, id, created_at from messages m
    where m.account_id = $1 and m.project_id = $2 and m.id <> $3
   on conflict do nothing`,
];

/** So many people, messages, deliveries and conversations of the account, as the release's tables have them. */
export async function fill(database: pg.Pool, { accountId, projectId }: Owner, rows: number): Promise<void> {
  const client = await database.connect();
  try {
    await client.query('set statement_timeout = 0');
    const { rows: found } = await client.query(`select to_regclass('conversations') is not null as has_conversations`);
    const statements = [...common, ...(found[0].has_conversations ? sinceEndpoints : [])];
    for (const statement of statements) await client.query(statement, [accountId, projectId, rows]);
    await client.query('analyze');
  } finally {
    await client.query('reset statement_timeout');
    client.release();
  }
}
