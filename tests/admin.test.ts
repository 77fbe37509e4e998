import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Secret, TOTP } from 'otpauth';
import { keepAccount } from '#contracts/account-data.ts';
import { getCurrentUser, login, SignedIn } from '#contracts/accounts.ts';
import { sendMessage } from '#contracts/messages.ts';
import { listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { createProject, getProject } from '#contracts/projects.ts';
import { invite } from '#contracts/team.ts';
import { confirmTotp, getTwoFactor, setUpTotp } from '#contracts/two-factor.ts';
import { adminCommand } from '#server/admin/commands.ts';
import { deleteDueAccounts } from '#server/modules/outreach/account-data/index.ts';
import { createApiClient } from './support/api-client.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { create, get, makeScene, until } from './support/campaign-scene.ts';
import { connectSandboxPhone, makeProject, signUp, signUpSubscriber } from './support/customer.ts';

let app: TestApplication;
beforeAll(async () => {
  app = await startTestApplication();
});
afterAll(() => app[Symbol.asyncDispose]());

/** As it is typed; the answer as JSON. */
async function admin(...argv: readonly string[]): Promise<Record<string, unknown>> {
  return JSON.parse(await adminCommand([...argv, '--json', '--operator', 'grace'])(app.ctx)) as Record<string, unknown>;
}

const reason = 'Several people complained about unwanted messages.';

test('a suspended account sends nothing within seconds, its people read why, and it goes on where it stopped', async () => {
  const scene = await makeScene(app, 4000);
  const { customer, projectId } = scene;
  const campaign = await create(scene);
  await expect.poll(async () => (await get(scene, campaign)).sent_count).toBeGreaterThan(0);
  const shown = await admin('accounts', 'suspend', String(customer.id), '--reason', reason);
  expect(shown).toMatchObject({ suspension_reason: reason, acts: [{ action: 'accounts suspend', operator: 'grace' }] });
  await expect.poll(async () => (await get(scene, campaign)).waiting_for).toBe('account_suspended');
  const outgoing = async () =>
    (
      await app.ctx.pool.query(`select count(*)::int as n from messages where account_id = $1 and status = 'sending'`, [
        customer.id,
      ])
    ).rows[0].n;
  await expect.poll(outgoing).toBe(0);

  const { body: project } = await customer.api.call(getProject, { params: { projectId } });
  expect(project).toMatchObject({
    sending: { can_send: false, reason: 'account_suspended' },
    waiting_for: 'account_suspended',
  });
  const { body: me } = await customer.api.call(getCurrentUser);
  expect(me.suspension).toMatchObject({ reason });
  const byKey = createApiClient(app.url, { 'x-auth-key': project.auth_key ?? '' });
  const refusal = await byKey.refuse(sendMessage, { body: { to: '14155552000', message: 'Hello' } });
  expect(refusal).toMatchObject({
    status: 403,
    body: { code: 'account_suspended', message: `This account is suspended: ${reason}` },
  });
  expect((await customer.api.call(listPhoneNumbers, { params: { projectId } })).body.data).toHaveLength(1);

  const invited = { email: `guest-${customer.email}`, role: 'viewer' as const };
  expect(await customer.api.refuse(invite, { body: invited })).toMatchObject({
    status: 403,
    body: { code: 'account_suspended' },
  });

  await admin('accounts', 'resume', String(customer.id));
  expect((await customer.api.call(invite, { body: invited })).status).toBe(201);
  const before = (await get(scene, campaign)).sent_count;
  await until(scene, campaign, { waiting_for: null });
  await expect.poll(async () => (await get(scene, campaign)).sent_count).toBeGreaterThan(before);
  expect((await customer.api.call(getCurrentUser)).body.suspension).toBeNull();
});

test('the managers of an account are told of its suspension and of the end, and of no end that changes nothing', async () => {
  const customer = await signUpSubscriber(app.url);
  await admin('accounts', 'suspend', String(customer.id), '--reason', reason);
  for (const _ of [1, 2]) await admin('accounts', 'resume', String(customer.id));
  const directory = join(app.ctx.config.dataDir, 'mail');
  const subjects = async () => {
    const names = (await readdir(directory)).filter((name) => name.endsWith('.txt'));
    const mails = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
    const own = mails.filter((mail) => mail.includes(`To: ${customer.email}\n`));
    return own.flatMap((mail) => /^Subject: (.*suspended.*)$/m.exec(mail)?.[1] ?? []).toSorted();
  };
  await expect
    .poll(subjects)
    .toEqual(['Dovepost: your account is not suspended any more', 'Dovepost: your account is suspended']);
});

test('access is granted without a payment, and payments taken later keep it', async () => {
  const customer = await signUp(app.url);
  await admin('accounts', 'grant', String(customer.id), '--days', '30');
  const { body } = await customer.api.call(getCurrentUser);
  expect(body.subscription).toMatchObject({ hasActiveSubscription: true, status: 'cancelled' });
  const subscriber = await signUpSubscriber(app.url);
  expect(await admin('accounts', 'show', String(subscriber.id))).toMatchObject({ access_until: 'infinity' });
  await makeProject(customer);
});

test('an operator lets an account have more projects than its plan, and takes that back', async () => {
  const customer = await signUpSubscriber(app.url);
  const limit = async () => (await customer.api.call(getCurrentUser)).body.account.project_limit;
  await makeProject(customer);
  expect(await limit()).toBe(1);
  const another = { body: { name: 'Another' } };
  expect((await customer.api.refuse(createProject, another)).body.code).toBe('project_limit');
  const shown = await admin('accounts', 'allow-projects', String(customer.id), '--projects', '2');
  expect(shown).toMatchObject({ project_limit: 2, acts: [{ action: 'accounts allow-projects', operator: 'grace' }] });
  expect(await limit()).toBe(2);
  await customer.api.call(createProject, another);
  expect((await customer.api.refuse(createProject, another)).body.code).toBe('project_limit');
  await admin('accounts', 'allow-projects', String(customer.id), '--projects', '0');
  expect(await limit()).toBe(1);
  await expect(admin('accounts', 'allow-projects', String(customer.id), '--projects', '-1')).rejects.toThrow(
    '--projects',
  );
});

test('a person who has lost phone and codes signs in by the password again', async () => {
  const customer = await signUp(app.url);
  const { secret } = (await customer.api.call(setUpTotp)).body;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await customer.api.call(confirmTotp, { body: { code } });
  expect(await admin('users', 'find', customer.email)).toMatchObject([
    { id: customer.id, authenticator: true, passkeys: 0, works_in: [{ account: customer.id, role: 'owner' }] },
  ]);
  const shown = await admin('users', 'reset-two-factor', customer.email.toUpperCase());
  expect(shown).toMatchObject({ id: customer.id, authenticator: false });
  expect(await admin('acts', 'list', '--account', String(customer.id))).toMatchObject([
    { action: 'users reset-two-factor', operator: 'grace' },
  ]);
  // A finder of the phone has nothing left either.
  expect((await customer.api.refuse(getTwoFactor)).status).toBe(401);
  const { email, password } = customer;
  const { token } = SignedIn.parse((await createApiClient(app.url).call(login, { body: { email, password } })).body);
  const api = createApiClient(app.url, { authorization: token });
  expect((await api.call(getTwoFactor)).body).toMatchObject({
    totp: null,
    passkeys: 0,
    recovery_codes_left: 0,
  });
  // As it was typed in releases before.
  await expect(admin('accounts', 'reset-two-factor', String(customer.id))).rejects.toThrow('Second factor not found');
});

test('an account that an operator deletes is suspended until then, which the operator alone takes back', async () => {
  const customer = await signUpSubscriber(app.url);
  await makeProject(customer);
  const id = String(customer.id);
  const shown = await admin('accounts', 'delete', id, '--reason', reason, '--days', '20');
  expect(shown).toMatchObject({ acts: [{ action: 'accounts delete', operator: 'grace', details: { days: 20 } }] });
  const { body: me } = await customer.api.call(getCurrentUser);
  expect(me.suspension?.reason).toMatch(/^Several people complained .* It is to be deleted on \d+ \w+ \d{4}\.$/);
  expect(me.deletes_at).toBe(shown['deletes_at']);
  expect((await customer.api.refuse(keepAccount)).body.code).toBe('not_to_be_deleted');
  await deleteDueAccounts(app.ctx);
  expect(await admin('accounts', 'resume', id)).toMatchObject({ deletes_at: null, suspended_at: null });
  expect((await customer.api.call(getCurrentUser)).body).toMatchObject({ suspension: null, deletes_at: null });

  await admin('accounts', 'delete', id, '--reason', 'No full stop', '--days', '0');
  const { body: again } = await customer.api.call(getCurrentUser);
  expect(again.suspension?.reason).toMatch(/^No full stop\. It is to be deleted/);
  await deleteDueAccounts(app.ctx);
  expect((await customer.api.refuse(getCurrentUser)).status).toBe(401);
  expect(await admin('accounts', 'show', id)).toMatchObject({ name: 'Deleted', deleted_at: expect.any(String) });
  await expect(admin('accounts', 'delete', id, '--reason', reason)).rejects.toThrow('Account not found');
  await expect(admin('accounts', 'grant', id, '--days', '3')).rejects.toThrow('Account not found');
});

test('an account is found by a part of its e-mail, and a phone shows who holds it', async () => {
  const customer = await signUpSubscriber(app.url);
  const { id: projectId } = await makeProject(customer);
  const phone = await connectSandboxPhone(customer, projectId);
  expect(await admin('accounts', 'find', customer.email.slice(0, 12).toUpperCase())).toMatchObject([
    { id: customer.id, email: customer.email },
  ]);
  const held = await admin('phones', 'show', `+${phone.phone_number}`);
  expect(held).toMatchObject({ id: phone.id, status: 'connected', waiting: 0 });
  const released = await admin('phones', 'release', String(phone.id));
  expect(released['lease_token']).not.toBe(held['lease_token']);
  const lease = async () => {
    const { rows } = await app.ctx.pool.query(
      'select token, expires_at > now() as is_held from phone_leases where phone_id = $1',
      [phone.id],
    );
    return rows[0];
  };
  await expect.poll(lease).toMatchObject({ is_held: true });
  expect((await lease()).token).toBeGreaterThan(Number(held['lease_token']));
});

test('a number that several accounts have is shown by the ids that it may mean', async () => {
  const [one, other] = [await signUpSubscriber(app.url), await signUpSubscriber(app.url)];
  const phone_number = '14155550100';
  const add = async (customer: typeof one) =>
    connectSandboxPhone(customer, (await makeProject(customer)).id, { phone_number });
  const [first, second] = [await add(one), await add(other)];
  for (const command of ['show', 'release']) {
    await expect(admin('phones', command, '+1 415 555 0100')).rejects.toThrow(
      `+1 415 555 0100 is the number of several phones. Ask for one by its id: ${first.id} (account ${one.id}), ${second.id} (account ${other.id})`,
    );
  }
  expect(await admin('phones', 'show', String(second.id))).toMatchObject({ account_id: other.id });
});

test('a message is traced to what became of it, and to why it waits', async () => {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer, 'http://127.0.0.1:9/hook');
  const phone = await connectSandboxPhone(customer, project.id);
  const byKey = createApiClient(app.url, { 'x-auth-key': project.auth_key ?? '' });
  const { body: sent } = await byKey.call(sendMessage, { body: { to: '14155552000', message: 'Hello' } });
  const trace = await admin('messages', 'trace', String(sent.id));
  expect(trace).toMatchObject({ id: sent.id, phone_id: phone.id, webhooks: [{ type: 'message.sent' }] });
  expect(trace['why']).toMatch(/^It was sent [\d.]+ s after it was accepted$/);
  // Receipts that are still to come would settle it anew.
  await expect.poll(async () => (await admin('messages', 'trace', String(sent.id)))['status']).toBe('read');
  // Due later, so that its phone, which is connected, does not send it meanwhile.
  await app.ctx.pool.query(
    `update messages set status = 'pending', sent_at = null, retry_at = now() + interval '1 hour' where id = $1`,
    [sent.id],
  );
  await app.ctx.pool.query(`update phones set status = 'disconnected', error = 'No network' where id = $1`, [phone.id]);
  expect(await admin('messages', 'trace', String(sent.id))).toMatchObject({
    why: 'Its phone is disconnected: No network',
  });
  const away = (await admin('phones', 'away')) as unknown as { id: number }[];
  expect(away.some(({ id }) => id === phone.id)).toBe(true);
});

