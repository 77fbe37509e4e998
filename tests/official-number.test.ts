import { createHmac } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, onTestFinished, test } from 'vitest';
import { getMessage, listMessages } from '#contracts/messages.ts';
import type { Message } from '#contracts/messages.ts';
import {
  addPhoneNumber,
  connectPhone,
  deletePhoneNumber,
  getPhoneNumber,
  listPhoneNotices,
  testPhoneNumber,
  updatePhoneNumber,
} from '#contracts/phone-numbers.ts';
import type { CloudAccess, PhoneNumber } from '#contracts/phone-numbers.ts';
import { changePhoneProfile, getPhoneProfile } from '#contracts/phone-profile.ts';
import type { CloudApiStandIn } from './cloud-api/stand-in.ts';
import type { TestApplication } from './support/application.ts';
import { setUpOfficial } from './support/official-application.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';

let meta: CloudApiStandIn;
let app: TestApplication;

setUpOfficial((started) => ({ meta, app } = started));

/** The product under test listens on a port that the system chose, which its PUBLIC_URL does not know. */
const callbackOf = (phone: PhoneNumber) => new URL(new URL(phone.cloud?.callback_url ?? '').pathname, app.url).href;

async function addOfficial(access: CloudAccess = meta.credentials) {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const { api } = customer;
  const { body: phone } = await api.call(addPhoneNumber, {
    params: { projectId: project.id },
    body: { phone_number: meta.number.display, connector: 'cloud', cloud: access },
  });
  const phoneId = phone.id;
  return {
    api,
    phone,
    async upload() {
      const picture = sharp({ create: { width: 900, height: 300, channels: 3, background: '#336699' } });
      const response = await fetch(`${app.url}/api/media`, {
        method: 'POST',
        headers: { authorization: customer.token },
        body: new Uint8Array(await picture.png().toBuffer()),
      });
      return ((await response.json()) as { id: string }).id;
    },
    connect: async () => (await api.call(connectPhone, { params: { phoneId } })).body,
    shown: async () => (await api.call(getPhoneNumber, { params: { phoneId } })).body,
    notices: async () => (await api.call(listPhoneNotices, { params: { phoneId }, query: {} })).body.data,
    checks: async () => (await api.call(testPhoneNumber, { params: { phoneId } })).body.checks,
    records: async () => (await api.call(listMessages, { params: { projectId: project.id }, query: {} })).body.data,
    message: async (messageId: number) => (await api.call(getMessage, { params: { messageId } })).body,
    async send(to: string, content: object = { message: 'Hello' }) {
      const response = await fetch(`${app.url}/api/send-message`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key },
        body: JSON.stringify({ to, ...content }),
      });
      return { status: response.status, body: (await response.json()) as Message & { code?: string } };
    },
  };
}

async function connectedOfficial() {
  const owner = await addOfficial();
  expect(await owner.connect()).toMatchObject({ status: 'connected' });
  await meta.webhooks.configure(callbackOf(owner.phone), owner.phone.cloud?.verify_token ?? '');
  return {
    ...owner,
    /** The user writes, and the product has taken it. */
    async isWrittenToBy(from: string) {
      meta.receiveText(from, 'Hello');
      await expect.poll(async () => (await owner.records()).some((record) => record.from === from)).toBe(true);
    },
  };
}

