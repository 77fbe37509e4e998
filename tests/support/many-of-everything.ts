import type pg from 'pg';
import { insertProfiles } from './audience.ts';

type Owner = { accountId: number; projectId: number; count: number };

const name = `'Spring ' || md5(n::text) || ' no ' || n`;
const text = `'Your order ' || md5(n::text) || ' is ready, number ' || n`;

/** The columns of each row besides its account, with `project` for the project and `n` for its number. */
const tables: Readonly<Record<string, readonly [columns: string, values: string]>> = {
  segments: ['name, field_path, operator, value, updated_at', `${name}, 'name', 'equals', 'x', now()`],
  campaigns: [
    'project_id, segment_id, name, message, status, total_count, sent_count, updated_at',
    `project, 1, ${name}, 'Hi', 'completed', 100, n % 100, now()`,
  ],
  flows: [
    'project_id, name, message, conditions, duration, frequency, is_active, paced_until, updated_at',
    `project, ${name}, 'Hi', '[]', '{}', '{}', false, now(), now()`,
  ],
  bulk_runs: [
    'project_id, name, message, delay_ms, status, columns, updated_at',
    `project, ${name}, 'Hi', 0, 'completed', '[]', now()`,
  ],
  phones: [
    'project_id, name, number, connector, status_changed_at',
    `project, ${name}, (49300000000 + n)::text, 'sandbox', now()`,
  ],
};

/** An account keeps at most a thousand templates. */
const mostTemplates = 1000;

/** So many profiles with tags, segments, campaigns, flows, bulk runs and phones, straight into the database. */
export async function makeManyOfEverything(database: pg.Pool, owner: Owner): Promise<void> {
  const { accountId, projectId, count } = owner;
  const insert = (table: string, [columns, values]: readonly [string, string], rows: number) =>
    database.query(
      `insert into ${table} (account_id, ${columns}, created_at)
       select $1, ${values}, now() from generate_series(1, $3::int) n, (select $2::bigint as project) x`,
      [accountId, projectId, rows],
    );
  for (const [table, row] of Object.entries(tables)) await insert(table, row, count);
  const template = ['name, message, updated_at', `${name} || ' ' || $2::text, ${text}, now()`] as const;
  await insert('saved_templates', template, Math.min(count, mostTemplates));
  await insertProfiles(database, accountId, count, { tags: `array['t' || n % 50, 'all']` });
  for (const table of [...Object.keys(tables), 'saved_templates', 'profiles']) await database.query(`analyze ${table}`);
}

/** A message and a conversation with each profile of the account. */
export async function makeManyConversations(database: pg.Pool, owner: Omit<Owner, 'count'>): Promise<void> {
  const { accountId, projectId } = owner;
  await database.query(
    `insert into messages (account_id, project_id, direction, recipient, body, status, created_at, sent_at, source, profile_id)
     select account_id, $2, 'outgoing', phone, ${text}, 'sent', now(), now(), 'api', id
       from (select account_id, phone, id, row_number() over (order by id) as n from profiles where account_id = $1) p`,
    [accountId, projectId],
  );
  await database.query(
    `insert into conversations (account_id, project_id, contact_key, phone, last_message_id, last_message_at)
     select account_id, project_id, phone_key(recipient), recipient, id, created_at from messages
      where account_id = $1 and project_id = $2`,
    [accountId, projectId],
  );
  for (const table of ['messages', 'message_texts', 'conversations']) await database.query(`analyze ${table}`);
}
