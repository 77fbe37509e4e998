import { createHmac, randomInt } from 'node:crypto';
import pg from 'pg';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listAuditEvents } from '#contracts/audit.ts';
import { getOfficialSignUp, signUpOfficialNumber } from '#contracts/official-sign-up.ts';
import type { NewOfficialSignUp } from '#contracts/official-sign-up.ts';
import { listMessages } from '#contracts/messages.ts';
import {
  addPhoneNumber,
  getPhoneNumber,
  listPhoneNotices,
  testPhoneNumber,
  updatePhoneNumber,
} from '#contracts/phone-numbers.ts';
import { createGraph } from '#server/connectors/messaging/cloud/graph.ts';
import { takeSignUp } from '#server/connectors/messaging/cloud/sign-up.ts';
import { CloudApiStandIn } from './cloud-api/stand-in.ts';
import { escapedJson } from './cloud-api/webhooks.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';
import { createTestClock } from './support/test-clock.ts';

const redirectUri = 'https://dovepost.example.com/official-sign-up';
/** Of Meta alone: the product goes by the day. */
const clock = createTestClock();

let meta: CloudApiStandIn;
let app: TestApplication;

beforeAll(async () => {
  meta = await CloudApiStandIn.listen({ clock });
  app = await startTestApplication({ env: meta.operatorSettings });
  meta.signUps.redirectUris.add(redirectUri);
  return async () => {
    await app[Symbol.asyncDispose]();
    await meta.close();
  };
});

beforeEach(() => {
  Object.assign(meta.number, { isRegistered: true, isShared: false, pin: null, registerCalls: 0, handedOver: [] });
  Object.assign(meta.signUps, {
    tokenEndsAt: 0,
    sharedAccounts: [meta.account.id],
    scopes: ['whatsapp_business_management', 'whatsapp_business_messaging', 'public_profile'],
  });
  meta.account.isSubscribed = false;
  meta.requests.length = 0;
});

type Body = Partial<NewOfficialSignUp>;

async function business() {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const { api } = customer;
  const call = (parts: Body = {}) => ({
    params: { projectId: project.id },
    body: { code: meta.signUps.grant(redirectUri), redirect_uri: redirectUri, ...parts },
  });
  return {
    api,
    project,
    signUp: (parts?: Body) => api.call(signUpOfficialNumber, call(parts)),
    refuse: (parts?: Body) => api.refuse(signUpOfficialNumber, call(parts)),
    isConnected: (phoneId: number) =>
      expect
        .poll(async () => (await api.call(getPhoneNumber, { params: { phoneId } })).body, { timeout: 15_000 })
        .toMatchObject({ is_connected: true }),
    notices: async (phoneId: number) =>
      (await api.call(listPhoneNotices, { params: { phoneId }, query: {} })).body.data,
    records: async () => (await api.call(listMessages, { params: { projectId: project.id }, query: {} })).body.data,
  };
}