describe('setting up', () => {
  test('shows where Meta calls back, and no secret', async () => {
    const { phone, shown } = await addOfficial();
    expect(phone.cloud).toMatchObject({
      phone_number_id: meta.number.id,
      business_account_id: meta.account.id,
      callback_url: expect.stringMatching(/\/hooks\/whatsapp\/dpw_\w+$/),
      verify_token: expect.stringMatching(/^dpw_/),
      webhook_verified_at: null,
    });
    const text = JSON.stringify(await shown());
    expect(text).not.toContain(meta.token);
    expect(text).not.toContain(meta.appSecret);
  });

  test('the connector cloud needs what Meta shows, and no other takes it', async () => {
    const customer = await signUpSubscriber(app.url);
    const { api } = customer;
    const project = await makeProject(customer);
    for (const wrong of [{ connector: 'cloud' }, { connector: 'sandbox', cloud: meta.credentials }] as const) {
      const body = { phone_number: '14155550177', ...wrong };
      const answer = await api.refuse(addPhoneNumber, { params: { projectId: project.id }, body });
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'cloud' }] } });
    }
  });

  test('says of each thing whether it is right', async () => {
    const { checks, connect, phone } = await addOfficial();
    const stateOf = async () => Object.fromEntries((await checks()).map(({ name, ok }) => [name, ok]));
    meta.account.isSubscribed = false;
    const before = {
      token: true,
      app_secret: true,
      number: true,
      registration: true,
      business_account: true,
      subscription: false,
      payment: true,
      health: true,
      webhook: false,
    };
    expect(await stateOf()).toEqual(before);
    await connect();
    expect(await meta.webhooks.configure(callbackOf(phone), phone.cloud?.verify_token ?? '')).toBe(true);
    meta.receiveText('4915112345678', 'Hello');
    await expect.poll(stateOf).toEqual({ ...before, subscription: true, webhook: true });
    meta.number.healthErrors = [
      {
        error_code: 141006,
        error_description: 'There is an error with the payment method.',
        possible_solution: 'Add one.',
      },
    ];
    meta.number.canSend = 'LIMITED';
    expect((await checks()).filter(({ ok }) => !ok)).toEqual([
      { name: 'payment', ok: false, message: 'There is an error with the payment method. Add one.' },
      { name: 'health', ok: false, message: 'There is an error with the payment method. Add one.' },
    ]);
    Object.assign(meta.number, { healthErrors: [], canSend: 'AVAILABLE' });
    meta.scopes = ['business_management'];
    expect((await checks())[0]).toEqual({
      name: 'token',
      ok: false,
      message: expect.stringContaining('whatsapp_business_messaging'),
    });
    meta.scopes = ['business_management', 'whatsapp_business_management', 'whatsapp_business_messaging'];
  });

  test.each<[Partial<CloudAccess>, Record<string, string>]>([
    [{ app_secret: 'f'.repeat(32) }, { app_secret: 'Copy it from the app' }],
    [
      { phone_number_id: '99999999' },
      { number: 'Check the phone number ID', payment: 'Meta shows the number', health: 'Meta shows the number' },
    ],
    [{ business_account_id: '99999999' }, { business_account: 'Account ID', subscription: 'Account ID' }],
    [
      { access_token: 'EAAwrong' },
      {
        token: 'Enter a new one of a system user',
        ...Object.fromEntries(
          ['number', 'business_account', 'subscription', 'payment', 'health'].map((name) => [
            name,
            'before the access token is valid',
          ]),
        ),
      },
    ],
  ])('with %o says what to mend, and of nothing else', async (wrong, words) => {
    meta.account.isSubscribed = true;
    const { checks } = await addOfficial({ ...meta.credentials, ...wrong });
    const failed = (await checks()).filter(({ name, ok }) => !ok && name !== 'webhook');
    expect(Object.fromEntries(failed.map(({ name, message }) => [name, message]))).toEqual(
      Object.fromEntries(Object.entries(words).map(([name, part]) => [name, expect.stringContaining(part)])),
    );
  });

  test.each<[string, Partial<typeof meta.credentials>, string]>([
    ['a token that is not valid', { access_token: 'EAAwrong' }, 'Enter a new one of a system user'],
    ['an ID of no number', { phone_number_id: '99999999' }, 'Check the phone number ID'],
    ['an ID of no business account', { business_account_id: '99999999' }, 'WhatsApp Business Account ID'],
  ])('%s ends the connection with what to do', async (_name, wrong, words) => {
    const { connect, shown } = await addOfficial({ ...meta.credentials, ...wrong });
    await expect(connect()).rejects.toThrow();
    expect(await shown()).toMatchObject({ status: 'auth_failed', error: expect.stringContaining(words) });
  });

  test('a version that Meta no longer answers stops the number, and says who can mend it; none goes out without a version', async () => {
    const { connect, shown } = await addOfficial();
    meta.oldestVersion = 99;
    await expect(connect()).rejects.toThrow();
    expect(await shown()).toMatchObject({ status: 'auth_failed', error: expect.stringContaining('CLOUD_API_VERSION') });
    meta.oldestVersion = 21;
    expect(await connect()).toMatchObject({ status: 'connected' });
    expect(meta.unversioned).toBe(0);
  });

  test('a number that is not registered is registered once, with its PIN', async () => {
    Object.assign(meta.number, { isRegistered: false, pin: '123456', registerCalls: 0 });
    const registration = async ({ checks }: Awaited<ReturnType<typeof addOfficial>>) =>
      (await checks()).find(({ name }) => name === 'registration')?.message;
    expect(await registration(await addOfficial())).toContain('Enter its two-step PIN');
    const wrong = await addOfficial({ ...meta.credentials, pin: '654321' });
    expect(await registration(wrong)).toContain('Choose Connect');
    await expect(wrong.connect()).rejects.toThrow();
    expect(await wrong.shown()).toMatchObject({ error: expect.stringContaining('not the two-step PIN') });
    const right = await addOfficial({ ...meta.credentials, pin: '123456' });
    expect(await right.connect()).toMatchObject({ status: 'connected' });
    expect(meta.number.registerCalls).toBe(2);
  });

  test('a number that Meta has not verified says so, spends no registration on it, and connects once it is', async () => {
    Object.assign(meta.number, { isRegistered: false, isVerified: false, pin: null, registerCalls: 0 });
    const { connect, checks, shown } = await addOfficial({ ...meta.credentials, pin: '123456' });
    const words = expect.stringContaining('Verify it by SMS') as string;
    await expect(connect()).rejects.toThrow();
    expect(await shown()).toMatchObject({ status: 'auth_failed', error: words });
    expect(await checks()).toContainEqual({ name: 'registration', ok: false, message: words });
    expect(meta.number.registerCalls).toBe(0);
    const graph = async (edge: string, body: object) => {
      const response = await fetch(`${meta.url}/v25.0/${meta.number.id}/${edge}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${meta.token}` },
        body: JSON.stringify(body),
      });
      return response.status;
    };
    expect(await graph('register', { messaging_product: 'whatsapp', pin: '123456' })).toBe(400);
    expect(await graph('request_code', { code_method: 'SMS', language: 'en_US' })).toBe(200);
    expect(await graph('verify_code', { code: '000000' })).toBe(400);
    expect(await graph('verify_code', { code: meta.number.sentCode })).toBe(200);
    expect(await connect()).toMatchObject({ status: 'connected' });
  });

  test('the callback is verified by its token alone', async () => {
    const { phone } = await addOfficial();
    expect(await meta.webhooks.configure(callbackOf(phone), 'a guess')).toBe(false);
    expect(await meta.webhooks.configure(`${app.url}/hooks/whatsapp/nobody`, 'a guess')).toBe(false);
  });
});

