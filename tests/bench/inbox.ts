import type pg from 'pg';
import { listConversationMessages, listConversations } from '#contracts/conversations.ts';
import type { Endpoint } from '#contracts/endpoint.ts';
import { searchMessages } from '#contracts/message-search.ts';
import { conversationRoutes } from '#server/modules/messaging/conversations/index.ts';
import { messageRoutes } from '#server/modules/messaging/messages/index.ts';
import type { Route } from '#server/route.ts';
import { insertProfiles } from '#tests/support/audience.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { makeManyConversations } from '#tests/support/many-of-everything.ts';
import type { Bench } from './bench.ts';
import { indexesOf, timesOf } from './lists.ts';
import { percentile } from './measure.ts';

const conversations = 10_000;
const threadMessages = 100_000;
const searchedMessages = 1_000_000;
const otherAccounts = 999;
const messagesOfEach = 100;
const bound = '100 ms of the server, and no table read whole';

const contact = '442071838750';

type Of = { accountId: number; projectId: number };

/** As many messages either way with one person, and a conversation over them. Answers its id. */
async function makeThread(database: pg.Pool, { accountId, projectId }: Of): Promise<number> {
  await database.query(
    `insert into messages (account_id, project_id, direction, sender, recipient, body, status, created_at, sent_at, source)
     select $1, $2, case n % 2 when 0 then 'incoming' else 'outgoing' end, $3, $3, 'Thread line ' || n, 'delivered', now(), now(),
            case n % 2 when 0 then null else 'inbox' end
       from generate_series(1, $4::int) n`,
    [accountId, projectId, contact, threadMessages],
  );
  const { rows } = await database.query<{ id: string }>(
    `insert into conversations (account_id, project_id, contact_key, phone, last_message_id, last_message_at)
     select $1, $2, phone_key($3), $3, max(id), now() from messages where account_id = $1 and recipient = $3 returning id`,
    [accountId, projectId, contact],
  );
  return Number(rows[0]?.id);
}

/** Texts without a profile or a conversation, as programs send them. */
async function makeTexts(database: pg.Pool, { accountId, projectId }: Of): Promise<void> {
  const slice = 100_000;
  for (let done = 0; done < searchedMessages; done += slice) {
    await database.query(
      `insert into messages (account_id, project_id, direction, recipient, body, status, created_at, sent_at, source)
       select $1, $2, 'outgoing', (14155550000 + n % 9000)::text, 'Your parcel ' || md5(n::text) || ' is on its way, number ' || n,
              'delivered', now(), now(), 'api'
         from generate_series($3::int, $4::int) n`,
      [accountId, projectId, done + 1, done + slice],
    );
  }
}

async function makeOthers(database: pg.Pool): Promise<void> {
  await database.query(
    `with made as (
       insert into accounts (name, email, email_key, password_hash, api_key_hash, api_key_sealed)
       select 'Other ' || n, 'other' || n || '@example.com', 'other' || n || '@example.com', '', sha256(n::text::bytea), ''
         from generate_series(1, $1::int) n
       returning id
     ), projects_made as (
       insert into projects (account_id, name, auth_key_hash, auth_key_sealed, webhook_secret_sealed, created_at)
       select id, 'Shop', sha256(('key' || id)::bytea), '', '', now() from made
       returning account_id, id
     )
     insert into messages (account_id, project_id, direction, recipient, body, status, created_at, sent_at, source)
     select p.account_id, p.id, 'outgoing', '14155550123', 'Your parcel is on its way, number ' || n, 'delivered', now(), now(), 'api'
       from projects_made p, generate_series(1, $2::int) n`,
    [otherAccounts, messagesOfEach],
  );
}

type Case = {
  what: string;
  table: string;
  beside?: string;
  endpoint: Endpoint;
  routes: readonly Route[];
  params?: object;
  queries: readonly object[];
};

/** The inbox of 10,000 conversations and a thread of 100,000; texts among 1,000,000 messages, of one account among 1,000. */
export async function benchInbox(bench: Bench): Promise<object[]> {
  await using product = await bench.start({});
  const customer = await signUpSubscriber(product.url);
  const { id: projectId } = await makeProject(customer);
  const of = { accountId: customer.id, projectId };
  await makeOthers(bench.database);
  await insertProfiles(bench.database, customer.id, conversations);
  await makeManyConversations(bench.database, of);
  await makeTexts(bench.database, of);
  const conversationId = await makeThread(bench.database, of);
  // Long after it came: nothing is left to be tidied up while it is measured.
  for (const table of ['messages', 'message_texts', 'conversations'])
    await bench.database.query(`vacuum analyze ${table}`);
  const { rows } = await bench.database.query<{ id: string }>(
    'select id from messages where account_id = $1 and recipient = $2 order by id offset $3 limit 1',
    [customer.id, contact, threadMessages / 2],
  );

  const thread = {
    table: 'messages',
    endpoint: listConversationMessages,
    routes: conversationRoutes,
    params: { conversationId },
  };
  const inbox = { table: 'conversations', beside: 'profiles', endpoint: listConversations, routes: conversationRoutes };
  // Nothing is sent.
  const texts = { table: 'message_texts', endpoint: searchMessages, routes: messageRoutes({} as never) };
  const ofProject = { project_id: projectId, limit: 50 };
  const typed = (...searches: string[]) => searches.map((search) => ({ ...ofProject, search }));
  const cases: readonly Case[] = [
    { ...thread, what: 'a thread of 100,000 opens', queries: [{ limit: 50 }] },
    { ...thread, what: 'a page in its middle', queries: [{ limit: 50, after: String(rows[0]?.id) }] },
    { ...inbox, what: 'an inbox of 10,000 opens', queries: [ofProject] },
    {
      ...inbox,
      what: 'those of it that are unread, and done',
      queries: ['unread', 'done'].map((status) => ({ ...ofProject, status })),
    },
    {
      ...inbox,
      what: 'it is searched',
      queries: typed('number 4321', 'parcel', 'zebra'),
    },
    { ...texts, what: 'a rare text among 1,000,000', queries: typed('number 654321', 'zebra', 'parcel aa') },
    { ...texts, what: 'a text that nearly all have', queries: typed('parcel', 'on its way') },
    { ...texts, what: 'a name, and a number with 100,000', queries: typed('person 4321', contact) },
  ];
  const urlsOf = ({ endpoint, queries }: Case) => {
    const path = endpoint.path.replace('{conversationId}', String(conversationId));
    return queries.map((query) => `${path}?${new URLSearchParams(query as Record<string, string>).toString()}`);
  };
  // A process that has just started is slow at first, at whatever is asked for first.
  await timesOf(customer, product.url, ['/api/user/me', ...cases.flatMap(urlsOf)]);
  const baseline = await timesOf(customer, product.url, ['/api/user/me']);
  const figures: object[] = [];
  for (const each of cases) {
    const { what, params = {}, queries, ...list } = each;
    const times = await timesOf(customer, product.url, urlsOf(each));
    const indexes = await indexesOf(bench.database, { customer, params, list, queries });
    if (indexes.includes('seq scan')) process.exitCode = 1;
    figures.push({
      what,
      figure: `p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms`,
      baseline: `who am I: ${percentile(baseline, 0.5).toFixed(1)} ms`,
      bound,
      indexes: indexes.join(', '),
    });
  }
  return figures;
}
