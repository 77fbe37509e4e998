import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getCurrentUser, login, register, updateEmail } from '#contracts/accounts.ts';
import { sendMessage } from '#contracts/messages.ts';
import { createProjectKey, deleteProjectKey } from '#contracts/project-keys.ts';
import { listProjects, rotateAuthKey } from '#contracts/projects.ts';
import { acceptInvitation, invite, getInvitation } from '#contracts/team.ts';
import { adminCommand } from '#server/admin/commands.ts';
import { followDirectory } from '#server/modules/identity/cells/index.ts';
import { createApiClient } from './support/api-client.ts';
import type { TestApplication } from './support/application.ts';
import { connectSandboxPhone, makeProject, proveIdentity, signUp, signUpSubscriber } from './support/customer.ts';
import type { Customer } from './support/customer.ts';
import type { TestDatabase } from './support/database.ts';
import { makeOneOfEverything } from './support/one-of-everything.ts';
import { cellAddresses, startTwoCells } from './support/two-cells.ts';
import type { Cell, TwoCells } from './support/two-cells.ts';

let cells: TwoCells;
let database: TestDatabase;
let one: TestApplication;
let two: TestApplication;

beforeAll(async () => {
  cells = await startTwoCells();
  ({ database, one, two } = cells);
});
afterAll(() => cells[Symbol.asyncDispose]());

const elsewhere = (cell: Cell) => ({ status: 421, body: { code: 'other_cell', url: cellAddresses[cell] } });

const signInAt = (app: TestApplication, { email, password }: { email: string; password: string }) =>
  createApiClient(app.url).refuse(login, { body: { email, password } });

const withKey = (app: TestApplication, key: string) =>
  createApiClient(app.url, { 'x-auth-key': key }).refuse(sendMessage, { body: { to: '14155550123', message: 'Hi' } });

const withApiKey = (app: TestApplication, key: string) =>
  createApiClient(app.url, { authorization: key }).refuse(getCurrentUser);

test('a sign-in or a key of another cell is answered with its address, an unknown one as ever', async () => {
  const customer = await signUpSubscriber(one.url);
  const project = await makeProject(customer);
  await proveIdentity(customer);
  expect(await signInAt(two, customer)).toMatchObject(elsewhere('public'));
  expect(await signInAt(two, { ...customer, email: customer.email.toUpperCase() })).toMatchObject(elsewhere('public'));
  expect(await withApiKey(two, customer.apiKey)).toMatchObject(elsewhere('public'));
  expect(await withKey(two, project.auth_key)).toMatchObject(elsewhere('public'));
  const person = { name: 'Ada', email: customer.email.toUpperCase(), password: 'correct horse battery' };
  expect(await createApiClient(two.url).refuse(register, { body: person })).toMatchObject(elsewhere('public'));
  expect(await createApiClient(one.url).refuse(register, { body: person })).toMatchObject({
    status: 409,
    body: { code: 'email_taken' },
  });
  expect(await signInAt(one, { ...customer, password: 'wrong horse battery' })).toMatchObject({ status: 401 });
  expect(await signInAt(two, { ...customer, email: 'nobody@example.com' })).toMatchObject({
    status: 401,
    body: { code: 'invalid_credentials' },
  });

  // Each way to a new key, or another address, is written down with it.
  const { body: made } = await customer.api.call(createProjectKey, {
    params: { projectId: project.id },
    body: { name: 'Shop', scopes: ['messages:send'] },
  });
  expect(await withKey(two, made.key)).toMatchObject(elsewhere('public'));
  const { body: rotated } = await customer.api.call(rotateAuthKey, { params: { projectId: project.id }, body: {} });
  expect(await withKey(two, rotated.auth_key ?? '')).toMatchObject(elsewhere('public'));
  const email = `${randomBytes(8).toString('hex')}@example.com`;
  await customer.api.call(updateEmail, { body: { email, currentPassword: customer.password } });
  expect(await signInAt(two, { ...customer, email })).toMatchObject(elsewhere('public'));

  // Nothing of it can be read without the key of the cells.
  const { rows } = await database.pool.query('select encode(fingerprint, $1) as text from cell_directory', ['hex']);
  const hash = await database.pool.query('select encode(api_key_hash, $1) as text from accounts', ['hex']);
  expect(rows.map(({ text }) => text)).not.toContain(hash.rows[0]?.text);

  // Accounts from before there was a directory are in it after a round, and what has ended is not.
  await customer.api.call(deleteProjectKey, { params: { projectId: project.id, keyId: made.id } });
  await database.pool.query(`delete from cell_directory where cell = 'public' and fingerprint <> $1`, [
    one.ctx.secrets.fingerprints(`email ${customer.email}`)[0],
  ]);
  expect(await signInAt(two, { ...customer, email })).toMatchObject({ status: 401 });
  expect(await followDirectory(one.ctx)).toBeGreaterThan(0);
  expect(await signInAt(two, { ...customer, email })).toMatchObject(elsewhere('public'));
  expect(await signInAt(two, customer)).toMatchObject({ status: 401 });
  expect(await withKey(two, rotated.auth_key ?? '')).toMatchObject(elsewhere('public'));
  expect(await withKey(two, made.key)).toMatchObject({ status: 401 });
});

