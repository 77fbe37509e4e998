import { expect, test } from 'vitest';
import {
  addPhoneNumber,
  connectPhone,
  getPhoneNumber,
  listPhoneNumbers,
  testPhoneProxy,
  updatePhoneNumber,
} from '#contracts/phone-numbers.ts';
import { parseProxy } from '#contracts/phone-proxy.ts';
import { listSecurityEvents } from '#contracts/security-events.ts';
import { startTestApplication } from './support/application.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';
import { startProxy } from './support/stand-in-proxy.ts';
import { WhatsAppStandIn } from './whatsapp/stand-in.ts';
import { trustTestRoot } from './whatsapp/test-root.ts';

trustTestRoot();

test.for([
  [
    'socks5://ada:pa%20ss@proxy.example.com:1080',
    'socks5://proxy.example.com:1080',
    'socks5://ada:pa%20ss@proxy.example.com:1080',
  ],
  ['HTTP://Proxy.Example.com', 'http://proxy.example.com:80', 'http://proxy.example.com:80'],
  ['https://proxy.example.com', 'https://proxy.example.com:443', 'https://proxy.example.com:443'],
  ['https://proxy.example.com:80', 'https://proxy.example.com:80', 'https://proxy.example.com:80'],
  ['socks5://0x7f.1:9050', 'socks5://127.0.0.1:9050', 'socks5://127.0.0.1:9050'],
  ['socks5://[::1]', 'socks5://[::1]:1080', 'socks5://[::1]:1080'],
  ['http://ada@proxy.example.com:3128/', 'http://proxy.example.com:3128', 'http://ada:@proxy.example.com:3128'],
] as const)('%s is shown as %s', ([text, shown, url]) => {
  expect(parseProxy(text)).toEqual({ shown, url });
});

test.for([
  '',
  'proxy.example.com:8080',
  'ftp://proxy.example.com',
  'http://',
  'http://a/b',
  'http://a:0',
  'http://a:99999',
  'socks4://a:1',
])('%j is no proxy', (text) => {
  expect(parseProxy(text)).toBeUndefined();
});

test('a proxy is set, tested, used by the phone, never shown with its password, and cleared', async () => {
  const whatsApp = await WhatsAppStandIn.listen();
  await using app = await startTestApplication({ env: { WHATSAPP_SOCKET_URL: whatsApp.url } });
  await using proxy = await startProxy({ kind: 'socks5', credentials: { user: 'ada', password: 'hush' } });
  const customer = await signUpSubscriber(app.url);
  const { api } = customer;
  const params = { projectId: (await makeProject(customer)).id };
  const number = '5511900007001';
  const { body: phone } = await api.call(addPhoneNumber, { params, body: { phone_number: number } });
  const ofPhone = { params: { phoneId: phone.id } };
  const shown = proxy.url.replace('ada:hush@', '');

  expect(phone).toMatchObject({ proxy: null, status_message: expect.stringContaining('not connected yet') as string });
  expect(await api.refuse(testPhoneProxy, { ...ofPhone, body: {} })).toMatchObject({
    status: 409,
    body: { code: 'no_proxy' },
  });
  const wrong = { proxy: proxy.url.replace('hush', 'wrong') };
  expect((await api.call(testPhoneProxy, { ...ofPhone, body: wrong })).body).toEqual({
    works: false,
    message: 'The proxy of this phone could not be used: it refuses the user name and password.',
  });
  expect(await api.refuse(updatePhoneNumber, { ...ofPhone, body: { proxy: 'nonsense' } })).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'proxy' }] },
  });

  const { body: changed } = await api.call(updatePhoneNumber, { ...ofPhone, body: { proxy: proxy.url } });
  expect(changed.proxy).toBe(shown);
  expect((await api.call(testPhoneProxy, { ...ofPhone, body: {} })).body.works).toBe(true);
  const row = await app.ctx.db.selectFrom('phones').selectAll().where('id', '=', phone.id).executeTakeFirstOrThrow();
  expect(row.proxy_sealed?.includes('hush')).toBe(false);

  proxy.asked.length = 0;
  const { body: link } = await api.call(connectPhone, ofPhone);
  if (!('qr_payload' in link)) throw new Error('No code was offered');
  await whatsApp.scan(link.qr_payload, number);
  const found = async () => (await api.call(listPhoneNumbers, { params })).body.data[0];
  await expect.poll(async () => (await found())?.status).toBe('connected');
  expect(proxy.asked).toEqual([new URL(whatsApp.url).host, new URL(whatsApp.url).host]);

  // Read and sent back, it keeps its password, the phone its connection, and nobody is told of a change.
  const events = async () =>
    (await api.call(listSecurityEvents)).body.data.filter(({ type }) => type === 'proxy_changed');
  const { body: read } = await api.call(getPhoneNumber, ofPhone);
  expect(
    (await api.call(updatePhoneNumber, { ...ofPhone, body: { ...read, cloud: null, name: 'Main' } })).body.name,
  ).toBe('Main');
  expect((await api.call(testPhoneProxy, { ...ofPhone, body: {} })).body.works).toBe(true);
  expect(await events()).toHaveLength(1);

  // Without it the phone connects directly, at once.
  proxy.asked.length = 0;
  const { logins } = whatsApp.stats();
  await api.call(updatePhoneNumber, { ...ofPhone, body: { proxy: null } });
  await expect.poll(() => whatsApp.stats().logins).toBeGreaterThan(logins);
  expect(proxy.asked).toEqual([]);
  expect(await found()).toMatchObject({ proxy: null });
  await whatsApp.close();
});

test('a sandbox has no proxy, and none leads to this machine where the product is in public', async () => {
  await using app = await startTestApplication({ env: { WEBHOOKS_ALLOW_PRIVATE_ADDRESSES: 'false' } });
  const customer = await signUpSubscriber(app.url);
  const params = { projectId: (await makeProject(customer)).id };
  const add = (body: { phone_number: string; connector: 'sandbox' | 'whatsapp' }) =>
    customer.api.call(addPhoneNumber, { params, body });
  const sandbox = (await add({ phone_number: '14155550100', connector: 'sandbox' })).body;
  const phone = (await add({ phone_number: '14155550101', connector: 'whatsapp' })).body;
  const refuse = async (phoneId: number, proxy: string) => {
    const { status, body } = await customer.api.refuse(updatePhoneNumber, { params: { phoneId }, body: { proxy } });
    return [status, body.message];
  };
  expect(await refuse(sandbox.id, 'http://proxy.example.com:8080')).toEqual([
    422,
    'Only a phone that is linked by a QR code has a proxy',
  ]);
  expect(await refuse(phone.id, 'socks5://127.1:1080')).toEqual([
    422,
    'The address 127.0.0.1 is this machine and not allowed',
  ]);
  expect((await refuse(phone.id, 'http://proxy.example.com:5432'))[1]).toContain('port 5432');
});