describe('the profile', () => {
  test("about and photo of an official number are read and changed; its name is Meta's to change", async () => {
    const { api, phone, connect, upload } = await addOfficial();
    await connect();
    const params = { phoneId: phone.id };
    expect((await api.call(getPhoneProfile, { params })).body).toEqual({
      name: 'Stand-in Shop',
      about: null,
      photo: null,
    });
    const body = { about: 'Every day from 9 to 18', photo: { id: await upload() } };
    const { body: changed } = await api.call(changePhoneProfile, { params, body });
    expect(changed).toMatchObject({ name: 'Stand-in Shop', about: 'Every day from 9 to 18' });
    expect(changed.photo).toBe(`data:image/jpeg;base64,${meta.number.profile.photo?.toString('base64')}`);
    for (const refused of [{ name: 'Other Shop' }, { about: '' }, { photo: null }])
      expect(await api.refuse(changePhoneProfile, { params, body: refused })).toMatchObject({
        status: 409,
        body: { code: 'not_supported' },
      });
    meta.faults.outage = 503;
    const away = await api.refuse(getPhoneProfile, { params });
    meta.faults.outage = undefined;
    expect(away).toMatchObject({ status: 502, body: { code: 'network_refused' } });
  });
});

describe('reports from Meta', () => {
  test('connecting keeps the name, the quality and the limits of the number', async () => {
    const { shown, checks } = await connectedOfficial();
    await expect
      .poll(async () => (await shown()).cloud?.facts)
      .toEqual({
        verified_name: 'Stand-in Shop',
        quality: 'high',
        people_per_day: 2000,
        is_unlimited: false,
        messages_per_second: 80,
        is_shared: false,
      });
    meta.number.quality = 'RED';
    await checks();
    meta.number.quality = 'GREEN';
    expect((await shown()).cloud?.facts?.quality).toBe('low');
  });

  test('a signal is shown once in words, and a limit in it holds at once', async () => {
    const { notices, shown } = await connectedOfficial();
    meta.webhooks.faults.isDoubled = true;
    meta.tell('message_template_status_update', {
      event: 'PAUSED',
      message_template_id: 1,
      message_template_name: 'spring_sale',
      message_template_language: 'pt-BR',
      reason: 'NONE',
      other_info: { title: 'FIRST_PAUSE', description: 'Many people blocked it' },
    });
    meta.tell('business_capability_update', { max_daily_conversations_per_business: 'TIER_10K' });
    meta.tell('something_new', { event: 7, nested: [null] });
    meta.tell('security', { event: 'PIN_CHANGED', display_phone_number: '+1 999 555 0100' });
    await expect
      .poll(async () => (await notices()).map(({ tag, message, effect }) => [tag, message, effect]))
      .toEqual([
        ['7', 'Meta sent something new', 'Nothing changed here.'],
        ['TIER_10K', 'The business portfolio may write to 10,000 people a day first', 'Its numbers share that.'],
        [
          'PAUSED',
          'The template spring_sale (pt_BR) is paused',
          'Many people blocked it. Messages that use it wait until Meta resumes it.',
        ],
      ]);
    meta.webhooks.faults.isDoubled = false;
    expect((await shown()).cloud?.facts?.people_per_day).toBe(10_000);
  });

  test('an unreadable part of a webhook hides none beside it', async () => {
    const { records } = await connectedOfficial();
    const metadata = { phone_number_id: meta.number.id };
    const message = {
      from: '4915199988811',
      id: 'wamid.beside',
      timestamp: '1',
      type: 'text',
      text: { body: 'Beside' },
    };
    const good = {
      field: 'messages',
      value: { metadata, messages: [null, 7, { type: 'text' }, message], statuses: ['x'] },
    };
    const body = { entry: [null, { changes: [null, { field: 7 }, { value: {} }, good] }, 'x'] };
    expect(await meta.webhooks.post(JSON.stringify(body))).toBe(200);
    await expect.poll(async () => (await records()).map((record) => record.message)).toEqual(['Beside']);
  });
});

