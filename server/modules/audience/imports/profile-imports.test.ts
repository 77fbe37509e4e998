import { ReadableStream } from 'node:stream/web';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { previewFlowCount } from '#contracts/flows.ts';
import type { Problem } from '#contracts/problem.ts';
import {
  checkProfileImport,
  deleteProfileImport,
  getProfileImport,
  listImportRows,
  listProfileImports,
  runProfileImport,
} from '#contracts/profile-imports.ts';
import type { ProfileImport } from '#contracts/profile-imports.ts';
import type { ColumnType } from '#contracts/column-types.ts';
import { listFields } from '#contracts/fields.ts';
import { createTopic, getNumberTopics } from '#contracts/topics.ts';
import { createProfile, exportProfiles, listProfiles } from '#contracts/profiles.ts';
import { updateCurrentUser } from '#contracts/accounts.ts';
import { addSuppression, listSuppressions } from '#contracts/suppressions.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { asOwner } from '#tests/support/as-owner.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { patience } from '#tests/support/patience.ts';
import { untilSomebodyWaits } from '#tests/support/until-somebody-waits.ts';
import { createTestClock } from '#tests/support/test-clock.ts';

type FileBody = string | Uint8Array | ReadableStream;

const clock = createTestClock();
let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication({ clock });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

async function post(customer: Customer, body: FileBody, contentType = 'text/csv'): Promise<Response> {
  return fetch(`${app.url}/api/profiles/import?file_name=people.csv`, {
    method: 'POST',
    headers: { authorization: customer.token, 'content-type': contentType },
    body,
    duplex: 'half',
  });
}

