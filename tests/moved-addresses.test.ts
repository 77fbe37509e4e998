import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { confirmEmail, forgotPassword, login, resetPassword } from '#contracts/accounts.ts';
import { getCampaignReport } from '#contracts/campaigns.ts';
import { listMessages } from '#contracts/messages.ts';
import * as oidc from '#contracts/oidc.ts';
import { signUpOfficialNumber } from '#contracts/official-sign-up.ts';
import { getInvitation, invite } from '#contracts/team.ts';
import { followDirectory } from '#server/modules/identity/cells/index.ts';
import { whenBackgroundWorkIsDone } from '#server/modules/identity/users/index.ts';
import { createToken, hashToken } from '#server/platform/secrets.ts';
import { CloudApiStandIn } from './cloud-api/stand-in.ts';
import { createApiClient } from './support/api-client.ts';
import type { TestApplication } from './support/application.ts';
import { create, makeScene, until } from './support/campaign-scene.ts';
import { connectSandboxPhone, makeProject, proveIdentity, signUp, signUpSubscriber } from './support/customer.ts';
import { startIdentityProvider } from './support/identity-provider.ts';
import type { IdentityProviderStandIn } from './support/identity-provider.ts';
import { officialScene } from './support/official-scene.ts';
import { cellAddresses, startTwoCells } from './support/two-cells.ts';
import type { TwoCells } from './support/two-cells.ts';
import { startWebhookReceiver, verifyWebhook } from './webhook-receiver.ts';

let cells: TwoCells;
let one: TestApplication;
let two: TestApplication;
let meta: CloudApiStandIn;
let provider: IdentityProviderStandIn;

beforeAll(async () => {
  meta = await CloudApiStandIn.listen();
  provider = await startIdentityProvider(`${cellAddresses.public}/login/callback`);
  cells = await startTwoCells({ ...meta.operatorSettings, ...provider.env });
  ({ one, two } = cells);
  // Each cell hands on to where the other listens, which its PUBLIC_URL does not know.
  for (const [name, { url }] of Object.entries({ public: one, cell_b: two })) {
    await cells.database.pool.query('update cells set url = $2 where name = $1', [name, url]);
  }
});
afterAll(async () => {
  await cells[Symbol.asyncDispose]();
  await provider.stop();
  await meta.close();
});

const person = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/130 Mobile Safari/537.36';

const open = (url: string, init: RequestInit = {}) =>
  fetch(url, { redirect: 'manual', headers: { 'user-agent': person }, ...init });

async function afterRounds(): Promise<void> {
  for (const app of [one, two]) await followDirectory(app.ctx);
}

