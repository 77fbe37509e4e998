import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createBulkRun,
  deleteBulkRun,
  duplicateBulkRun,
  getBulkRun,
  listBulkRowChanges,
  listBulkRows,
  listBulkRuns,
  pauseBulkRun,
  previewBulkRun,
  resumeBulkRun,
  startBulkRun,
  stopBulkRun,
  updateBulkRun,
} from '#contracts/bulk-runs.ts';
import type { BulkRun } from '#contracts/bulk-runs.ts';
import { updateCurrentUser } from '#contracts/accounts.ts';
import { updatePhoneNumber } from '#contracts/phone-numbers.ts';
import { createProfile } from '#contracts/profiles.ts';
import { listMessages } from '#contracts/messages.ts';
import { addSuppression } from '#contracts/suppressions.ts';
import { inTransaction } from '#server/context.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { holdPhone, releasePhone } from '#tests/support/campaign-scene.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { removeOldDrafts, wakeBulkRuns } from './index.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

type Scene = { customer: Customer; projectId: number; phoneId: number };

async function makeScene(): Promise<Scene> {
  const customer = await signUpSubscriber(app.url);
  const { id: projectId } = await makeProject(customer);
  const { id: phoneId } = await connectSandboxPhone(customer, projectId);
  return { customer, projectId, phoneId };
}

async function draft({ customer, projectId }: Scene, changes: object = {}): Promise<BulkRun> {
  const body = { project_id: projectId, message: 'Hi {name} of {shop|your shop}', delay_ms: 0, ...changes };
  return (await customer.api.call(createBulkRun, { body })).body;
}

async function upload({ customer }: Scene, { id }: BulkRun, csv: string, query = '') {
  const response = await fetch(`${app.url}/api/bulk-runs/${id}/rows${query}`, {
    method: 'PUT',
    headers: { authorization: customer.token, 'content-type': 'text/csv' },
    body: csv,
  });
  return { status: response.status, body: (await response.json()) as BulkRun & { code: string; message: string } };
}

const paramsOf = ({ id }: BulkRun) => ({ params: { runId: id } });
const get = async ({ customer }: Scene, run: BulkRun) => (await customer.api.call(getBulkRun, paramsOf(run))).body;

/** Waits until it is so; its counts add up. */
async function until(scene: Scene, run: BulkRun, expected: Partial<BulkRun>): Promise<BulkRun> {
  await expect.poll(() => get(scene, run), { interval: 30 }).toMatchObject(expected);
  const found = await get(scene, run);
  const { waiting_count, sent_count, failed_count, skipped_count, total_count } = found;
  expect(waiting_count + sent_count + failed_count + skipped_count).toBe(total_count);
  return found;
}

async function textsOf({ customer, projectId }: Scene): Promise<[string | null, string][]> {
  const query = { pageSize: 100, direction: 'outgoing' } as const;
  const { body } = await customer.api.call(listMessages, { params: { projectId }, query });
  return body.data.map(({ to, message }): [string | null, string] => [to, message]).toReversed();
}

async function resultOf({ customer }: Scene, { id }: BulkRun): Promise<string[]> {
  const response = await fetch(`${app.url}/api/bulk-runs/${id}/rows/export`, {
    headers: { authorization: customer.token },
  });
  return (await response.text()).split('\r\n');
}

test('columns may be called what every object has: the result file has them, empty for rows that lack them', async () => {
  const own = await makeScene();
  const built: Record<string, string> = { constructor: 'Acme' };
  const rows = [
    { to: '14155552001', fields: built },
    { to: '14155552002', fields: {} },
  ];
  const ofBody = await draft(own, { rows });
  expect((await resultOf(own, ofBody)).slice(1, 3)).toEqual([
    '1,14155552001,Acme,14155552001,waiting,,,,,,,',
    '2,14155552002,,14155552002,waiting,,,,,,,',
  ]);
  const ofFile = await draft(own, { message: 'Built by {__proto__}' });
  await upload(own, ofFile, 'phone,__proto__\n14155552001,Acme\n');
  expect((await resultOf(own, ofFile))[1]).toBe('1,14155552001,Acme,14155552001,waiting,,,,,,,');
  const { body: review } = await own.customer.api.call(previewBulkRun, { ...paramsOf(ofFile), body: {} });
  expect(review.samples[0]?.message).toBe('Built by Acme');
});