type Counts = Record<string, number>;

/** Its rows of every table, of a schema. */
async function rowsOf(schema: Cell, accountId: number): Promise<Counts> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
      where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
    [schema],
  );
  const counts: Counts = {};
  for (const { name } of tables) {
    const { rows } = await database.pool.query<{ n: number }>(
      `select count(*)::int as n from ${schema}.${name} where account_id = $1`,
      [accountId],
    );
    if ((rows[0]?.n ?? 0) > 0) counts[name] = rows[0]?.n ?? 0;
  }
  return counts;
}

const move = (customer: Customer, to: Cell) => cells.move(customer, to);

test('an account moves while it sends: nothing is lost, nothing goes twice, and its keys lead to where it is', async () => {
  const customer = await signUpSubscriber(one.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id, { max_daily_messages: 100_000 });
  const accepted: number[] = [];
  const refused: string[] = [];
  const ending = new AbortController();
  const sendOn = async () => {
    for (let index = 0; !ending.signal.aborted; index += 1) {
      const base = index % 2 === 0 ? one.url : two.url;
      const response = await fetch(base + sendMessage.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key },
        body: JSON.stringify({ to: String(14_155_552_000 + index), message: 'Hello' }),
      });
      const body = (await response.json()) as { id?: number; code?: string };
      if (response.status === 200 || response.status === 202) accepted.push(body.id ?? 0);
      else refused.push(body.code ?? '');
    }
  };
  const sending = sendOn();
  try {
    await expect.poll(() => accepted.length).toBeGreaterThan(20);
    await move(customer, 'cell_b');
    const atMove = accepted.length;
    await expect.poll(() => accepted.length).toBeGreaterThan(atMove + 20);
  } finally {
    ending.abort();
    await sending;
  }
  // A send that is under way may last for the whole pause.
  expect(refused).toContain('other_cell');
  expect(refused.filter((code) => !['account_suspended', 'other_cell'].includes(code))).toEqual([]);

  expect(await withKey(one, project.auth_key)).toMatchObject(elsewhere('cell_b'));
  expect(await signInAt(one, customer)).toMatchObject(elsewhere('cell_b'));
  const stored = async () =>
    (
      await database.pool.query(
        `select id, status, network_id from cell_b.messages where account_id = $1 and direction = 'outgoing' order by id`,
        [customer.id],
      )
    ).rows as { id: number; status: string; network_id: string }[];
  await expect.poll(async () => (await stored()).every(({ status }) => status === 'read')).toBe(true);
  const messages = await stored();
  expect(messages.map(({ id }) => id)).toEqual(accepted.toSorted((a, b) => a - b));
  expect(new Set(messages.map(({ network_id }) => network_id)).size).toBe(messages.length);
  expect(await rowsOf('public', customer.id)).toEqual({ operator_acts: 1 });
});

