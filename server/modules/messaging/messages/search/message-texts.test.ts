import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchMessages } from '#contracts/message-search.ts';
import { receiveSandboxMessage } from '#contracts/messages.ts';
import { createProfile } from '#contracts/profiles.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { byText, waysToFind } from './found-by-text.ts';
import type { Way } from './found-by-text.ts';
import { removeOldTexts, takeOverTexts } from './message-texts.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(() => app[Symbol.asyncDispose]());

async function scene() {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const phone = await connectSandboxPhone(customer, project.id);
  const receive = async (from: string, message: string) =>
    (await customer.api.call(receiveSandboxMessage, { params: { phoneId: phone.id }, body: { from, message } })).body;
  const find = async (query: object) =>
    (await customer.api.call(searchMessages, { query })).body.data.map(({ message }) => message);
  const texts = async () => {
    const { rows } = await sql<{ body: string }>`
      select body from message_texts where account_id = ${customer.id} order by message_id`.execute(app.ctx.db);
    return rows.map(({ body }) => body);
  };
  return { customer, project, receive, find, texts };
}

const ada = '14155550132';

test('a message is found by its text, by the name of a person, and by the number of anybody', async () => {
  const { customer, receive, find } = await scene();
  await customer.api.call(createProfile, { body: { phone: ada, name: 'Ada Lindqvist' } });
  await receive(ada, 'Where is my wheelbarrow?');
  await receive('61491570156', 'Is the shop open?');
  expect(await find({ search: 'BARROW' })).toEqual(['Where is my wheelbarrow?']);
  expect(await find({ search: 'lindq' })).toEqual(['Where is my wheelbarrow?']);
  expect(await find({ search: '+61 491 570' })).toEqual(['Is the shop open?']);
  expect(await find({ search: '0132' })).toEqual(['Where is my wheelbarrow?']);
  expect(await find({ search: 'nothing like it' })).toEqual([]);
  expect(await find({ text: 'my' })).toEqual(['Where is my wheelbarrow?']);
});

test('texts follow their messages: changed, deleted, and gone with their month', async () => {
  const { customer, receive, find, texts } = await scene();
  const { id } = await receive(ada, 'First wording');
  const own = sql`account_id = ${customer.id} and id = ${id}`;
  await sql`update messages set body = 'Second wording' where ${own}`.execute(app.ctx.db);
  expect([await find({ text: 'First' }), await find({ text: 'Second' })]).toEqual([[], ['Second wording']]);
  await sql`delete from messages where ${own}`.execute(app.ctx.db);
  expect(await texts()).toEqual([]);
  await sql`insert into message_texts (account_id, message_id, body) values (${customer.id}, 1, 'Long ago')`.execute(
    app.ctx.db,
  );
  await sql`update message_texts set message_id = -4096 where account_id = ${customer.id}`.execute(app.ctx.db);
  await receive(ada, 'Today');
  await removeOldTexts(app.ctx);
  expect(await texts()).toEqual(['today']);
});

test('texts from before, or stored unfolded, are taken over', async () => {
  const { customer, receive, find } = await scene();
  await receive(ada, 'An OLD WheelBarrow');
  const found = () => find({ text: 'wheelBARROW' });
  const asItWasWritten = sql`update message_texts set body = 'An OLD WheelBarrow' where account_id = ${customer.id}`;
  const none = sql`delete from message_texts where account_id = ${customer.id}`;
  for (const before of [asItWasWritten, none]) {
    await before.execute(app.ctx.db);
    await sql`insert into message_text_backfill (account_id) values (${customer.id})`.execute(app.ctx.db);
    expect(await found()).toEqual([]);
    await takeOverTexts(app.ctx);
    expect(await found()).toEqual(['An OLD WheelBarrow']);
  }
});

test('of what is found in several ways each is there once, newest first, whatever else is looked for', async () => {
  const { customer, project } = await scene();
  const { body: parcel } = await customer.api.call(createProfile, { body: { phone: ada, name: 'Parcel Shop' } });
  // Most of the latest have the text alone; older ones came from the shop, one of them with the text.
  const { rows } = await sql<{ id: number; direction: string }>`
    insert into messages (account_id, project_id, direction, recipient, sender, body, status, created_at, source, profile_id)
    select ${customer.id}, ${project.id}, d.direction, ${ada}, ${ada},
           case when n % 10 = 5 or n > 40 then 'A parcel ' || n else 'Hello' end, 'sent', now(), null,
           case when n <= 40 then ${parcel.id}::bigint end
      from generate_series(1, 400) n, lateral (select case when n <= 41 then 'incoming' else 'outgoing' end as direction) d
    returning id, direction`.execute(app.ctx.db);
  const all = rows.toSorted((a, b) => b.id - a.id);
  const pagesOf = async (query: object) => {
    const ids: number[] = [];
    let after: string | undefined;
    do {
      const { body } = await customer.api.call(searchMessages, {
        query: { ...query, search: 'PARCEL', limit: 7, ...(after && { after }) },
      });
      ids.push(...body.data.map(({ id }) => id));
      after = body.next_cursor ?? undefined;
    } while (after);
    return ids;
  };
  expect(await pagesOf({})).toEqual(all.map(({ id }) => id));
  const incoming = all.filter(({ direction }) => direction === 'incoming').map(({ id }) => id);
  expect(await pagesOf({ direction: 'incoming' })).toEqual(incoming);
  expect(await pagesOf({ status: 'failed' })).toEqual([]);
});

test('a search reads its index, however many messages there are', async () => {
  const { customer, project } = await scene();
  await sql`
    insert into messages (account_id, project_id, direction, recipient, body, status, created_at, source)
    select ${customer.id}, ${project.id}, 'outgoing', '14155550177', 'Your order ' || md5(n::text) || ' is on its way',
           'sent', now(), 'api'
      from generate_series(1, 12000) n`.execute(app.ctx.db);
  const owner = new pg.Client({ connectionString: app.ownerConnectionString });
  await owner.connect();
  await owner.query('analyze messages; analyze message_texts');
  await owner.end();
  const planOf = async (way: Way) => {
    const found = way({ accountId: customer.id, after: null, most: 102 });
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${found}`.execute(app.ctx.db);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  expect(await planOf(byText('3c59dc048e8850'))).toContain('message_texts_by_part');
  expect(await planOf(byText('order'))).toContain('message_texts_pkey');
  const [, ofPeople, ofNumbers] = waysToFind('14155550177');
  expect(ofPeople && (await planOf(ofPeople))).toContain('profile_id');
  expect(ofNumbers && (await planOf(ofNumbers))).toMatch(/coalesce/);
});