test('a file needs no country codes: full numbers stand, others are of its country, a calling code is there once', async () => {
  const own = await makeScene();
  const { customer } = own;
  const csv = 'Full name,Mobile\nAda,+34613300106\nBea,34613300107\nCai,613300108\nDan,12\nEve,\n';
  const read = async (text: string, query: string) => {
    const run = await draft(own);
    const { status, body } = await upload(own, run, text, query);
    if (status !== 200) throw new Error(body.message);
    const rows = await customer.api.call(listBulkRows, { ...paramsOf(run), query: {} });
    return { run: body, rows: rows.body.data.map(({ phone, status: is }) => `${phone} ${is}`) };
  };
  const { run, rows } = await read(csv, '?default_country=ES');
  expect(run).toMatchObject({ total_count: 4, skipped_count: 1, columns: ['full name', 'mobile', 'phone', 'name'] });
  expect(rows).toEqual(['34613300106 waiting', '34613300107 waiting', '34613300108 waiting', '12 skipped']);
  await customer.api.call(updateCurrentUser, { body: { default_country: null } });
  expect((await read(csv, '')).rows[2]).toBe('613300108 skipped');
  await customer.api.call(updateCurrentUser, { body: { default_country: 'ES' } });
  expect((await read(csv, '')).rows[2]).toBe('34613300108 waiting');
  await customer.api.call(createProfile, { body: { phone: '+613300108' } });
  expect((await read(csv, '')).rows[2]).toBe('613300108 waiting');
  const doubled = await read('country_code,phone\n34,34613300106\n34,613300107', '');
  expect(doubled.rows).toEqual(['34613300106 waiting', '34613300107 waiting']);
});