test('links, preference pages and webhooks of an account that was made in one cell go on in the other', async () => {
  await using receiver = await startWebhookReceiver();
  const shop = 'https://shop.example.com/spring';
  const scene = await makeScene(two, [{ phone: '14155556101' }]);
  const campaign = await create(scene, { message: `{link:${shop}} {preferences_link}` });
  await until(scene, campaign, { status: 'completed', sent_count: 1 });
  const { rows } = await cells.database.pool.query<{ body: string }>(
    'select body from cell_b.messages where campaign_id = $1',
    [campaign.id],
  );
  const [link = '', page = ''] = Array.from(rows[0]?.body.matchAll(/\/[lp]\/[\w-]{22}/g) ?? [], ([path]) => path);
  const hooked = await makeProject(scene.customer, receiver.url);
  await connectSandboxPhone(scene.customer, hooked.id);
  expect((await open(two.url + page)).status).toBe(200);

  await cells.move(scene.customer, 'public');
  await afterRounds();
  for (const path of [link, page]) {
    const answer = await open(two.url + path);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, one.url + path]);
  }
  expect((await open(one.url + link)).headers.get('location')).toBe(shop);
  const api = createApiClient(one.url, { authorization: scene.customer.token });
  const { body: report } = await api.call(getCampaignReport, { params: { campaignId: campaign.id } });
  expect(report.clicked).toBe(1);
  expect((await open(one.url + page)).status).toBe(200);
  const form = { method: 'POST', body: new URLSearchParams({ all: 'stop' }) };
  const late = await open(two.url + page, form);
  expect([late.status, late.headers.get('refresh')]).toEqual([200, `0; url=${one.url}${page}`]);
  expect((await open(one.url + page, form)).status).toBe(303);

  // A customer's server verifies what the new cell signs with the secret that it has.
  const sent = await fetch(`${one.url}/api/send-message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-key': hooked.auth_key },
    body: JSON.stringify({ to: '14155556102', message: 'Hello' }),
  });
  const { id } = (await sent.json()) as { id: number };
  const verified = () => receiver.received.map((webhook) => verifyWebhook(hooked.webhook_secret, webhook));
  await expect.poll(verified).toContainEqual(expect.objectContaining({ data: expect.objectContaining({ id }) }));

  for (const path of ['/l/', '/p/']) expect((await open(`${two.url}${path}${'A'.repeat(22)}`)).status).toBe(404);
});

/** The newest mail to an address that has the text. */
async function mailTo(email: string, text: string): Promise<string> {
  await whenBackgroundWorkIsDone();
  const directory = join(one.ctx.config.dataDir, 'mail');
  const mails = await Promise.all((await readdir(directory)).map((name) => readFile(join(directory, name), 'utf8')));
  return mails.find((mail) => mail.includes(`To: ${email}\n`) && mail.includes(text)) ?? '';
}

const tokenIn = (mail: string) => /token=(\w+)/.exec(mail)?.[1] ?? '';

test('links in mails lead to the cell of an account that has moved since, and work there', async () => {
  const customer = await signUpSubscriber(one.url);
  await proveIdentity(customer);
  const { body: invited } = await customer.api.call(invite, {
    body: { email: `guest-${customer.email}`, role: 'viewer', project_ids: null },
  });
  const invitation = { params: { token: invited.url.split('/').at(-1) ?? '' } };
  const newEmail = `new-${customer.email}`;
  // As an installation with a mail server asks for it.
  const confirmation = { body: { token: createToken('email') } };
  await cells.database.pool.query(
    `insert into email_links (account_id, token_hash, email, email_key, expires_at)
     values ($1, $2, $3, $3, now() + interval '1 hour')`,
    [customer.id, hashToken(confirmation.body.token), newEmail],
  );
  const anyone = { one: createApiClient(one.url), two: createApiClient(two.url) };
  await anyone.one.call(forgotPassword, { body: { email: customer.email } });
  const password = 'another horse battery';
  const reset = { body: { token: tokenIn(await mailTo(customer.email, '/reset-password?token=')), password } };
  expect((await anyone.one.call(getInvitation, invitation)).status).toBe(200);

  await cells.move(customer, 'cell_b');
  await afterRounds();
  const elsewhere = { status: 421, body: { code: 'other_cell', url: two.url } };
  expect(await anyone.one.refuse(getInvitation, invitation)).toMatchObject(elsewhere);
  expect(await anyone.one.refuse(confirmEmail, confirmation)).toMatchObject(elsewhere);
  expect(await anyone.one.refuse(resetPassword, reset)).toMatchObject(elsewhere);
  expect((await anyone.two.call(getInvitation, invitation)).body.email).toBe(invited.email);
  expect((await anyone.two.call(confirmEmail, confirmation)).status).toBe(200);
  expect(await followDirectory(two.ctx)).toBeGreaterThan(0);
  await anyone.one.call(forgotPassword, { body: { email: newEmail } });
  expect(await mailTo(newEmail, 'Ask for a link')).toContain(`${two.url}/forgot-password`);
  await anyone.two.call(forgotPassword, { body: { email: newEmail } });
  const { token } = { token: tokenIn(await mailTo(newEmail, '/reset-password?token=')) };
  expect((await anyone.two.call(resetPassword, { body: { token, password } })).status).toBe(200);
  expect((await anyone.two.call(login, { body: { email: newEmail, password } })).status).toBe(200);
  // Used up there, it leads nowhere here once the directory was put right.
  await afterRounds();
  expect((await anyone.one.refuse(resetPassword, { body: { token, password } })).status).toBe(422);
});

test("Meta's webhooks of a number that has moved arrive by the old address", async () => {
  const scene = await officialScene(one, meta);
  await cells.move(scene.customer, 'cell_b');
  await afterRounds();
  // As Meta does it when the address is saved once more.
  await meta.webhooks.configure(scene.callback, scene.phone.cloud?.verify_token ?? '');
  meta.receiveText('4915110006201', 'Hello from before');
  const api = createApiClient(two.url, { authorization: scene.customer.token });
  const texts = async () =>
    (
      await api.call(listMessages, { params: { projectId: scene.project.id }, query: { direction: 'incoming' } })
    ).body.data.map(({ message }) => message);
  await expect.poll(texts).toEqual(['Hello from before']);
  const forged = (headers: Record<string, string>) =>
    fetch(scene.callback, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${'0'.repeat(64)}`, ...headers },
      body: '{}',
    });
  expect((await forged({})).status).toBe(401);
  // Handed on once at the most.
  expect((await forged({ 'x-dovepost-handed-on': '1' })).status).toBe(404);
  await cells.database.pool.query(`update cells set url = 'http://127.0.0.1:9' where name = 'cell_b'`);
  onTestFinished(async () => {
    await cells.database.pool.query(`update cells set url = $1 where name = 'cell_b'`, [two.url]);
  });
  expect((await forged({})).status).toBe(503);
});