describe('sending', () => {
  test('a message in an open window is sent, delivered and read', async () => {
    const { send, message, isWrittenToBy } = await connectedOfficial();
    await isWrittenToBy('14155550111');
    const { status, body } = await send('14155550111');
    expect(status).toBe(200);
    await expect.poll(async () => (await message(body.id)).status).toBe('read');
    expect(meta.sent.at(-1)).toMatchObject({ to: '14155550111', type: 'text' });
  });

  test('outside the window nothing but a template is taken: a direct message is refused at once', async () => {
    const { send } = await connectedOfficial();
    const sentBefore = meta.sent.length;
    const { status, body } = await send('14155550112');
    expect([status, body.code]).toEqual([409, 'window_closed']);
    expect(meta.sent).toHaveLength(sentBefore);
  });

  test("Meta's own verdict on a window stays final", async () => {
    const { send, message, isWrittenToBy } = await connectedOfficial();
    await isWrittenToBy('14155550117');
    meta.fates.set('14155550117', 131047);
    const { body } = await send('14155550117');
    // Where Meta's word comes before the caller is answered, the answer says that it failed.
    const { id, message_id: refusedId = id } = body as typeof body & { message_id?: number };
    await expect.poll(() => message(refusedId)).toMatchObject({ status: 'failed', error_code: 'window_closed' });
  });

  test('a status that is noted before the answer comes is not lost, and the caller is told at once', async () => {
    const { send, message, records, isWrittenToBy } = await connectedOfficial();
    await isWrittenToBy('14155550113');
    const isRead = async () => (await records()).some(({ to, status }) => to === '14155550113' && status === 'read');
    meta.faults.beforeAnswer = () => expect.poll(isRead).toBe(true);
    onTestFinished(() => void (meta.faults.beforeAnswer = undefined));
    const { status, body } = await send('14155550113');
    expect([status, body.status]).toEqual([200, 'read']);
    expect((await message(body.id)).status).toBe('read');
  });

  test('a message whose answer is lost is sent once, and settled by its callback data', async () => {
    const { send, records, isWrittenToBy } = await connectedOfficial();
    await isWrittenToBy('14155550114');
    meta.faults.dropAnswers = 1;
    await send('14155550114', { message: 'Once' });
    await expect.poll(async () => (await records()).find(({ message }) => message === 'Once')?.status).toBe('read');
    expect(meta.sent.filter(({ body }) => JSON.stringify(body).includes('Once'))).toHaveLength(1);
  });

  test('statuses that come twice and in disorder change nothing', async () => {
    const { send, message, isWrittenToBy } = await connectedOfficial();
    await isWrittenToBy('14155550115');
    Object.assign(meta.webhooks.faults, { isDoubled: true, isReversed: true });
    const { body } = await send('14155550115');
    await expect.poll(async () => (await message(body.id)).status).toBe('read');
    await meta.webhooks.settled();
    Object.assign(meta.webhooks.faults, { isDoubled: false, isReversed: false });
    expect((await message(body.id)).status).toBe('read');
  });

  test('a number that Meta locks stops, and its direct message says why', async () => {
    const { send, shown, isWrittenToBy } = await connectedOfficial();
    await isWrittenToBy('14155550116');
    meta.number.isRegistered = false;
    const { status, body } = await send('14155550116');
    meta.number.isRegistered = true;
    expect([status, body.code]).toEqual([502, 'number_stopped']);
    await expect.poll(shown).toMatchObject({ status: 'auth_failed', error: expect.stringContaining('PIN') });
  });
});