test('a file is sent row by row in its order; the result says what became of each', async () => {
  const own = await makeScene();
  const { customer } = own;
  await customer.api.call(addSuppression, { body: { phone: '14155550107' } });
  const run = await draft(own, { name: 'customers.csv' });
  expect(run).toMatchObject({ status: 'draft', total_count: 0, name: 'customers.csv' });
  expect((await customer.api.refuse(startBulkRun, paramsOf(run))).body.code).toBe('bulk_run_empty');
  const csv = [
    'Country_Code;Phone;first_name;last_name;SHOP;#row',
    '1;4155550101;Ada;Lovelace;North;2',
    '1;415555;Bad;;;5',
    ';;Nobody;;;6',
    '1;4155550000;Kim;;=Kiosk;7',
    'US;(415) 555-0107;Gone;;;8',
    '1;4155550101;Ada;Again;;9',
  ].join('\n');
  expect(await upload(own, run, csv)).toMatchObject({
    status: 200,
    body: {
      total_count: 5,
      skipped_count: 1,
      waiting_count: 4,
      is_uploading: false,
      columns: ['country_code', 'phone', 'first_name', 'last_name', 'shop', 'name'],
    },
  });
  expect(await textsOf(own)).toEqual([]);
  expect((await customer.api.call(startBulkRun, paramsOf(run))).body).toMatchObject({ status: 'running' });
  const done = await until(own, run, { status: 'completed' });
  expect(done).toMatchObject({ total_count: 5, sent_count: 2, failed_count: 1, skipped_count: 2, waiting_count: 0 });
  expect(await textsOf(own)).toEqual([
    ['14155550101', 'Hi Ada Lovelace of North'],
    ['14155550000', 'Hi Kim of =Kiosk'],
    ['14155550101', 'Hi Ada Again of your shop'],
  ]);
  const { body: rows } = await customer.api.call(listBulkRows, { ...paramsOf(run), query: {} });
  expect(rows.data.map(({ row, status, error, error_code }) => [row, status, error, error_code])).toEqual([
    [2, 'sent', null, null],
    [5, 'skipped', 'The phone number is not valid', 'invalid_number'],
    [7, 'failed', 'This number is not on WhatsApp', 'not_on_whatsapp'],
    [8, 'skipped', 'Opted out of messages', 'opted_out'],
    [9, 'sent', null, null],
  ]);
  const { body: failed } = await customer.api.call(listBulkRows, { ...paramsOf(run), query: { status: 'failed' } });
  expect([failed.total, failed.data[0]?.phone]).toEqual([1, '14155550000']);
  const [header, , , kim] = await resultOf(own, run);
  expect(header).toBe(
    'row,country_code,phone,first_name,last_name,shop,name,number,status,message_status,message_id,error,error_code,changed_at,replied_at,clicked_at',
  );
  expect(kim).toMatch(/^7,1,4155550000,Kim,,'=Kiosk,Kim,14155550000,failed,failed,\d+,This number is not on WhatsApp,/);
  const { body: changes } = await customer.api.call(listBulkRowChanges, { ...paramsOf(run), query: {} });
  expect(changes.data.map(({ row }) => row).toSorted((a, b) => a - b)).toEqual([2, 5, 7, 8, 9]);
  expect(changes.has_more).toBe(false);
});

test('rows of a body are sent to as well; what is of another account is not there', async () => {
  const own = await makeScene();
  const rows = [
    { to: '+1 415 555 0111', fields: { Name: 'Ada', Shop: 'North' } },
    { to: '14155550112', fields: {} },
  ];
  const run = await draft(own, { rows });
  expect(run).toMatchObject({ total_count: 2, columns: ['phone', 'name', 'shop'] });
  await own.customer.api.call(startBulkRun, paramsOf(run));
  await until(own, run, { status: 'completed', sent_count: 2 });
  expect(await textsOf(own)).toEqual([
    ['14155550111', 'Hi Ada of North'],
    ['14155550112', 'Hi  of your shop'],
  ]);
  const stranger = await signUpSubscriber(app.url);
  expect((await stranger.api.call(listBulkRuns, { query: {} })).body.total).toBe(0);
  for (const endpoint of [startBulkRun, pauseBulkRun, stopBulkRun, resumeBulkRun]) {
    expect((await stranger.api.refuse(endpoint, paramsOf(run))).status).toBe(404);
  }
  await own.customer.api.call(deleteBulkRun, paramsOf(run));
  expect((await own.customer.api.call(listBulkRuns, { query: {} })).body.total).toBe(0);
  const { rows: left } = await app.ctx.pool.query('select 1 from bulk_run_rows where bulk_run_id = $1', [run.id]);
  expect(left).toEqual([]);
  expect(await textsOf(own)).toHaveLength(2);
});

test('paused nothing goes out, resumed it goes on, stopped the rest is never sent', async () => {
  const own = await makeScene();
  const { api } = own.customer;
  await holdPhone(app, own.phoneId);
  const rows = Array.from({ length: 150 }, (_, index) => ({ to: `1415555${2000 + index}` }));
  const run = await draft(own, { rows, message: 'Hi' });
  await api.call(startBulkRun, paramsOf(run));
  // As many as a phone takes wait with it.
  const queued = () =>
    app.ctx.pool
      .query<{ count: number }>('select count(*)::int as count from messages where bulk_run_id = $1', [run.id])
      .then(({ rows: [row] }) => row?.count);
  await expect.poll(queued).toBe(100);
  expect((await api.call(pauseBulkRun, paramsOf(run))).body).toMatchObject({ status: 'paused', waiting_count: 150 });
  expect(await queued()).toBe(0);
  expect((await api.refuse(pauseBulkRun, paramsOf(run))).body.code).toBe('bulk_run_not_running');
  await api.call(resumeBulkRun, paramsOf(run));
  await expect.poll(queued).toBe(100);
  const stopped = (await api.call(stopBulkRun, paramsOf(run))).body;
  expect(stopped).toMatchObject({ status: 'stopped', sent_count: 0 });
  await releasePhone(app, own.phoneId);
  await until(own, run, { status: 'stopped', skipped_count: 150, waiting_count: 0, sent_count: 0 });
  const { body } = await api.call(listBulkRows, { ...paramsOf(run), query: { status: 'skipped', pageSize: 100 } });
  expect(new Set(body.data.map(({ error }) => error))).toEqual(new Set(['The run was stopped']));
});

test('a duplicate is a draft with the same rows, of which none has been sent; what is no number stays skipped', async () => {
  const scene = await makeScene();
  // No half of the party hat is kept.
  const run = await draft(scene, { name: `${'S'.repeat(111)}🥳` });
  await upload(scene, run, 'country_code,phone,name\n351,912310001,Ana\n351,12,Rui\n1,4155550000,Eva\n');
  await scene.customer.api.call(startBulkRun, paramsOf(run));
  await expect.poll(async () => (await get(scene, run)).status).toBe('completed');
  const { status, body: copy } = await scene.customer.api.call(duplicateBulkRun, paramsOf(run));
  expect([status, copy.id === run.id]).toEqual([201, false]);
  const counts = { total_count: 3, skipped_count: 1, waiting_count: 2, sent_count: 0, failed_count: 0 };
  expect(copy).toMatchObject({ name: `Copy of ${'S'.repeat(111)}`, status: 'draft', message: run.message, ...counts });
  const { body: rows } = await scene.customer.api.call(listBulkRows, { ...paramsOf(copy), query: {} });
  expect(rows.data.map(({ row, name, status: of }) => [row, name, of])).toEqual([
    [1, 'Ana', 'waiting'],
    [2, 'Rui', 'skipped'],
    [3, 'Eva', 'waiting'],
  ]);
  await scene.customer.api.call(startBulkRun, paramsOf(copy));
  await expect.poll(async () => (await get(scene, copy)).sent_count).toBe(1);
  expect((await get(scene, run)).sent_count).toBe(1);
  const other = await signUpSubscriber(app.url);
  expect((await other.api.refuse(duplicateBulkRun, paramsOf(run))).status).toBe(404);
});

test('a run that waits for the day to end names no time once it waits for a subscription', async () => {
  const own = await makeScene();
  const { customer, phoneId } = own;
  await customer.api.call(updatePhoneNumber, { params: { phoneId }, body: { max_daily_messages: 1 } });
  const rows = ['14155552001', '14155552002'].map((to) => ({ to, fields: {} }));
  const run = await draft(own, { rows });
  await customer.api.call(startBulkRun, paramsOf(run));
  await until(own, run, { waiting_for: 'daily_limit', waiting_until: expect.any(String) as string });
  const { db } = app.ctx;
  await db
    .updateTable('accounts')
    .set({ access_until: new Date(0) })
    .where('id', '=', customer.id)
    .execute();
  await inTransaction(app.ctx, (tx) => wakeBulkRuns(tx, customer.id));
  const waiting = db.selectFrom('bulk_runs').select(['waiting_for', 'waiting_until']).where('id', '=', run.id);
  await expect
    .poll(() => waiting.executeTakeFirstOrThrow())
    .toEqual({ waiting_for: 'subscription', waiting_until: null });
});

test('a result file reads as the file did that it came of, with what a spreadsheet would run as a formula', async () => {
  const own = await makeScene();
  const first = await draft(own);
  await upload(own, first, "phone,name,@shop\n14155552001,=1+1,'tis\n14155552002,-5,-\n");
  const again = await draft(own, { message: '{name} of {@shop}' });
  await upload(own, again, (await resultOf(own, first)).join('\r\n'));
  const { body } = await own.customer.api.call(previewBulkRun, { ...paramsOf(again), body: {} });
  expect(body.samples.map(({ message }) => message)).toEqual(["=1+1 of 'tis", '-5 of -']);
});

test('a run that is deleted while its rows are uploaded is not found', async () => {
  const own = await makeScene();
  const run = await draft(own);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const uploaded = fetch(`${app.url}/api/bulk-runs/${run.id}/rows`, {
    method: 'PUT',
    headers: { authorization: own.customer.token, 'content-type': 'text/csv' },
    body: readable,
    duplex: 'half',
  });
  await writer.write(Buffer.from('phone,name\n14155552001,Ada\n'));
  await expect.poll(async () => (await get(own, run)).is_uploading).toBe(true);
  await own.customer.api.call(deleteBulkRun, paramsOf(run));
  await writer.close();
  expect((await uploaded).status).toBe(404);
});

test('a delay keeps rows apart', async () => {
  const own = await makeScene();
  const rows = ['14155550121', '14155550122', '14155550123'].map((to) => ({ to }));
  const run = await draft(own, { rows, message: 'Hi', delay_ms: 400 });
  await own.customer.api.call(startBulkRun, paramsOf(run));
  await until(own, run, { status: 'completed', sent_count: 3 });
  const { rows: sent } = await app.ctx.pool.query<{ created_at: Date }>(
    'select created_at from messages where bulk_run_id = $1 order by id',
    [run.id],
  );
  const times = sent.map(({ created_at }) => created_at.getTime());
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  // They are stored a moment after the delay is looked at.
  for (const gap of gaps) expect(gap).toBeGreaterThan(350);
});

describe('an unreadable file is refused, and the run has no rows', () => {
  test.each([
    ['', 422, 'invalid_csv', 'CSV appears empty or invalid'],
    ['name,shop\nAda,1', 422, 'invalid_csv', 'Missing required headers: phone'],
    ['country_code,phone\n,\n', 422, 'invalid_csv', 'CSV appears empty or invalid'],
    ['country_code,phone\n1,4155550101\n1,"4155550102', 422, 'invalid_csv', expect.stringContaining('quotation')],
  ])('%j', async (csv, status, code, message) => {
    const own = await makeScene();
    const run = await draft(own, { rows: [{ to: '14155550101' }] });
    expect(await upload(own, run, csv)).toMatchObject({ status, body: { code, message } });
    expect(await get(own, run)).toMatchObject({ total_count: 0, is_uploading: false });
  });

  test('a run that was started takes no rows, and no other text', async () => {
    const own = await makeScene();
    const run = await draft(own, { rows: [{ to: '14155550101' }] });
    await own.customer.api.call(startBulkRun, paramsOf(run));
    expect(await upload(own, run, 'country_code,phone\n1,4155550101')).toMatchObject({ status: 409 });
    const change = { ...paramsOf(run), body: { message: 'Other' } };
    expect((await own.customer.api.refuse(updateBulkRun, change)).body.code).toBe('bulk_run_started');
    await until(own, run, { status: 'completed', sent_count: 1 });
  });
});

test('a review counts, fills and foresees what would come of it, and sends nothing', async () => {
  const own = await makeScene();
  const { api } = own.customer;
  await api.call(addSuppression, { body: { phone: '14155550104' } });
  const run = await draft(own, { message: 'x', delay_ms: 60_000 });
  await upload(
    own,
    run,
    [
      'country_code,phone,name,shop',
      '1,4155550101,Ada,North',
      '1,4155550102,Grace,',
      '1,4155550101,Ada,North',
      '1,4155550103,Lin,West',
      '1,4155550104,Gone,',
      '1,22,Bad,',
    ].join('\n'),
  );
  const body = { message: 'Hi {Name} of {shop|us}: {plan}' };
  const { body: review } = await api.call(previewBulkRun, { ...paramsOf(run), body });
  expect(review).toMatchObject({
    total: 6,
    will_receive: 4,
    skipped: { invalid_number: 1, opted_out: 1 },
    duplicates: 1,
    placeholders: [
      { placeholder: '{Name}', fallback: null, empty: 0, is_unknown: false },
      { placeholder: '{shop|us}', fallback: 'us', empty: 1, is_unknown: false },
      { placeholder: '{plan}', empty: 4, is_unknown: true },
    ],
    samples: [
      { profile_id: null, name: 'Ada', message: 'Hi Ada of North: ' },
      { name: 'Grace', message: 'Hi Grace of us: ' },
      { name: 'Ada' },
    ],
    forecast: { count: 4, phones: 1, waiting_for: null },
  });
  const { starts_at: from, done_at: to } = review.forecast ?? {};
  expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(3 * 60_000);
  // Fields left out of a change stay.
  const named = { ...paramsOf(run), body: { name: 'autumn.csv' } };
  expect((await api.call(updateBulkRun, named)).body).toMatchObject({ name: 'autumn.csv', delay_ms: 60_000 });
  expect(await textsOf(own)).toEqual([]);
  const stranger = await signUpSubscriber(app.url);
  expect((await stranger.api.refuse(previewBulkRun, { ...paramsOf(run), body })).status).toBe(404);
});

test('a draft that nobody has started goes after a week with its rows; other runs stay', async () => {
  const own = await makeScene();
  const old = await draft(own, { rows: [{ to: '14155550101' }] });
  const young = await draft(own, { rows: [{ to: '14155550101' }] });
  const started = await draft(own, { rows: [{ to: '14155550101' }], message: 'Hi' });
  await own.customer.api.call(startBulkRun, paramsOf(started));
  await until(own, started, { status: 'completed' });
  const created = `update bulk_runs set created_at = now() - $2::interval where id = $1`;
  await app.ctx.pool.query(created, [old.id, '169 hours']);
  await app.ctx.pool.query(created, [started.id, '169 hours']);
  await app.ctx.pool.query(created, [young.id, '167 hours']);
  await removeOldDrafts(app.ctx);
  const { body } = await own.customer.api.call(listBulkRuns, { query: {} });
  expect(body.data.map(({ id }) => id)).toEqual([started.id, young.id]);
  const { rows: left } = await app.ctx.pool.query('select 1 from bulk_run_rows where bulk_run_id = $1', [old.id]);
  expect(left).toEqual([]);
});

test('a file of 100,000 rows is taken whole in one upload', async () => {
  const own = await makeScene();
  const run = await draft(own);
  const lines = Array.from({ length: 100_000 }, (_, index) => `1,${4_150_000_000 + index},Person ${index},Shop`);
  const { status, body } = await upload(own, run, `country_code,phone,name,shop\n${lines.join('\n')}`);
  expect([status, body.total_count]).toEqual([200, 100_000]);
  await own.customer.api.call(deleteBulkRun, paramsOf(run));
});