test("webhooks of the operator's app reach a number wherever it signed up, by the callback of either cell", async () => {
  const customer = await signUpSubscriber(two.url);
  const project = await makeProject(customer);
  const redirectUri = `${two.url}/official-sign-up`;
  meta.signUps.redirectUris.add(redirectUri);
  await customer.api.call(signUpOfficialNumber, {
    params: { projectId: project.id },
    body: { code: meta.signUps.grant(redirectUri), redirect_uri: redirectUri },
  });
  expect(await meta.webhooks.configure(`${one.url}/hooks/whatsapp`, meta.verifyToken)).toBe(true);
  await expect.poll(() => meta.account.isSubscribed).toBe(true);
  meta.receiveText('4915110006202', 'Hello by the other cell');
  const texts = async () =>
    (
      await customer.api.call(listMessages, { params: { projectId: project.id }, query: { direction: 'incoming' } })
    ).body.data.map(({ message }) => message);
  await expect.poll(texts).toEqual(['Hello by the other cell']);
});

/** Through the provider and back, as a browser goes. */
async function signInByProvider(subject: string) {
  const { body, headers } = await createApiClient(one.url).call(oidc.beginOidc);
  const address = await provider.visit(body.url, subject);
  const answer = Object.fromEntries(address.searchParams) as { code: string; state: string };
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  return createApiClient(one.url, { cookie }).refuse(oidc.signInWithOidc, { body: answer });
}

test('a sign-in by a provider leads to the cell of its person, by the identity or by the address, and makes nobody anew', async () => {
  const elsewhere = { status: 421, body: { code: 'other_cell', url: two.url } };
  const customer = await signUp(one.url);
  provider.people.set('moved', { email: customer.email, email_verified: true, name: 'Grace' });
  await cells.database.pool.query(
    'insert into oidc_identities (issuer, subject, account_id, linked_at) values ($1, $2, $3, now())',
    [provider.issuer, 'moved', customer.id],
  );
  await cells.move(customer, 'cell_b');
  await afterRounds();
  expect(await signInByProvider('moved')).toMatchObject(elsewhere);
  provider.people.set('moved', { email: 'renamed@example.com', email_verified: true, name: 'Grace' });
  expect(await signInByProvider('moved')).toMatchObject(elsewhere);
  const other = await signUp(two.url);
  provider.people.set('other', { email: other.email, email_verified: true, name: 'Ada' });
  expect(await signInByProvider('other')).toMatchObject(elsewhere);
});