describe('a business that signs up at Meta', () => {
  test('has its number added, registered with its PIN, subscribed and connected, and is shown no secret', async () => {
    const { api, signUp, isConnected } = await business();
    Object.assign(meta.number, { isRegistered: false, pin: '246810' });
    const { status, body: phone } = await signUp({
      business_account_id: meta.account.id,
      phone_number_id: meta.number.id,
      pin: '246810',
      name: 'Larkspur',
    });
    expect(status).toBe(201);
    expect(phone).toMatchObject({
      phone_number: meta.number.display,
      connector: 'cloud',
      name: 'Larkspur',
      cloud: { phone_number_id: meta.number.id, business_account_id: meta.account.id, signed_up: true },
    });
    await isConnected(phone.id);
    expect(meta.requests).toContain(`POST /v25.0/${meta.account.id}/subscribed_apps`);
    expect(meta.number).toMatchObject({ isRegistered: true, registerCalls: 1 });
    const [token = ''] = [...meta.signUps.tokens.keys()];
    for (const secret of [token, meta.appSecret]) expect(JSON.stringify(phone)).not.toContain(secret);
    const { body: log } = await api.call(listAuditEvents, { query: { action: 'phone.signed_up' } });
    expect(log.data).toMatchObject([{ action: 'phone.signed_up', target: { id: phone.id } }]);
  });

  test('has the number that came last where its browser heard no ids', async () => {
    const { signUp } = await business();
    const later = meta.account.addNumber({
      id: String(randomInt(1e12, 9e12)),
      display: '14155550142',
      onboardedAt: '2026-03-04T10:00:00+0000',
    });
    const { body: phone } = await signUp();
    meta.account.numbers.delete(later.id);
    expect(phone).toMatchObject({ phone_number: later.display, cloud: { phone_number_id: later.id } });
  });

  test('is asked for a PIN by the test where the number is not registered', async () => {
    const { api, signUp } = await business();
    Object.assign(meta.number, { isRegistered: false });
    const { body: phone } = await signUp();
    await expect
      .poll(async () => (await api.call(getPhoneNumber, { params: { phoneId: phone.id } })).body.error)
      .toBe('The number is not registered. Enter its six-digit PIN.');
  });

  test('shares what the Business app holds at once, before any webhook, and is never registered', async () => {
    const { signUp, isConnected } = await business();
    Object.assign(meta.number, { isShared: true, isRegistered: false });
    const { body: phone } = await signUp({ business_account_id: meta.account.id });
    await isConnected(phone.id);
    await expect.poll(() => meta.number.handedOver).toEqual(['smb_app_state_sync', 'history']);
    expect(meta.number.registerCalls).toBe(0);
  });

  test('signs up again, and its access takes the place of the earlier one', async () => {
    const { api, signUp, isConnected } = await business();
    const first = await signUp({ pin: '135791' });
    await isConnected(first.body.id);
    const [before = ''] = [...meta.signUps.tokens.keys()].slice(-1);
    const again = await signUp();
    expect(again).toMatchObject({ status: 200, body: { id: first.body.id } });
    meta.signUps.tokens.delete(before);
    const { body } = await api.call(testPhoneNumber, { params: { phoneId: first.body.id } });
    expect(body.checks.find(({ name }) => name === 'token')).toMatchObject({ ok: true });
  });

  test('is told in time that its access ends', async () => {
    const { api, signUp } = await business();
    const days = (count: number) => Math.floor(Date.now() / 1000) + count * 86_400;
    const tokenCheck = async (phoneId: number) =>
      (await api.call(testPhoneNumber, { params: { phoneId } })).body.checks.find(({ name }) => name === 'token');
    meta.signUps.tokenEndsAt = days(60);
    const { body: phone } = await signUp();
    expect(await tokenCheck(phone.id)).toMatchObject({ ok: true, message: /before then/ });
    meta.signUps.tokenEndsAt = days(5);
    await signUp();
    expect(await tokenCheck(phone.id)).toMatchObject({ ok: false, message: /Continue with Meta again before then/ });
  });

  test("enters an app of its own afterwards, and is no longer of the operator's", async () => {
    const { api, signUp } = await business();
    const { body: phone } = await signUp();
    const cloud = { access_token: meta.token, app_secret: 'a-secret-of-their-own' };
    await api.call(updatePhoneNumber, { params: { phoneId: phone.id }, body: { cloud } });
    expect((await api.call(getPhoneNumber, { params: { phoneId: phone.id } })).body.cloud?.signed_up).toBe(false);
  });
});

describe('a sign-up that Meta does not complete is refused with the sentence that mends it', () => {
  test.each<[string, (signUps: CloudApiStandIn['signUps']) => Body, RegExp]>([
    [
      'a code that was used',
      (signUps) => {
        const code = signUps.grant(redirectUri);
        signUps.exchange(
          new URLSearchParams({
            client_id: meta.appId,
            client_secret: meta.appSecret,
            redirect_uri: redirectUri,
            code,
          }),
        );
        return { code };
      },
      /was used before\. Choose Continue with Meta again/,
    ],
    [
      'a code that has expired',
      (signUps) => {
        const code = signUps.grant(redirectUri);
        clock.advance(31_000);
        return { code };
      },
      /lasts 30 seconds/,
    ],
    ['a code that is none', () => ({ code: 'x' }), /Invalid verification code format/],
    [
      'another address than the dialog was given',
      () => ({ redirect_uri: 'https://elsewhere.example.com/official-sign-up' }),
      /The operator of this server enters https:\/\/elsewhere\.example\.com\/official-sign-up/,
    ],
    [
      'permissions that were taken out',
      (signUps) => {
        signUps.scopes = ['whatsapp_business_messaging'];
        return {};
      },
      /without whatsapp_business_management/,
    ],
    [
      'no business account',
      (signUps) => {
        signUps.sharedAccounts = [];
        return {};
      },
      /shared no WhatsApp Business Account/,
    ],
    ["another business's account", () => ({ business_account_id: '99999999' }), /shared no WhatsApp Business Account/],
    ["another business's number", () => ({ phone_number_id: '99999999' }), /has no number that Meta shows/],
  ])('%s', async (_case, prepare, sentence) => {
    const { refuse } = await business();
    expect(await refuse(prepare(meta.signUps))).toMatchObject({
      status: 422,
      body: { code: 'sign_up_refused', message: expect.stringMatching(sentence) as string },
    });
  });

  test.each([
    ['a wrong secret of the app', { secret: 'wrong' }, /CLOUD_API_APP_SECRET/],
    ['an app that there is not', { id: '12345' }, /CLOUD_API_APP_ID/],
  ])('%s, which the operator mends', async (_case, wrong, sentence) => {
    const graph = createGraph({ baseUrl: meta.url, version: 'v25.0' });
    const signUp = { code: meta.signUps.grant(redirectUri), redirectUri, businessAccountId: undefined };
    const answer = await takeSignUp(
      graph,
      { id: meta.appId, secret: meta.appSecret, ...wrong },
      { ...signUp, phoneNumberId: undefined },
    );
    expect(answer).toMatchObject({ kind: 'refused', reason: expect.stringMatching(sentence) as string });
  });

  test('a Meta that is away is a 502, and nothing is kept', async () => {
    const { refuse } = await business();
    meta.faults.outage = 503;
    const answer = await refuse();
    meta.faults.outage = undefined;
    expect(answer).toMatchObject({ status: 502, body: { code: 'network_refused' } });
  });

  test('a number that is linked here is named, and stays', async () => {
    const { api, project, refuse } = await business();
    await api.call(addPhoneNumber, {
      params: { projectId: project.id },
      body: { phone_number: meta.number.display, connector: 'whatsapp' },
    });
    expect(await refuse()).toMatchObject({
      status: 409,
      body: { code: 'phone_exists', message: expect.stringContaining('Delete it there') as string },
    });
  });
});

