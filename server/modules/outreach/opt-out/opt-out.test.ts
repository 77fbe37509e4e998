import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createProfile,
  deleteProfile,
  exportProfiles,
  getProfile,
  listProfiles,
  updateProfile,
  upsertProfile,
} from '#contracts/profiles.ts';
import type { NewProfile, Profile } from '#contracts/profiles.ts';
import {
  addSuppression,
  getOptOutSettings,
  getSuppression,
  listSuppressions,
  removeSuppression,
  updateOptOutSettings,
} from '#contracts/suppressions.ts';
import type { SuppressionImport } from '#contracts/suppressions.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const phone = '14155550123';

async function listed(customer: Customer, query = {}) {
  return (await customer.api.call(listSuppressions, { query })).body.data.map((entry) => entry.phone);
}

const logOf = async (customer: Customer, number = phone) =>
  (await customer.api.call(getSuppression, { params: { phone: number } })).body.log.map(({ action, by, note }) => [
    action,
    by,
    note,
  ]);

const create = async ({ api }: Customer, body: NewProfile): Promise<Profile> =>
  (await api.call(createProfile, { body })).body;

describe('the list', () => {
  test('a number is put there, and stays as it was when it is put there again', async () => {
    const customer = await signUpSubscriber(app.url);
    const first = await customer.api.call(addSuppression, { body: { phone: '+1 (415) 555-0123', note: 'By mail' } });
    expect(first).toMatchObject({ status: 201, body: { phone, by: 'user', note: 'By mail', evidence: null } });
    const program = customer.api.as({ authorization: customer.apiKey });
    const again = await program.call(addSuppression, { body: { phone, note: 'Another' } });
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(await logOf(customer)).toEqual([['opted_out', 'user', 'By mail']]);
  });

  test('the ways to write one handset are one number', async () => {
    const customer = await signUpSubscriber(app.url);
    for (const number of ['5511987654321', '551187654321', '5215512345678', '525512345678', '5491112345678']) {
      await customer.api.call(addSuppression, { body: { phone: number } });
    }
    expect(await listed(customer)).toEqual(['5491112345678', '5215512345678', '5511987654321']);
    const { body } = await customer.api.call(getSuppression, { params: { phone: '541112345678' } });
    expect(body).toMatchObject({ opted_out: true, suppression: { phone: '5491112345678' } });
  });

  test('an opt-out is lifted only with a reason, which the log keeps', async () => {
    const customer = await signUpSubscriber(app.url);
    await customer.api.call(addSuppression, { body: { phone } });
    const params = { phone };
    const refused = await customer.api.refuse(removeSuppression, { params, query: { reason: ' ' } });
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, 'reason']);
    await customer.api.call(removeSuppression, { params, query: { reason: 'Signed the form' } });
    expect(await listed(customer)).toEqual([]);
    expect(await logOf(customer)).toEqual([
      ['opted_in', 'user', 'Signed the form'],
      ['opted_out', 'user', null],
    ]);
    const gone = await customer.api.refuse(removeSuppression, { params, query: { reason: 'Once more' } });
    expect(gone.status).toBe(404);
  });

  test('pages go on where the last one ended, whatever is added meanwhile', async () => {
    const customer = await signUpSubscriber(app.url);
    for (let n = 1; n <= 5; n += 1) {
      await customer.api.call(addSuppression, { body: { phone: `1415555100${n}` } });
    }
    const { body: first } = await customer.api.call(listSuppressions, { query: { limit: 2 } });
    expect(first.data.map((entry) => entry.phone)).toEqual(['14155551005', '14155551004']);
    await customer.api.call(addSuppression, { body: { phone: '14155551006' } });
    const { body: second } = await customer.api.call(listSuppressions, {
      query: { limit: 3, after: first.next_cursor ?? '' },
    });
    expect(second.data.map((entry) => entry.phone)).toEqual(['14155551003', '14155551002', '14155551001']);
    expect(second.next_cursor).toBeNull();
    expect(await listed(customer, { search: '1003' })).toEqual(['14155551003']);
    expect(await listed(customer, { search: '+1 415 555-1005' })).toEqual(['14155551005']);
    expect(await listed(customer, { search: 'nobody' })).toEqual([]);
    expect(await listed(customer, { by: 'reply' })).toEqual([]);
  });

  test('an account has a list of its own', async () => {
    const [one, other] = [await signUpSubscriber(app.url), await signUpSubscriber(app.url)];
    await one.api.call(addSuppression, { body: { phone } });
    expect(await listed(other)).toEqual([]);
    expect((await other.api.call(getSuppression, { params: { phone } })).body).toEqual({
      phone,
      opted_out: false,
      suppression: null,
      log: [],
    });
    const refused = await other.api.refuse(removeSuppression, { params: { phone }, query: { reason: 'Not mine' } });
    expect(refused.status).toBe(404);
    expect(await listed(one)).toEqual([phone]);
  });

  test.each(['', '123', '+0 123 456 789', 'abc'])('%j is no number', async (given) => {
    const customer = await signUpSubscriber(app.url);
    const { status, body } = await customer.api.refuse(addSuppression, { body: { phone: given } });
    expect([status, body.code]).toEqual([422, 'invalid_input']);
  });

  test('the log can be neither changed nor thinned', async () => {
    const customer = await signUpSubscriber(app.url);
    await customer.api.call(addSuppression, { body: { phone } });
    const own = [customer.id];
    await expect(app.ctx.pool.query('delete from suppression_log where account_id = $1', own)).rejects.toThrow(
      'only appended to',
    );
    await expect(
      app.ctx.pool.query(`update suppression_log set note = 'x' where account_id = $1`, own),
    ).rejects.toThrow('only appended to');
    await app.ctx.pool.query('delete from accounts where id = $1', own);
    const { rows } = await app.ctx.pool.query('select from suppression_log where account_id = $1', own);
    expect(rows).toEqual([]);
  });
});