/** Rows of these are neither added nor removed by what works in the background. */
const kept = [
  'account_keys',
  'bulk_runs',
  'campaigns',
  'conversations',
  'flows',
  'media_files',
  'memberships',
  'payments',
  'phones',
  'profiles',
  'project_keys',
  'projects',
  'saved_templates',
  'saved_views',
  'segments',
  'subscriptions',
  'topics',
  'webhook_endpoints',
];

const pick = (counts: Counts, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (counts[name] === undefined ? [] : [[name, counts[name]]])));

test('all that an account has moves with it, and back again', async () => {
  const customer = await signUpSubscriber(one.url);
  const project = await makeProject(customer, 'http://127.0.0.1:9/hook');
  await makeOneOfEverything(one, customer, project);
  await expect.poll(async () => (await rowsOf('public', customer.id))['message_texts'] ?? 0).toBeGreaterThan(0);
  const before = await rowsOf('public', customer.id);
  const listening = await database.pool.connect();
  const told: { channel: string; payload?: string | undefined }[] = [];
  listening.on('notification', ({ channel, payload }) => told.push({ channel, payload }));
  for (const channel of ['dovepost_project_keys', 'dovepost_credentials', '"cell_b.dovepost_phones"'])
    await listening.query(`listen ${channel}`);
  const moved = await move(customer, 'cell_b');
  // Processes of the old cell let go of what they kept, and workers of the new one need not find the phones by themselves.
  const { rows: phones } = await listening.query<{ id: number }>(
    'select id::int from cell_b.phones where account_id = $1 order by id',
    [customer.id],
  );
  listening.release(true);
  const announced = [
    { channel: 'dovepost_project_keys', payload: String(customer.id) },
    { channel: 'dovepost_credentials', payload: '' },
    { channel: 'cell_b.dovepost_phones', payload: JSON.stringify(phones.map(({ id }) => id)) },
  ];
  expect(told).toEqual(expect.arrayContaining(announced));
  const ofKeys = told.filter(
    ({ channel, payload }) => channel === announced[0]?.channel && payload === announced[0].payload,
  );
  expect(ofKeys.length, 'once for the pause, and once for the move').toBeGreaterThan(1);
  const there = await rowsOf('cell_b', customer.id);
  expect(moved.tables.length).toBeGreaterThan(40);
  expect(pick(there, kept)).toEqual(pick(before, kept));
  expect(Object.keys(pick(before, kept))).toEqual(kept);
  expect(await rowsOf('public', customer.id)).toEqual({ operator_acts: 1 });
  const api = createApiClient(two.url, { authorization: customer.token });
  const { body: me } = await api.call(getCurrentUser);
  expect(me).toMatchObject({ user: { id: customer.id }, suspension: null });
  expect(await withApiKey(one, customer.apiKey)).toMatchObject(elsewhere('cell_b'));
  expect((await api.call(listProjects)).body.data.map(({ id }) => id)).toEqual([project.id]);

  const back = await move(customer, 'public');
  expect(back.tables.map(({ table }) => table)).toEqual(expect.arrayContaining(moved.tables.map(({ table }) => table)));
  expect((await customer.api.call(getCurrentUser)).body).toMatchObject({ user: { id: customer.id } });
  expect(await withApiKey(two, customer.apiKey)).toMatchObject(elsewhere('public'));
  expect(pick(await rowsOf('public', customer.id), kept)).toEqual(pick(before, kept));
});