describe('receiving', () => {
  test('every kind becomes a record, and what is not known hides nothing beside it', async () => {
    const { records } = await connectedOfficial();
    const from = '4915199988877';
    meta.receive(from, { type: 'holograms', holograms: {} });
    meta.receive(from, { type: 'text', text: { body: 'Grüße 👋' } });
    meta.receive(from, { type: 'location', location: { latitude: 47.4, longitude: 8.5, name: 'Zürich' } });
    meta.receive(from, { type: 'button', button: { payload: 'YES', text: 'Yes' } });
    meta.receive(from, {
      type: 'interactive',
      interactive: { type: 'list_reply', list_reply: { id: '1', title: 'Large' } },
    });
    await expect
      .poll(async () => (await records()).map(({ type, message }) => [type, message]).toReversed())
      .toEqual([
        ['unsupported', ''],
        ['text', 'Grüße 👋'],
        ['location', ''],
        ['text', 'Yes'],
        ['text', 'Large'],
      ]);
  });

  test('a file is fetched with the token', async () => {
    const { records } = await connectedOfficial();
    const picture = Buffer.from('/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP', 'base64');
    const { id } = meta.media.add(meta.number.id, { mimeType: 'image/jpeg', bytes: picture, daysKept: 7 });
    meta.receive('4915199988876', { type: 'image', image: { id, mime_type: 'image/jpeg', caption: 'Look' } });
    await expect
      .poll(async () => (await records())[0])
      .toMatchObject({ type: 'image', message: 'Look', media: { state: 'stored', size: picture.length } });
  });

  test('a file whose address has expired is looked up again; one that Meta has no longer is given up, and asked for no more', async () => {
    const { records } = await connectedOfficial();
    const bytes = Buffer.from('/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP', 'base64');
    const late = meta.media.add(meta.number.id, { mimeType: 'image/jpeg', bytes, daysKept: 7 });
    meta.media.staleAddresses = 1;
    meta.receive('4915199988874', { type: 'image', image: { id: late.id, mime_type: 'image/jpeg', caption: 'Late' } });
    const stateOf = async (caption: string) => {
      // A file that could not be had is tried again half a minute later.
      await app.ctx.pool.query('update media_fetches set due_at = now() where not is_claimed and attempts > 0');
      return (await records()).find(({ message }) => message === caption)?.media?.state;
    };
    await expect.poll(() => stateOf('Late')).toBe('stored');
    expect(meta.media.staleAddresses).toBe(0);
    const gone = meta.media.add(meta.number.id, { mimeType: 'image/jpeg', bytes, daysKept: 0 });
    meta.receive('4915199988873', { type: 'image', image: { id: gone.id, mime_type: 'image/jpeg', caption: 'Gone' } });
    await expect.poll(() => stateOf('Gone')).toBe('failed');
    expect(meta.requests.filter((request) => request.endsWith(`/${gone.id}`))).toHaveLength(1);
  });

  test('bytes with another signature are refused', async () => {
    const { records } = await connectedOfficial();
    const statuses = [
      await meta.webhooks.post('{"entry":[]}', 'sha256=00'),
      await meta.webhooks.post('{"entry":[]}', `sha256=${'0'.repeat(64)}`),
    ];
    expect(statuses).toEqual([401, 401]);
    expect(await records()).toEqual([]);
  });

  test('another app secret counts from the next webhook on, and a number that is gone takes none', async () => {
    const { api, phone, records } = await connectedOfficial();
    const params = { phoneId: phone.id };
    expect(await meta.webhooks.post('{"entry":[]}')).toBe(200);
    const secret = 'f'.repeat(32);
    await api.call(updatePhoneNumber, { params, body: { cloud: { app_secret: secret } } });
    const body = '{"entry":[]}';
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    expect([await meta.webhooks.post(body), await meta.webhooks.post(body, signature)]).toEqual([401, 200]);
    await api.call(deletePhoneNumber, { params });
    expect([await meta.webhooks.post(body), await meta.webhooks.post(body, signature)]).toEqual([404, 404]);
    expect(await records()).toEqual([]);
  });

  test('bodies of any shape are answered with 200', async () => {
    const { records } = await connectedOfficial();
    for (const body of [
      '',
      'null',
      '[]',
      '{"entry":1}',
      '{"entry":[{"changes":[{"field":"messages","value":{}}]}]}',
      '{',
    ]) {
      expect(await meta.webhooks.post(body)).toBe(200);
    }
    meta.receiveText('4915199988875', 'Still here');
    await expect.poll(async () => (await records()).length).toBe(1);
  });
});