describe('profiles', () => {
  const read = async ({ api }: Customer, { id }: Profile) =>
    (await api.call(getProfile, { params: { profileId: id } })).body;

  test('show what the list says of their number, whatever form it has there', async () => {
    const customer = await signUpSubscriber(app.url);
    const profile = await create(customer, { phone: '5511987654321' });
    expect(profile).toMatchObject({ opted_out: false, opted_out_at: null });
    const { body: entry } = await customer.api.call(addSuppression, { body: { phone: '551187654321' } });
    expect(await read(customer, profile)).toMatchObject({ opted_out: true, opted_out_at: entry.opted_out_at });
    const { body: page } = await customer.api.call(listProfiles, { query: {} });
    expect(page.data).toMatchObject([{ opted_out: true, opted_out_at: entry.opted_out_at }]);
  });

  test.each<[string, Partial<NewProfile>]>([
    ['opted_out', { opted_out: true }],
    ['a status that says so', { status: 'Unsubscribed' }],
    ['a custom field that says so', { custom_fields: { opted_out: 'TRUE' } }],
  ])('%s puts the number on the list, by form and by program', async (_title, values) => {
    const customer = await signUpSubscriber(app.url);
    const program = customer.api.as({ authorization: customer.apiKey });
    expect(await create(customer, { phone: '14155550111', ...values })).toMatchObject({ opted_out: true });
    const { id } = await create(customer, { phone: '14155550112' });
    const { body: changed } = await customer.api.call(updateProfile, { params: { profileId: id }, body: values });
    expect(changed).toMatchObject({ opted_out: true });
    const { body: upserted } = await program.call(upsertProfile, { body: { phone: '14155550113', ...values } });
    expect(upserted).toMatchObject({ opted_out: true });
    expect(await listed(customer)).toEqual(['14155550113', '14155550112', '14155550111']);
    expect(await listed(customer, { by: 'api' })).toEqual(['14155550113']);
  });

  test('a profile that is deleted and made again is still opted out', async () => {
    const customer = await signUpSubscriber(app.url);
    const { id } = await create(customer, { phone, opted_out: true });
    await customer.api.call(deleteProfile, { params: { profileId: id } });
    expect(await create(customer, { phone, opted_out: false })).toMatchObject({ opted_out: true });
  });

  test('a change takes them off the list with a reason alone; neither an upsert nor other words do', async () => {
    const customer = await signUpSubscriber(app.url);
    const profile = await create(customer, { phone, status: 'unsubscribed', custom_fields: { plan: 'trial' } });
    const params = { profileId: profile.id };
    const { body: upserted } = await customer.api.call(upsertProfile, {
      body: { phone, opted_out: false, status: 'active' },
    });
    expect(upserted).toMatchObject({ opted_out: true, status: 'active' });
    const refused = await customer.api.refuse(updateProfile, { params, body: { opted_out: false } });
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, 'opt_in_reason']);
    const body = { opted_out: false, opt_in_reason: 'Asked us on the phone' };
    expect((await customer.api.call(updateProfile, { params, body })).body).toMatchObject({ opted_out: false });
    expect(await logOf(customer)).toEqual([
      ['opted_in', 'user', 'Asked us on the phone'],
      ['opted_out', 'user', null],
    ]);
  });

  test('a profile taken off the list no longer says the contrary, and may say it again', async () => {
    const customer = await signUpSubscriber(app.url);
    const profile = await create(customer, {
      phone,
      status: 'Unsubscribed',
      custom_fields: { plan: 'trial', opted_out: true },
    });
    await customer.api.call(removeSuppression, { params: { phone }, query: { reason: 'Came back' } });
    const back = await read(customer, profile);
    expect(back).toMatchObject({ opted_out: false, status: 'active', custom_fields: { plan: 'trial' } });
    expect(back.custom_fields).not.toHaveProperty('opted_out');
    await customer.api.call(upsertProfile, { body: { phone, status: 'unsubscribed' } });
    expect(await read(customer, profile)).toMatchObject({ opted_out: true });
  });

  test('a change that says nothing of it leaves them where they are', async () => {
    const customer = await signUpSubscriber(app.url);
    const profile = await create(customer, { phone, status: 'unsubscribed' });
    await app.ctx.pool.query('delete from suppressions where account_id = $1', [customer.id]);
    const change = { params: { profileId: profile.id }, body: { name: 'Ada', status: 'unsubscribed' } };
    expect((await customer.api.call(updateProfile, change)).body).toMatchObject({ opted_out: false });
  });

  test('the list of profiles narrows to them, or to the others, and so does the export', async () => {
    const customer = await signUpSubscriber(app.url);
    await create(customer, { phone: '14155550111', name: 'Ada' });
    await create(customer, { phone: '14155550112', name: 'Grace', opted_out: true });
    await create(customer, { phone: '14155550113', name: 'Adam', opted_out: true });
    const names = async (query: object) => {
      const { body } = await customer.api.call(listProfiles, { query });
      return [body.total, ...body.data.map(({ name }) => name)];
    };
    expect(await names({ opted_out: 'true' })).toEqual([2, 'Adam', 'Grace']);
    expect(await names({ opted_out: 'false' })).toEqual([1, 'Ada']);
    expect(await names({ opted_out: 'true', search: 'ada' })).toEqual([1, 'Adam']);
    const csv = await fetch(`${app.url}${exportProfiles.path}?opted_out=true`, {
      headers: { authorization: customer.token },
    });
    const [head = [], ...rows] = (await csv.text())
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    const at = head.indexOf('opted_out');
    expect(head[at + 1]).toBe('opted_out_at');
    expect(rows.map((row) => row[at])).toEqual(['true', 'true']);
  });
});