test('a move that breaks off leaves the account where it is, sending', async () => {
  const customer = await signUpSubscriber(one.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  await database.pool.query(
    `alter table cell_b.projects add constraint none_comes check (id <> ${project.id}) not valid`,
  );
  await expect(move(customer, 'cell_b')).rejects.toThrow('none_comes');
  await database.pool.query('alter table cell_b.projects drop constraint none_comes');
  expect((await customer.api.call(getCurrentUser)).body.suspension).toBeNull();
  const sent = await createApiClient(one.url, { 'x-auth-key': project.auth_key }).call(sendMessage, {
    body: { to: '14155550123', message: 'Hello' },
  });
  expect(sent.status).toBe(200);
  expect(await rowsOf('cell_b', customer.id)).toEqual({});
});

test('an invitation across cells: the link leads to the cell of the account, where somebody of another joins as a new person', async () => {
  const [inviter, guest] = [await signUpSubscriber(two.url), await signUpSubscriber(one.url)];
  const { body: sent } = await inviter.api.call(invite, { body: { email: guest.email, role: 'agent' } });
  expect(sent.url).toMatch(new RegExp(`^${cellAddresses.cell_b}/invitations/`));
  const params = { token: sent.url.slice(sent.url.lastIndexOf('/') + 1) };
  await followDirectory(two.ctx);

  // Opened at the cell where the guest is at home, also by who is signed in there.
  for (const api of [createApiClient(one.url), guest.api]) {
    expect(await api.refuse(getInvitation, { params })).toMatchObject(elsewhere('cell_b'));
    expect(await api.refuse(acceptInvitation, { params, body: {} })).toMatchObject(elsewhere('cell_b'));
  }
  const there = createApiClient(two.url);
  expect((await there.call(getInvitation, { params })).body).toMatchObject({ email: guest.email, has_user: false });
  // A session of the other cell is none here, and uses nothing up.
  const visitor = createApiClient(two.url, { authorization: guest.token });
  expect(await visitor.refuse(acceptInvitation, { params, body: {} })).toMatchObject({ status: 401 });
  const password = 'correct horse staple';
  const joined = await there.call(acceptInvitation, { params, body: { name: 'Ada', password } });
  expect(joined.body.user).toMatchObject({ email: guest.email });
  expect(await there.refuse(acceptInvitation, { params, body: { name: 'Ada', password } })).toMatchObject({
    status: 404,
  });

  // From then on each cell signs them in by itself, with the password that they have there.
  const seenAt = async ({ url }: TestApplication, body: { email: string; password: string }) => {
    const signedIn = (await createApiClient(url).call(login, { body })).body;
    if (!('token' in signedIn)) throw new Error('A second factor is asked for');
    return (await createApiClient(url, { authorization: signedIn.token }).call(getCurrentUser)).body;
  };
  const { email } = guest;
  expect(await seenAt(two, { email, password })).toMatchObject({ role: 'agent', account: { id: inviter.id } });
  expect(await seenAt(one, { email, password: guest.password })).toMatchObject({
    role: 'owner',
    account: { id: guest.id },
  });
  expect(await signInAt(two, guest)).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
  expect(await signInAt(one, { ...guest, password })).toMatchObject({
    status: 401,
    body: { code: 'invalid_credentials' },
  });
  // Neither account can be moved to where its address is already.
  await expect(move(guest, 'cell_b')).rejects.toThrow(/e-?mail|address/i);
  expect((await guest.api.call(getCurrentUser)).body.suspension).toBeNull();
});

test('accounts that share a person move together, and a cell that does not fit takes none', async () => {
  const [founder, member] = [await signUp(one.url), await signUp(one.url)];
  await database.pool.query(
    `insert into memberships (account_id, user_id, role, created_at) values ($1, $2, 'admin', now())`,
    [founder.id, member.id],
  );
  await expect(move(founder, 'cell_b')).rejects.toThrow(`move ${founder.id},${member.id}`);
  const command = (...argv: string[]) => adminCommand(['accounts', 'move', ...argv, '--operator', 'grace'])(one.ctx);
  await expect(command(String(founder.id), '--to', 'cell_x')).rejects.toThrow(
    'start it once with DATABASE_SCHEMA=cell_x',
  );
  await expect(command(String(founder.id), '--to', 'public')).rejects.toThrow('in public already');
  await expect(command(String(founder.id), '--to', 'Cell')).rejects.toThrow('--to: expected');
  await expect(command('999', '--to', 'cell_b')).rejects.toThrow('Account 999 not found');
  await database.pool.query(`update cells set key_fingerprint = '\\x00' where name = 'cell_b'`);
  await expect(command(String(member.id), '--to', 'cell_b')).rejects.toThrow('another SECRET_KEY');
});
