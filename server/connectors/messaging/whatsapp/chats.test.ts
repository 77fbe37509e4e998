import { proto } from 'baileys';
import { expect } from 'vitest';
import { own, test } from '#tests/whatsapp/fixture.ts';

const customer = '5511977771234';
const day = 86_400;

const disappearing = (text: string, expiration: number): proto.IMessage => ({
  extendedTextMessage: { text, contextInfo: { expiration } },
});

const setting = (ephemeralExpiration: number): proto.IMessage => ({
  protocolMessage: { type: proto.Message.ProtocolMessage.Type.EPHEMERAL_SETTING, ephemeralExpiration },
});

test('messages sent in a disappearing chat disappear too, also after a restart', async ({
  wa,
  openPhone,
  linkPhone,
}) => {
  const before = await linkPhone();
  await before.send(customer, 'stays');
  await wa.incoming({ from: customer, to: own, text: 'secret', message: disappearing('secret', day) });
  await expect.poll(() => before.incomingTexts).toEqual(['secret']);
  await before.send(customer, 'goes');
  await before.session.close();

  const after = openPhone({ store: before.store });
  await after.next('connected');
  await after.send(customer, 'goes too');

  await expect
    .poll(() => wa.contact(customer).arrivals.map(({ expiration }) => expiration))
    .toEqual([undefined, day, day]);
});

test.for([
  ['by the contact', false],
  ['on the handset', true],
] as const)('a chat that is set to disappear %s, and back', async ([, isOwn], { wa, linkPhone }) => {
  const phone = await linkPhone();
  const set = (seconds: number) =>
    isOwn
      ? wa.fromHandset(own, customer, setting(seconds))
      : wa.incoming({ from: customer, to: own, text: '', message: setting(seconds) });
  const written = async () => {
    await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);
    await phone.send(customer, 'Hello');
  };

  await set(7 * day);
  await written();
  await set(0);
  await written();

  await expect
    .poll(() => wa.contact(customer).arrivals.map(({ expiration }) => expiration))
    .toEqual([7 * day, undefined]);
  expect(phone.incoming).toEqual([]);
});

test('a contact that hides behind a LID keeps its setting', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  wa.contact(customer, { hidesNumber: true });
  await wa.incoming({ from: customer, to: own, text: 'x', message: disappearing('x', day), alone: true });
  await expect.poll(() => phone.incoming.length).toBe(1);
  await phone.send(customer, 'goes');
  await expect.poll(() => wa.contact(customer).arrivals.map(({ expiration }) => expiration)).toEqual([day]);
});

test('a message that a recipient asks for again disappears as the first did', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  await wa.incoming({ from: customer, to: own, text: 'x', message: disappearing('x', day) });
  await expect.poll(() => phone.incoming.length).toBe(1);
  await phone.send(customer, 'first');
  await expect.poll(() => wa.contact(customer).texts.length).toBe(1);
  wa.contact(customer).party.forgetSessions();
  await phone.send(customer, 'second');
  await expect.poll(() => wa.contact(customer).arrivals.map(({ expiration }) => expiration)).toEqual([day, day]);
  expect(wa.contact(customer).texts.map(({ text }) => text)).toEqual(['first', 'second']);
});