describe('files', () => {
  async function upload({ token }: Customer, body: string) {
    const response = await fetch(`${app.url}/api/suppressions/import`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'text/csv' },
      body,
    });
    return { status: response.status, body: (await response.json()) as SuppressionImport & { code: string } };
  }

  test('a file is read line by line, says what it could not read, and may come again', async () => {
    const customer = await signUpSubscriber(app.url);
    const longest = 500;
    const csv =
      'name,Phone number,Note\nAda,+1 415 555 0111,By mail\nBad,12,\nTwice,14155550111,\nGrace,14155550112,' +
      `${'n'.repeat(longest - 1)}🥳\n`;
    expect(await upload(customer, csv)).toEqual({
      status: 200,
      body: { added: 2, already: 0, rejected: 1, rejected_lines: [{ line: 3, reason: 'Invalid number' }] },
    });
    expect((await upload(customer, csv)).body).toMatchObject({ added: 0, already: 2, rejected: 1 });
    const { body } = await customer.api.call(listSuppressions, { query: {} });
    expect(body.data.map((entry) => [entry.phone, entry.by, entry.note])).toEqual([
      ['14155550112', 'import', 'n'.repeat(longest - 1)],
      ['14155550111', 'import', 'By mail'],
    ]);
  });

  test('bare numbers need no header, and our own export is read back', async () => {
    const [one, other] = [await signUpSubscriber(app.url), await signUpSubscriber(app.url)];
    expect((await upload(one, '14155550111\r\n14155550112\r\n')).body).toMatchObject({ added: 2, rejected: 0 });
    const exported = await fetch(`${app.url}/api/suppressions/export`, { headers: { authorization: one.token } });
    const csv = await exported.text();
    expect(csv.split('\r\n')[0]).toBe('phone,opted_out_at,by,note,message');
    expect((await upload(other, csv)).body).toMatchObject({ added: 2, rejected: 0 });
    expect(await listed(other)).toEqual(['14155550112', '14155550111']);
  });

  test('a number column with gaps, as data tools write it, names the numbers that it held', async () => {
    const customer = await signUpSubscriber(app.url);
    const { body } = await upload(customer, 'phone\n491761234567.0\n+4.9176E+11\n');
    expect(body).toMatchObject({ added: 1, rejected: 1, rejected_lines: [{ line: 3 }] });
    expect(await listed(customer)).toEqual(['491761234567']);
  });

  test('the column called phone goes before others whose names begin alike', async () => {
    const customer = await signUpSubscriber(app.url);
    const csv = 'Telegram,Number of orders,Phone\n@ada,12345678,14155550111\n@bea,3,14155550112\n';
    expect((await upload(customer, csv)).body).toMatchObject({ added: 2, rejected: 0 });
    expect(await listed(customer)).toEqual(['14155550112', '14155550111']);
  });

  test('many thousand lines, of which each counts once', async () => {
    const customer = await signUpSubscriber(app.url);
    const csv = Array.from({ length: 3_001 }, (_, n) => `1415556${String(1000 + (n % 3_000)).padStart(4, '0')}`);
    expect((await upload(customer, csv.join('\n'))).body).toMatchObject({ added: 3_000, rejected: 0 });
  });

  test.each([
    ['nothing', ''],
    ['an open quotation mark', 'phone\n"14155550111'],
  ])('%s is no CSV', async (_title, csv) => {
    const { status, body } = await upload(await signUpSubscriber(app.url), csv);
    expect([status, body.code]).toEqual([422, 'invalid_csv']);
  });
});