async function upload(customer: Customer, csv: FileBody): Promise<ProfileImport> {
  const response = await post(customer, csv);
  if (response.status !== 201) throw new Error(`The upload was answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as ProfileImport;
}

const get = async (customer: Customer, importId: number) =>
  (await customer.api.call(getProfileImport, { params: { importId } })).body;

/** Waits until nothing runs any more. */
async function finished(customer: Customer, { id }: { id: number }): Promise<ProfileImport> {
  return vi.waitFor(
    async () => {
      const now = await get(customer, id);
      expect(now.finished_at).not.toBeNull();
      return now;
    },
    { ...patience, interval: 20 },
  );
}

async function run(customer: Customer, { id }: { id: number }): Promise<ProfileImport> {
  await customer.api.call(runProfileImport, { params: { importId: id }, body: {} });
  return finished(customer, { id });
}

async function check(customer: Customer, { id, columns }: ProfileImport): Promise<ProfileImport> {
  const fields = columns.map(({ field }) => field);
  await customer.api.call(checkProfileImport, { params: { importId: id }, body: { fields } });
  return finished(customer, { id });
}

async function profilesOf(customer: Customer) {
  return (await customer.api.call(listProfiles, { query: { sort: 'id', order: 'asc' } })).body.data;
}

async function rejectedOf(customer: Customer, importId: number): Promise<string[]> {
  const response = await fetch(`${app.url}/api/profiles/imports/${importId}/rejected`, {
    headers: { authorization: customer.token },
  });
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  return (await response.text()).trimEnd().split('\r\n');
}

const people = [
  'Phone,Name,Email,Plan',
  '+14155550101,Ada,ada@example.com,pro',
  '+14155550102,Grace,,free',
  '12,Nobody,,',
  '+14155550103,Alan',
  '+1 415 555 0101,Ada again,,',
  '+14155550104,Edsger,nobody,',
].join('\n');

describe('an import', () => {
  test('shows what is in the file and guesses where it goes', async () => {
    const customer = await signUpSubscriber(app.url);
    const uploaded = await upload(customer, people);
    expect(uploaded).toMatchObject({
      file_name: 'people.csv',
      status: 'ready',
      total_rows: 6,
      processed_rows: 0,
      columns: [
        { header: 'Phone', samples: ['+14155550101', '+14155550102', '12'], field: 'phone' },
        { header: 'Name', samples: ['Ada', 'Grace', 'Nobody'], field: 'name' },
        { header: 'Email', samples: ['ada@example.com', 'nobody'], field: 'email' },
        { header: 'Plan', samples: ['pro', 'free'], field: 'custom_fields.plan' },
      ],
    });
    expect((await customer.api.call(listProfileImports)).body.data).toEqual([uploaded]);
  });

  test('puts on the list who opted out, by any of the ways a file says so, and takes nobody off', async () => {
    const customer = await signUpSubscriber(app.url);
    for (const phone of ['14155550105', '14155550106']) await customer.api.call(createProfile, { body: { phone } });
    await customer.api.call(addSuppression, { body: { phone: '14155550106' } });
    const file = await upload(
      customer,
      [
        'Phone,Status,Opted out,custom_fields.opted_out',
        '14155550101,,yes,',
        '14155550102,Unsubscribed,,',
        '14155550103,,,true',
        '14155550104,,no,',
        '14155550105,,yes,',
        '14155550106,active,no,',
      ].join('\n'),
    );
    const optedOut = async () => {
      const { body } = await customer.api.call(listProfiles, { query: { opted_out: 'true', order: 'asc' } });
      return body.data.map(({ phone }) => phone);
    };
    const counts = { new: 4, updated: 1, skipped: 1, invalid: 0 };
    expect(await check(customer, file)).toMatchObject({ counts });
    expect(await optedOut()).toEqual(['14155550106']);
    expect(await run(customer, file)).toMatchObject({ status: 'completed', counts });
    expect((await optedOut()).toSorted()).toEqual([1, 2, 3, 5, 6].map((n) => `1415555010${n}`));
    const { body } = await customer.api.call(listSuppressions, { query: { by: 'import' } });
    expect(body.data.length).toBe(4);
  });

  test('can be checked row by row, which changes nothing', async () => {
    const customer = await signUpSubscriber(app.url);
    await customer.api.call(createProfile, { body: { phone: '14155550102', name: 'Grace Hopper' } });
    const uploaded = await upload(customer, people);
    const checked = await check(customer, uploaded);
    expect(checked).toMatchObject({
      status: 'checked',
      processed_rows: 6,
      counts: { new: 2, updated: 1, skipped: 0, invalid: 3 },
    });
    const params = { importId: uploaded.id };
    const { body: report } = await customer.api.call(listImportRows, { params, query: {} });
    expect(report.data.map(({ row, outcome, reason }) => [row, outcome, reason])).toEqual([
      [1, 'new', null],
      [2, 'updated', null],
      [3, 'invalid', 'Invalid number'],
      [4, 'invalid', 'The row has 2 cells where the header has 4'],
      [5, 'invalid', 'Row 1 has the same number'],
      [6, 'new', null],
    ]);
    const { body: invalid } = await customer.api.call(listImportRows, {
      params,
      query: { outcome: 'invalid', pageSize: 2, page: 2 },
    });
    expect([invalid.total, invalid.data.map(({ row }) => row)]).toEqual([3, [5]]);
    expect((await profilesOf(customer)).map(({ name }) => name)).toEqual(['Grace Hopper']);
  });

  test('keeps who has a bad email, without it, and counts and says so', async () => {
    const customer = await signUpSubscriber(app.url);
    const uploaded = await upload(customer, people);
    const checked = await check(customer, uploaded);
    expect(checked.noted_rows).toBe(1);
    expect(checked.columns.map(({ unread_cells: count }) => count)).toEqual([0, 0, 1, 0]);
    const { body } = await customer.api.call(listImportRows, {
      params: { importId: uploaded.id },
      query: { outcome: 'noted' },
    });
    expect(body).toMatchObject({ total: 1, data: [{ row: 6, outcome: 'new' }] });
    expect(body.data[0]?.notes).toEqual(['Email: “nobody” is not an email address']);
    expect((await run(customer, uploaded)).noted_rows).toBe(1);
  });

  test('reads numbers as other calls do, suggests the country of most, and counts those that are not assignable', async () => {
    const customer = await signUpSubscriber(app.url);
    await customer.api.call(updateCurrentUser, { body: { default_country: null } });
    await customer.api.call(createProfile, { body: { phone: '+41 5555 0199', name: 'Known' } });
    const csv = 'phone,name\n351912100016,Ana\n912 100 017,Bea\n41446681800,Cai\n4155550199,Known\n415 555 0188,Eve\n';
    const uploaded = await upload(customer, csv);
    expect(uploaded.columns.map(({ suggested_country: country }) => country)).toEqual(['PT', null]);
    expect(await check(customer, uploaded)).toMatchObject({ unassignable_numbers: 3, counts: { new: 4, skipped: 1 } });

    const params = { importId: uploaded.id };
    await customer.api.call(checkProfileImport, { params, body: { fields: ['phone', 'name'], country_code: 'PT' } });
    expect(await finished(customer, uploaded)).toMatchObject({ unassignable_numbers: 2, noted_rows: 2 });
    const { body } = await customer.api.call(listImportRows, { params, query: { outcome: 'noted' } });
    expect(body.data.map(({ row, notes }) => [row, notes])).toEqual([
      [4, ['phone: “4155550199” is not an assignable number: it is kept as +4155550199']],
      [5, ['phone: “415 555 0188” is not an assignable number: it is kept as +4155550188']],
    ]);
    await run(customer, uploaded);
    expect(new Set((await profilesOf(customer)).map(({ phone }) => phone))).toEqual(
      new Set(['351912100016', '351912100017', '41446681800', '4155550199', '4155550188']),
    );
  });

  test('reads columns as the types that the plan gives them', async () => {
    const customer = await signUpSubscriber(app.url);
    const csv = [
      'phone,signup,visits,vip,zip',
      '14155550111,01/09/1999,12,yes,00501',
      '14155550112,15/09/2999,7,no,00502',
      '14155550113,soon,"1,234",perhaps,00503',
    ].join('\n');
    const uploaded = await upload(customer, csv);
    expect(uploaded.columns.map(({ type }) => type)).toEqual(['text', 'text', 'text', 'text', 'text']);
    const clean = await upload(customer, csv.split('\n').slice(0, 3).join('\n'));
    const suggested = clean.columns.map(({ suggested_type: type }) => type);
    expect(suggested).toEqual(['text', 'date_dmy', 'number', 'yes_no', 'text']);

    const params = { importId: uploaded.id };
    const plan = { fields: uploaded.columns.map(({ field }) => field), types: suggested };
    await customer.api.call(checkProfileImport, { params, body: plan });
    const checked = await finished(customer, uploaded);
    expect(checked).toMatchObject({ counts: { new: 3, invalid: 0 }, noted_rows: 1 });
    expect(checked.columns.map(({ type, unread_cells: count }) => [type, count])).toEqual([
      ['text', 0],
      ['date_dmy', 1],
      ['number', 1],
      ['yes_no', 1],
      ['text', 0],
    ]);
    const done = await run(customer, uploaded);
    expect(done).toMatchObject({ counts: { new: 3, invalid: 0 }, noted_rows: 1 });
    expect((await profilesOf(customer)).map(({ custom_fields: fields }) => fields)).toEqual([
      { signup: '1999-09-01', visits: 12, vip: true, zip: '00501' },
      { signup: '2999-09-15', visits: 7, vip: false, zip: '00502' },
      { zip: '00503' },
    ]);
    const conditions = [{ fieldPath: 'custom_fields.signup', operator: 'before_hours_ago' as const, value: '0' }];
    expect((await customer.api.call(previewFlowCount, { body: { conditions } })).body.count).toBe(1);
    const short = await customer.api.refuse(checkProfileImport, { params, body: { ...plan, types: ['text'] } });
    expect([short.status, short.body.message]).toEqual([422, 'The file has 5 columns']);
  });

  test('creates and updates profiles, and gives the rejected rows back', async () => {
    const customer = await signUpSubscriber(app.url);
    await customer.api.call(createProfile, { body: { phone: '14155550102', name: 'G', custom_fields: { seats: 3 } } });
    const uploaded = await upload(customer, people);
    const done = await run(customer, uploaded);
    expect(done).toMatchObject({
      status: 'completed',
      processed_rows: 6,
      counts: { new: 2, updated: 1, skipped: 0, invalid: 3 },
    });
    expect(await profilesOf(customer)).toMatchObject([
      { phone: '14155550102', name: 'Grace', custom_fields: { seats: 3, plan: 'free' } },
      { phone: '14155550101', name: 'Ada', email: 'ada@example.com', status: 'active', custom_fields: { plan: 'pro' } },
      { phone: '14155550104', name: 'Edsger', email: null },
    ]);
    expect(await rejectedOf(customer, uploaded.id)).toEqual([
      'row,reason,Phone,Name,Email,Plan',
      '3,Invalid number,12,Nobody,,',
      "4,The row has 2 cells where the header has 4,'+14155550103,Alan",
      "5,Row 1 has the same number,'+1 415 555 0101,Ada again,,",
    ]);
  });

  test('rejected rows come again with the columns that they had', async () => {
    const customer = await signUpSubscriber(app.url);
    const uploaded = await upload(customer, 'phone,@handle\n12,ada\n');
    await run(customer, uploaded);
    const again = await upload(customer, (await rejectedOf(customer, uploaded.id)).join('\n'));
    expect(again.columns.map(({ header, field }) => [header, field])).toEqual([
      ['row', null],
      ['reason', null],
      ['phone', 'phone'],
      ['@handle', 'custom_fields.@handle'],
    ]);
  });

  test('of the same file again changes nothing', async () => {
    const customer = await signUpSubscriber(app.url);
    await run(customer, await upload(customer, people));
    const before = await profilesOf(customer);
    clock.advance(1000);
    const again = await run(customer, await upload(customer, people));
    expect(again.counts).toEqual({ new: 0, updated: 0, skipped: 3, invalid: 3 });
    expect(await profilesOf(customer)).toEqual(before);
  });

  test('of an export changes nothing', async () => {
    const customer = await signUpSubscriber(app.url);
    const bodies = [
      {
        phone: '0151 23456789',
        country_code: 'DE',
        name: '=Ada',
        custom_fields: { n: 10, ok: true, list: [1], deep: { 'a.b': '-5' } },
      },
      { phone: '999123456789', name: "'+x", email: 'a@example.com' },
    ];
    for (const body of bodies) await customer.api.call(createProfile, { body });
    const before = await profilesOf(customer);
    clock.advance(1000);
    const csv = await (
      await fetch(app.url + exportProfiles.path, { headers: { authorization: customer.token } })
    ).text();
    const done = await run(customer, await upload(customer, csv));
    expect(done.counts).toEqual({ new: 0, updated: 0, skipped: 2, invalid: 0 });
    expect(await profilesOf(customer)).toEqual(before);
  });

  test('keeps what others change, delete and make while it waits for them', async () => {
    const customer = await signUpSubscriber(app.url);
    const made = ['14155550101', '14155550102', '14155550103'].map(async (phone) => {
      const { body } = await customer.api.call(createProfile, { body: { phone, custom_fields: { plan: 'free' } } });
      return body.id;
    });
    const [changed, deleted, untouched] = await Promise.all(made);
    const file = await upload(
      customer,
      'phone,name\n14155550101,Ada\n14155550102,Grace\n14155550103,Joan\n14155550104,Edsger\n',
    );
    const other = await app.ctx.pool.connect();
    await other.query('begin');
    await other.query(`update profiles set custom_fields = '{"plan":"pro"}' where id = $1`, [changed]);
    await other.query('delete from profiles where id = $1', [deleted]);
    const imported = run(customer, file);
    await untilSomebodyWaits(app.ctx.pool);
    await other.query('commit');
    other.release();
    expect((await imported).counts).toMatchObject({ new: 2, updated: 2 });
    const { body: profiles } = await customer.api.call(listProfiles, { query: {} });
    expect(profiles.data.map(({ phone, name, custom_fields: fields }) => ({ phone, name, fields }))).toEqual(
      expect.arrayContaining([
        { phone: '14155550101', name: 'Ada', fields: { plan: 'pro' } },
        { phone: '14155550102', name: 'Grace', fields: null },
        { phone: '14155550103', name: 'Joan', fields: { plan: 'free' } },
        { phone: '14155550104', name: 'Edsger', fields: null },
      ]),
    );
    expect(profiles.data.map(({ id }) => id)).toEqual(expect.arrayContaining([changed, untouched]));
  });

  test('of many rows goes on where a stopped process left off', async () => {
    await using first = await startTestApplication({ clock });
    const customer = await signUpSubscriber(first.url);
    const rows = Array.from({ length: 5_000 }, (_, index) => `${14_155_600_000 + index},Person ${index}`);
    const response = await fetch(`${first.url}/api/profiles/import`, {
      method: 'POST',
      headers: { authorization: customer.token, 'content-type': 'text/csv' },
      body: ['phone,name', ...rows].join('\n'),
    });
    const { id } = (await response.json()) as ProfileImport;
    await customer.api.call(runProfileImport, { params: { importId: id }, body: {} });
    await vi.waitFor(async () => {
      const { rows: progress } = await first.ctx.pool.query('select 1 from profile_imports where next_chunk > 0');
      expect(progress).toHaveLength(1);
    }, patience);
    await first.stop();
    await using second = await startTestApplication({ clock, connectionString: first.connectionString });
    await vi.waitFor(async () => {
      const { rows: records } = await second.ctx.pool.query<object>(
        'select status, processed_rows, new_rows, skipped_rows, (select count(*) from profiles) as profiles from profile_imports',
      );
      expect(records).toEqual([
        { status: 'completed', processed_rows: 5_000, new_rows: 5_000, skipped_rows: 0, profiles: 5_000 },
      ]);
    }, patience);
  });

  test('with another plan: fields, country and columns left out', async () => {
    const customer = await signUpSubscriber(app.url);
    const { id } = await upload(customer, 'nummer;wer;notiz\n0151 23456789;Konrad;geheim\n');
    const params = { importId: id };
    const refused = await customer.api.refuse(runProfileImport, { params, body: {} });
    expect([refused.status, refused.body.message]).toEqual([422, 'Choose the column with the phone number']);
    await customer.api.call(runProfileImport, {
      params,
      body: { fields: ['phone', 'name', null], country_code: 'DE' },
    });
    expect((await finished(customer, { id })).counts.new).toBe(1);
    expect(await profilesOf(customer)).toMatchObject([{ phone: '4915123456789', name: 'Konrad', custom_fields: null }]);
  });

  test('is forgotten once deleted; its profiles stay', async () => {
    const customer = await signUpSubscriber(app.url);
    const { id } = await run(customer, await upload(customer, people));
    expect((await customer.api.call(deleteProfileImport, { params: { importId: id } })).status).toBe(204);
    expect((await customer.api.refuse(getProfileImport, { params: { importId: id } })).status).toBe(404);
    expect(await profilesOf(customer)).toHaveLength(3);
  });
});

describe('a file that cannot be read is refused and nothing is kept:', () => {
  test.each<[string, FileBody, string]>([
    ['an empty one', '', 'CSV appears empty or invalid'],
    ['a header alone', 'phone,name\n', 'CSV appears empty or invalid'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]), 'The file is not text'],
    ['a file with NUL', Buffer.from('phone\n141\u00005550101\n'), 'The file is not text'],
    [
      'an open quotation mark',
      'phone,name\n14155550101,"Ada\n14155550102,Grace\n',
      'The quotation mark that opens in line 2 is never closed',
    ],
    [
      'a header of 10 MB',
      `phone${'x'.repeat(10_000_000)}\n1\n`,
      'The header row cannot be read: Column 1 has more than 32768 characters',
    ],
  ])('%s', async (_name, body, message) => {
    const customer = await signUpSubscriber(app.url);
    const response = await post(customer, body);
    const problem = (await response.json()) as Problem;
    expect([response.status, problem.code, problem.message]).toEqual([422, 'invalid_csv', message]);
    expect((await customer.api.call(listProfileImports)).body.data).toEqual([]);
  });

  test('an upload of another type', async () => {
    const customer = await signUpSubscriber(app.url);
    for (const type of ['application/json', 'multipart/form-data; boundary=x']) {
      const response = await post(customer, '{}', type);
      expect([response.status, ((await response.json()) as Problem).code]).toEqual([415, 'unsupported_media_type']);
    }
  });

  test('an upload that breaks off', async () => {
    const customer = await signUpSubscriber(app.url);
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`phone\n${'14155550101\n'.repeat(3_000)}`));
      },
      pull: (controller) => controller.error(new Error('The connection broke')),
    });
    await expect(post(customer, body)).rejects.toThrow();
    await vi.waitFor(async () => {
      const { rows } = await app.ctx.pool.query('select 1 from profile_imports where account_id = $1', [customer.id]);
      expect(rows).toEqual([]);
    }, patience);
  });
});

test('a cell of 10 MB costs its own row alone', async () => {
  const customer = await signUpSubscriber(app.url);
  const uploaded = await upload(customer, `phone,name\n14155550101,"${'x'.repeat(10_000_000)}"\n14155550102,Grace\n`);
  const done = await run(customer, uploaded);
  expect(done.counts).toEqual({ new: 1, updated: 0, skipped: 0, invalid: 1 });
  const [, rejected = ''] = await rejectedOf(customer, uploaded.id);
  expect(rejected.startsWith('1,Column 2 has more than 32768 characters,14155550101,xxx')).toBe(true);
  expect(rejected.length).toBeLessThan(200);
});

describe('a row that the database refuses', () => {
  const rows = Array.from(
    { length: 600 },
    (_, index) => `${14_155_700_000 + index},${index === 77 ? 'Unstorable' : 'P'}`,
  );
  const file = ['phone,name', ...rows].join('\n');

  async function refuse(name: string) {
    await asOwner(app, `alter table profiles add constraint refused check (name is distinct from '${name}') not valid`);
    return { [Symbol.asyncDispose]: () => asOwner(app, 'alter table profiles drop constraint refused') };
  }

  test('is an error of that row in words, and the import goes on with all others', async () => {
    await using _ = await refuse('Unstorable');
    const customer = await signUpSubscriber(app.url);
    const uploaded = await upload(customer, file);
    const done = await run(customer, uploaded);
    expect(done).toMatchObject({ status: 'completed', counts: { new: 599, updated: 0, skipped: 0, invalid: 1 } });
    expect((await rejectedOf(customer, uploaded.id))[1]).toMatch(/^78,"The row cannot be stored: .+",14155700077,Unst/);
  });

  test('costs nothing of the rows of a file in which none can be stored', async () => {
    await using _ = await refuse('P');
    const customer = await signUpSubscriber(app.url);
    const done = await run(customer, await upload(customer, 'phone,name\n14155550101,P\n14155550102,P\n'));
    expect(done).toMatchObject({ status: 'completed', counts: { new: 0, invalid: 2 } });
  });
});

describe('facts, consents and types', () => {
  const csv = [
    'Phone,Language,Time zone,External id,News,Born,Sizes',
    '+14155550301,pt_br,Europe/Lisbon,crm-1,yes,03/04/1990,"S; M"',
    '+14155550302,klingonish speech,Mars/Base,crm-2,no,31/12/1980,',
    '+14155550303,,,crm-1,perhaps,soon,L',
    '+14155550304,,,crm-9,,,',
  ].join('\n');

  async function planned(customer: Customer) {
    const { id: topicId } = (await customer.api.call(createTopic, { body: { name: 'News' } })).body;
    await customer.api.call(createProfile, { body: { phone: '+14155550399', external_id: 'crm-9' } });
    const uploaded = await upload(customer, csv);
    const fields = uploaded.columns.map(({ field }) => field).with(4, `topics.${topicId}`);
    const types: ColumnType[] = ['text', 'text', 'text', 'text', 'text', 'date_dmy', 'list'];
    return { topicId, uploaded, body: { fields, types } };
  }

  test('are imported with the profiles; a check says as much and changes nothing', async () => {
    const customer = await signUpSubscriber(app.url);
    const { api } = customer;
    const { topicId, uploaded, body } = await planned(customer);
    expect(body.fields.slice(0, 4)).toEqual(['phone', 'language', 'timezone', 'external_id']);
    const params = { importId: uploaded.id };
    await api.call(checkProfileImport, { params, body });
    const checked = await finished(customer, uploaded);
    const counts = { new: 2, updated: 0, skipped: 0, invalid: 2 };
    expect([checked.counts, checked.columns.map((column) => column.unread_cells)]).toEqual([
      counts,
      [0, 1, 1, 0, 0, 0, 0],
    ]);
    expect((await profilesOf(customer)).length).toBe(1);
    expect((await api.call(listFields, { query: { search: 'born' } })).body.data).toEqual([]);

    await api.call(runProfileImport, { params, body });
    expect((await finished(customer, uploaded)).counts).toEqual(counts);
    const rows = (await api.call(listImportRows, { params, query: { outcome: 'invalid' } })).body.data;
    expect(rows.map(({ row, reason }) => [row, reason])).toEqual([
      [3, 'Row 1 has the same external id'],
      [4, 'The external id is that of +14155550399'],
    ]);
    const [, first, second] = await profilesOf(customer);
    expect(first).toMatchObject({
      language: 'pt-BR',
      timezone: 'Europe/Lisbon',
      external_id: 'crm-1',
      custom_fields: { born: '1990-04-03', sizes: ['S', 'M'] },
    });
    expect(second).toMatchObject({ language: null, timezone: null, external_id: 'crm-2' });
    const consents = async (phone: string) =>
      (await api.call(getNumberTopics, { params: { phone } })).body.topics.find((each) => each.topic_id === topicId)
        ?.consent;
    expect([await consents('+14155550301'), await consents('+14155550302')]).toMatchObject([
      { state: 'opted_in' },
      { state: 'opted_out' },
    ]);
    const types = (await api.call(listFields)).body.data.flatMap(({ path, type }) =>
      type === null ? [] : [[path, type]],
    );
    expect(types).toEqual([
      ['custom_fields.born', 'date'],
      ['custom_fields.sizes', 'list'],
    ]);
  });

  test('change nothing a second time, and a consent alone makes a row updated; no import lifts an opt-out', async () => {
    const customer = await signUpSubscriber(app.url);
    const { topicId, uploaded, body } = await planned(customer);
    const params = { importId: uploaded.id };
    await customer.api.call(runProfileImport, { params, body });
    await finished(customer, uploaded);
    expect((await run(customer, uploaded)).counts).toEqual({ new: 0, updated: 0, skipped: 2, invalid: 2 });
    const again = await upload(customer, 'Phone,News\n+14155550301,no\n+14155550302,yes\n+14155550399,yes');
    await customer.api.call(runProfileImport, {
      params: { importId: again.id },
      body: { fields: ['phone', `topics.${topicId}`] },
    });
    expect((await finished(customer, again)).counts).toEqual({ new: 0, updated: 2, skipped: 1, invalid: 0 });
  });

  test('a topic that there is not is a 422', async () => {
    const customer = await signUpSubscriber(app.url);
    const uploaded = await upload(customer, 'Phone,News\n+14155550301,yes');
    for (const field of ['topics.999999', 'topics.x', 'topics']) {
      const { status, body } = await customer.api.refuse(checkProfileImport, {
        params: { importId: uploaded.id },
        body: { fields: ['phone', field] },
      });
      expect([field, status, body.errors?.[0]?.path.split('.')[0]]).toEqual([field, 422, 'fields']);
    }
  });
});