test('failed webhooks are due again; jobs, workers, loud accounts and acts are listed', async () => {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer, 'http://127.0.0.1:9/hook');
  await connectSandboxPhone(customer, project.id);
  const byKey = createApiClient(app.url, { 'x-auth-key': project.auth_key ?? '' });
  const { body: sent } = await byKey.call(sendMessage, { body: { to: '14155552000', message: 'Hello' } });
  await app.ctx.pool.query(
    `update webhook_records set status = 'failed', next_attempt_at = null where message_id = $1`,
    [sent.id],
  );
  expect(await admin('webhooks', 'requeue', String(customer.id))).toMatchObject({ refused: 0, isMoreLeft: false });
  const { id: foreignId } = await makeProject(await signUpSubscriber(app.url));
  const requeued = admin('webhooks', 'requeue', String(customer.id), '--project', String(foreignId));
  await expect(requeued).rejects.toThrow('Project not found');
  expect(await admin('acts', 'list', '--account', String(customer.id))).toMatchObject([{ action: 'webhooks requeue' }]);
  expect(await admin('jobs', 'list')).toContainEqual(expect.objectContaining({ name: 'phones.assess' }));
  expect(await admin('workers', 'list')).toHaveLength(1);
  const loudest = await admin('figures', 'loudest');
  expect(loudest).toContainEqual(expect.objectContaining({ account_id: customer.id, email: customer.email }));
});

test.each([
  [['accounts'], 'accounts suspend ID --reason TEXT'],
  [['accounts', 'suspend', '7'], '--reason: expected a sentence'],
  [['accounts', 'show', 'x'], 'Expected an id, got x'],
  [['accounts', 'delete', '7'], '--reason: expected a sentence'],
  [['accounts', 'delete', '7', '--reason', 'x', '--days', '-1'], '--days'],
  [['users', 'reset-two-factor', 'nobody@example.com'], 'User not found'],
  [['accounts', 'show', '999999'], 'Account not found'],
  [['accounts', 'show'], 'Expected ID after it'],
  [['jobs', 'list', '--wrong'], "Unknown option '--wrong'"],
])('%j is refused with how it is typed', async (argv, words) => {
  await expect(async () => adminCommand(argv)(app.ctx)).rejects.toThrow(words);
});

test('without --json an answer is a table, or a line a field', async () => {
  const { id, email } = await signUp(app.url);
  expect(await adminCommand(['accounts', 'find', email])(app.ctx)).toMatch(/^id +name +email/);
  expect(await adminCommand(['accounts', 'show', String(id)])(app.ctx)).toContain(`email              ${email}`);
});