test('the dialog is named with the app and its configuration, and with no secret', async () => {
  const { api } = await business();
  const { body } = await api.call(getOfficialSignUp, {});
  const url = new URL(body.dialog_url ?? '');
  expect(`${url.origin}${url.pathname}`).toBe(`${meta.url}/v25.0/dialog/oauth`);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: meta.appId,
    config_id: meta.configurationId,
    response_type: 'code',
  });
  expect(body.dialog_url).not.toContain(meta.appSecret);
});

describe("the callback of the operator's app", () => {
  const callback = () => `${app.url}/hooks/whatsapp`;

  const post = (body: string, secret = meta.appSecret) =>
    fetch(callback(), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      },
      body,
    });

  const entryOf = (ids: { account: string; number: string }, from: string, text: string) => ({
    id: ids.account,
    changes: [
      {
        field: 'messages',
        value: {
          messaging_product: 'whatsapp',
          metadata: { display_phone_number: meta.number.display, phone_number_id: ids.number },
          contacts: [{ profile: { name: 'Ana' }, wa_id: from }],
          messages: [
            { from, id: `wamid.${from}.${ids.account}`, timestamp: '1780000000', type: 'text', text: { body: text } },
          ],
        },
      },
    ],
  });

  /** The same number under ids of its own, as of another business. */
  async function withIdsOfItsOwn(phoneId: number) {
    const ids = { account: String(randomInt(1e12, 9e12)), number: String(randomInt(1e12, 9e12)) };
    const client = new pg.Client({ connectionString: app.ownerConnectionString });
    await client.connect();
    await client.query('update cloud_numbers set business_account_id = $1, phone_number_id = $2 where phone_id = $3', [
      ids.account,
      ids.number,
      phoneId,
    ]);
    await client.end();
    return ids;
  }

  test('is verified by the verify token of the settings alone', async () => {
    expect(await meta.webhooks.configure(callback(), 'wrong')).toBe(false);
    expect(await meta.webhooks.configure(callback(), meta.verifyToken)).toBe(true);
  });

  test('brings each account the news of its own business', async () => {
    const [one, other] = [await business(), await business()];
    const [{ body: onesPhone }, { body: othersPhone }] = [await one.signUp(), await other.signUp()];
    const ids = await withIdsOfItsOwn(onesPhone.id);
    const others = await withIdsOfItsOwn(othersPhone.id);
    const entry = [
      entryOf(ids, '4915112340001', 'For one ✓'),
      entryOf(others, '4915112340002', 'For the other'),
      entryOf({ account: '1', number: '2' }, '4915112340003', 'For nobody'),
      {
        id: others.account,
        changes: [{ field: 'account_alerts', value: { alert_info: { alert_type: 'OBA_REJECTED' } } }],
      },
    ];
    const answer = await post(escapedJson({ object: 'whatsapp_business_account', entry }));
    expect(answer.status).toBe(200);
    const textsOf = async ({ records }: typeof one) => (await records()).map(({ message }) => message);
    await expect.poll(() => textsOf(one)).toEqual(['For one ✓']);
    await expect.poll(() => textsOf(other)).toEqual(['For the other']);
    await expect.poll(() => other.notices(othersPhone.id)).toHaveLength(1);
    expect(await one.notices(onesPhone.id)).toEqual([]);
  });

  test('takes nothing that is not signed by the app', async () => {
    const one = await business();
    const ids = await withIdsOfItsOwn((await one.signUp()).body.id);
    const body = escapedJson({
      object: 'whatsapp_business_account',
      entry: [entryOf(ids, '4915112340009', 'Forged')],
    });
    const answer = await post(body, 'another-secret');
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: 'invalid_signature' });
  });

  test.each([
    ['half a body', '{'],
    ['no object', '[]'],
    ['no list', '{"entry":{}}'],
    ['a list that lies too deep in itself', `{"entry":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ])('answers what is signed and no webhook, and keeps none of it: %s', async (_case, body) => {
    expect((await post(body)).status).toBe(200);
  });
});