describe('settings', () => {
  test('begin with the defaults, change what is named, and follow the defaults where they are the same', async () => {
    const customer = await signUpSubscriber(app.url);
    const { body: start } = await customer.api.call(getOptOutSettings);
    const { defaults, ...settings } = start;
    expect(settings).toEqual(defaults);
    expect(settings.opt_out_words).toContain('stop');
    const body = { opt_out_words: ['Halt'], opt_in_text: defaults.opt_in_text };
    const { body: changed } = await customer.api.call(updateOptOutSettings, { body });
    expect(changed).toEqual({ ...start, opt_out_words: ['Halt'] });
    expect((await customer.api.call(getOptOutSettings)).body).toEqual(changed);
    const { rows } = await app.ctx.pool.query('select * from opt_out_settings where account_id = $1', [customer.id]);
    expect(rows).toMatchObject([{ opt_out_words: ['Halt'], opt_in_words: null, opt_in_text: null }]);
  });

  test.each([
    ['a word of both lists', { opt_out_words: ['Halt'], opt_in_words: ['HALT!'] }, 'opt_in_words'],
    ['a word of signs alone', { opt_out_words: ['!!!'] }, 'opt_out_words'],
    ['a text that is a word', { opt_out_text: 'Stop.' }, 'opt_out_text'],
    ['an empty text', { opt_in_text: ' ' }, 'opt_in_text'],
    ['too many words', { opt_out_words: Array.from({ length: 101 }, (_, n) => `w${n}`) }, 'opt_out_words'],
  ])('%s is refused', async (_title, body, path) => {
    const customer = await signUpSubscriber(app.url);
    const refused = await customer.api.refuse(updateOptOutSettings, { body });
    expect([refused.status, refused.body.errors?.[0]?.path.split('.')[0]]).toEqual([422, path]);
  });
});

test('each project of the account gets a webhook for an opt-out and an opt-in, but none for a file', async () => {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer, 'https://example.com/hook');
  const { id } = await create(customer, { phone });
  await customer.api.call(addSuppression, { body: { phone, note: 'By mail' } });
  await customer.api.call(removeSuppression, { params: { phone }, query: { reason: 'Came back' } });
  await fetch(`${app.url}/api/suppressions/import`, {
    method: 'POST',
    headers: { authorization: customer.token, 'content-type': 'text/csv' },
    body: '14155550177\n',
  });
  const { rows } = await app.ctx.pool.query<{ type: string; payload: { data: object } }>(
    `select type, unpacked_json(payload)::jsonb as payload from webhook_records where project_id = $1 and type like 'contact.%' order by id`,
    [project.id],
  );
  expect(rows.map(({ type, payload }) => [type, payload.data])).toEqual([
    [
      'contact.opted_out',
      { phone, profile_id: id, opted_out: true, at: expect.any(String), by: 'user', evidence: null, note: 'By mail' },
    ],
    [
      'contact.opted_in',
      {
        phone,
        profile_id: id,
        opted_out: false,
        at: expect.any(String),
        by: 'user',
        evidence: null,
        note: 'Came back',
      },
    ],
  ]);
});