describe('coexistence', () => {
  test('a number that stays in the Business app is never registered, sends 20 a second, and brings what is written there', async () => {
    Object.assign(meta.number, { isShared: true, registerCalls: 0 });
    const { shown, records } = await connectedOfficial();
    await expect
      .poll(async () => (await shown()).cloud?.facts)
      .toMatchObject({ is_shared: true, messages_per_second: 20 });
    expect(meta.number.registerCalls).toBe(0);
    const echo = (id: string, body: string, isOld: boolean) => ({
      from: meta.number.display,
      to: '4915199911122',
      id,
      timestamp: String(Math.floor(Date.now() / 1000) - (isOld ? 86_400 : 0)),
      type: 'text',
      text: { body },
    });
    const metadata = { display_phone_number: meta.number.display, phone_number_id: meta.number.id };
    const value = {
      messaging_product: 'whatsapp',
      metadata,
      message_echoes: [echo('wamid.echo1', 'From the app', false)],
    };
    meta.tell('smb_message_echoes', value);
    meta.tell('smb_message_echoes', value);
    await expect
      .poll(async () => (await records()).map(({ message, source, direction, to }) => [message, source, direction, to]))
      .toEqual([['From the app', 'handset', 'outgoing', '4915199911122']]);
    meta.number.isShared = false;
  });
});

test('an access token or an app secret with what no header carries is refused where it is entered', async () => {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const add = async (access: Partial<CloudAccess>) => {
    const response = await fetch(`${app.url}/api/projects/${project.id}/phone-numbers`, {
      method: 'POST',
      headers: { authorization: customer.token, 'content-type': 'application/json' },
      body: JSON.stringify({
        phone_number: meta.number.display,
        connector: 'cloud',
        cloud: { ...meta.credentials, ...access },
      }),
    });
    return { status: response.status, body: (await response.json()) as object };
  };
  const message = 'Enter it as Meta shows it, without spaces';
  for (const access_token of ['EAA1\nEAA2', 'EAA1…', 'EAA1 EAA2'])
    expect(await add({ access_token })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'cloud.access_token', message }] },
    });
  expect(await add({ app_secret: 'not shown •••' })).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'cloud.app_secret', message }] },
  });
  expect(await add({ access_token: ` ${meta.token}\n` })).toMatchObject({ status: 201 });
});
