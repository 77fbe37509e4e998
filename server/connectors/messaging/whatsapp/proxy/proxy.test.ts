import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { expect, test as plain } from 'vitest';
import { resolveWithSystem } from '#server/platform/http/resolve-host.ts';
import { startProxy } from '#tests/support/stand-in-proxy.ts';
import { own, test } from '#tests/whatsapp/fixture.ts';
import { historyContact } from '#tests/whatsapp/history.ts';
import { WhatsAppStandIn } from '#tests/whatsapp/stand-in.ts';
import { createPhoneProxy } from './phone-proxy.ts';
import { testProxy } from './test-proxy.ts';

const customer = '5511977771234';
const credentials = { user: 'ada', password: 'se cret:@/' };
const kinds = ['http', 'socks5'] as const;
const encoded = (url: string) => url.replace(credentials.password, encodeURIComponent(credentials.password));

test.for(kinds)(
  'a phone links, sends and reads its history through its %s proxy alone',
  async (kind, { wa, linkPhone }) => {
    await using proxy = await startProxy({ kind, credentials });
    wa.faults.history = { conversations: 3, messages: 1, textBytes: 10 };
    const phone = await linkPhone({ proxy: encoded(proxy.url) });

    expect((await phone.send(customer, 'Hello')).kind).toBe('accepted');

    await expect.poll(() => phone.store.keys.has(`chat/${historyContact(2).number}`)).toBe(true);
    // The link, the login after it, and the file of the history.
    expect(proxy.asked).toEqual(Array.from({ length: 3 }, () => new URL(wa.url).host));
  },
);

test.for(kinds)('files go out and come in through the %s proxy alone', async (kind, { wa, linkPhone }) => {
  await using proxy = await startProxy({ kind, credentials });
  const phone = await linkPhone({ proxy: encoded(proxy.url) });
  proxy.asked.length = 0;
  const [out, back] = [randomBytes(300_001), randomBytes(300_001)];

  const content = phone.media.content('document', out, { fileName: 'a.bin' });
  expect((await phone.deliver({ to: customer, content, quote: null })).kind).toBe('accepted');
  await expect.poll(() => wa.contact(customer).arrivals.length).toBe(1);
  expect((await wa.media.open(wa.contact(customer).arrivals[0]?.message ?? {})).equals(out)).toBe(true);
  expect(proxy.asked).toHaveLength(1);

  await wa.incomingMedia({ from: customer, to: own, bytes: back });
  await expect.poll(() => phone.incoming.length).toBe(1);
  const [message] = phone.incoming;
  if (!message || !('media' in message.content)) throw new Error('It carries no file');
  const { type, media } = message.content;
  const wanted = { ...message, type, ...media, maxBytes: 1_000_000, mayAskAgain: true };
  const fetched = await phone.session.fetchMedia(wanted);
  if (fetched.kind !== 'fetched') throw new Error(fetched.reason);
  expect((await readFile(fetched.path)).equals(back)).toBe(true);
  await rm(fetched.path);
  expect(proxy.asked).toHaveLength(2);

  // A proxy that refuses is not bypassed.
  proxy.refusesWith = 403;
  expect((await phone.session.fetchMedia(wanted)).kind).toBe('later');
  expect(proxy.asked).toHaveLength(2);
  // Nor is what it says taken for WhatsApp's word.
  proxy.refusesWith = 401;
  const next = phone.media.content('document', randomBytes(99), { fileName: 'b.bin' });
  expect(await phone.deliver({ to: customer, content: next, quote: null })).toMatchObject({
    kind: 'held',
    code: 'media_upload_failed',
    reason: expect.stringContaining('The proxy of this phone could not be used') as string,
  });
  expect(proxy.asked).toHaveLength(2);
});

test.for(kinds)(
  'a %s proxy that refuses is named as the reason; a phone goes on once it lets it',
  async (kind, { wa, linkPhone }) => {
    await using proxy = await startProxy({ kind, credentials });
    const phone = await linkPhone({ proxy: encoded(proxy.url) });
    proxy.refusesWith = 403;
    const reconnecting = phone.next('reconnecting');
    wa.kick(own, 'drop');
    await reconnecting;
    await expect
      .poll(() => phone.states.map((state) => ('reason' in state ? state.reason : '')))
      .toContain(
        'The proxy of this phone could not be used: it does not allow connections to WhatsApp. It is tried again by itself; change it under Edit.',
      );

    const connected = phone.next('connected');
    proxy.refusesWith = undefined;
    await connected;
  },
);

const egress = { isPrivateAllowed: true, resolveHost: resolveWithSystem };

plain.for(kinds)('a wrong password for a %s proxy, a port where nothing listens, another service', async (kind) => {
  await using proxy = await startProxy({ kind, credentials });
  const origin = new URL(proxy.url.replace(/^.*@/, 'http://')).origin;
  const reasonOf = async (url: string) => {
    const trial = await testProxy(url, origin, egress);
    return trial.works ? 'works' : trial.reason;
  };
  expect(await reasonOf(proxy.url.replace(/ada:.*@/, 'ada:wrong@'))).toBe(
    'The proxy of this phone could not be used: it refuses the user name and password.',
  );
  expect(await reasonOf(`${kind}://127.0.0.1:9`)).toBe(
    'The proxy of this phone could not be used: connection refused.',
  );
  await using web = await WhatsAppStandIn.listen().then((wa) => ({ wa, [Symbol.asyncDispose]: () => wa.close() }));
  expect(await reasonOf(web.wa.url.replace(/^ws:(.*)\/ws\/chat$/, `${kind}:$1`))).toMatch(
    /^The proxy of this phone could not be used: (it answered with HTTP 404|what answers there is no such proxy)/,
  );
});

plain.for([
  ['socks5://10.0.0.8:1080', 'private'],
  ['http://127.0.0.1:8080', 'this machine'],
  ['http://proxy.internal.example:8080', 'private'],
  ['socks5://proxy.internal.example:1080', 'private'],
  ['http://8.8.8.8:22', 'port 22'],
] as const)('a proxy at %s is not connected to: %s', async ([url, reason]) => {
  const resolveHost = () => Promise.resolve([{ address: '10.0.0.8', family: 4 }]);
  const trial = await testProxy(url, 'http://web.whatsapp.com', { isPrivateAllowed: false, resolveHost });
  expect(trial).toMatchObject({ works: false, reason: expect.stringContaining(reason) as string });
});

plain('what worked last has no failure', () => {
  expect(createPhoneProxy('http://127.0.0.1:1', egress).failure()).toBeUndefined();
});
