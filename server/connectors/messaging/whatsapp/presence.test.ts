import { expect } from 'vitest';
import { own, test } from '#tests/whatsapp/fixture.ts';

const customer = '5511977771234';
const peer = { number: customer };

test('the sender gets read receipts at the address that the message came from', async ({ wa, linkPhone }) => {
  for (const [from, hidesNumber] of [
    [customer, false],
    ['5511977771235', true],
  ] as const) {
    wa.contact(from, { hidesNumber });
  }
  const phone = await linkPhone();
  const sent = [await wa.incoming({ from: customer, to: own, text: 'one' })];
  sent.push(await wa.incoming({ from: customer, to: own, text: 'two' }));
  const hidden = await wa.incoming({ from: '5511977771235', to: own, text: 'three' });
  await expect.poll(() => phone.incoming.length).toBe(3);

  await phone.session.markRead(peer, sent);
  await phone.session.markRead({ number: '5511977771235' }, [hidden]);

  await expect.poll(() => wa.contact(customer).toldRead).toEqual(sent);
  await expect.poll(() => wa.contact('5511977771235').toldRead).toEqual([hidden]);
  expect(wa.stats().wrongPresence).toEqual([]);
});

test('where the account shows nobody what it read, only its own devices are told', async ({ wa, linkPhone }) => {
  wa.contact(own).sendsReadReceipts = false;
  const phone = await linkPhone();
  const id = await wa.incoming({ from: customer, to: own, text: 'one' });
  await expect.poll(() => phone.incoming.length).toBe(1);
  await phone.session.markRead(peer, [id]);
  await phone.send(customer, 'Read it');
  await expect.poll(() => wa.contact(customer).texts.length).toBe(1);
  expect([wa.contact(customer).toldRead, wa.stats().wrongPresence]).toEqual([[], []]);
});

test('without a connection nothing is told, and that is said', async ({ wa, openPhone }) => {
  const phone = openPhone();
  await phone.next('qr');
  await expect(phone.session.markRead(peer, ['3EB0'])).rejects.toThrow('not connected');
  phone.session.attend(peer, true);
  expect(wa.stats().wrongPresence).toEqual([]);
});

test('typing shows both ways while somebody looks, and ends by itself', async ({ wa, linkPhone }) => {
  const phone = await linkPhone({ connector: { presence: { awayAfterMs: 200, typingLastsMs: 50 } } });
  await wa.incoming({ from: customer, to: own, text: 'Hello' });
  await expect.poll(() => phone.incoming.length).toBe(1);
  expect(wa.typing(customer, own, true)).toBe(false);

  phone.session.attend(peer, true);
  const states = () => wa.contact(customer).sawTyping.map(({ state }) => state);
  await expect.poll(states).toEqual(['composing', 'paused']);
  phone.session.attend(peer, false);
  expect(wa.typing(customer, own, true)).toBe(true);
  await expect.poll(() => phone.typing.at(-1)).toMatchObject({ peer, isTyping: true });
  expect(wa.typing(customer, own, false)).toBe(true);
  await expect.poll(() => phone.typing.at(-1)).toMatchObject({ peer, isTyping: false });

  // Once nobody looks any more the handset rings again.
  await expect.poll(() => wa.typing(customer, own, true)).toBe(false);
  expect(wa.stats().wrongPresence).toEqual([]);
});

test('a contact who stops typing is no longer shown as typing, without waiting for the time-out', async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone();
  await wa.incoming({ from: customer, to: own, text: 'Hello' });
  await expect.poll(() => phone.incoming.length).toBe(1);
  for (const isTyping of [true, true, false, false]) phone.session.attend(peer, isTyping);
  const states = () => wa.contact(customer).sawTyping.map(({ state }) => state);
  await expect.poll(states).toEqual(['composing', 'composing', 'paused']);
});

test('somebody who hides the number is known by both', async ({ wa, linkPhone }) => {
  wa.contact(customer, { hidesNumber: true });
  const phone = await linkPhone();
  await wa.incoming({ from: customer, to: own, text: 'Hello' });
  await expect.poll(() => phone.incoming.length).toBe(1);
  phone.session.attend(peer, false);
  await expect.poll(() => wa.typing(customer, own, true)).toBe(true);
  const { lid } = wa.contact(customer);
  await expect.poll(() => phone.typing).toEqual([{ peer: { number: customer, lid }, isTyping: true }]);
});

test('a contact who is looked at is online, then was last seen; or tells nobody when', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  await wa.incoming({ from: customer, to: own, text: 'Hello' });
  await expect.poll(() => phone.incoming.length).toBe(1);
  expect(wa.online(customer, own, { isOnline: true })).toBe(false);
  phone.session.attend(peer, false);
  await expect.poll(() => wa.online(customer, own, { isOnline: true })).toBe(true);
  const lastSeen = new Date(1_790_000_000_000);
  wa.online(customer, own, { isOnline: false, lastSeen });
  wa.online(customer, own, { isOnline: false });
  await expect
    .poll(() => phone.online)
    .toMatchObject([
      { peer, isOnline: true, lastSeen: null },
      { peer, isOnline: false, lastSeen },
      { peer, isOnline: false, lastSeen: null },
    ]);
});
