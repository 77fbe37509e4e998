import { expect } from 'vitest';
import type { SentMessage } from '#server/connectors/messaging/port.ts';
import { own, test } from '#tests/whatsapp/fixture.ts';

const customer = '5511977771234';
const shown = ({ texts }: { texts: readonly { text: string }[] }) => texts.map(({ text }) => text);

test("a message reaches every device of the recipient's and the owner's own", async ({ wa, linkPhone }) => {
  const [tablet, browser] = [wa.addCompanion(customer), wa.addCompanion(own)];
  const phone = await linkPhone();

  await phone.send(customer, 'one');
  await phone.send(customer, 'two');

  await expect
    .poll(() => [tablet, browser].map(shown))
    .toEqual([
      ['one', 'two'],
      ['one', 'two'],
    ]);
  expect(shown({ texts: wa.contact(own).ownTexts })).toEqual(['one', 'two']);
  expect(wa.stats().undecryptable).toBe(0);
});

test.for([
  ["a contact's", customer],
  ["the owner's", own],
] as const)('WhatsApp tells of %s new device: it gets the next message', async ([, number], { wa, linkPhone }) => {
  const phone = await linkPhone();
  await phone.send(customer, 'before');

  const added = wa.addCompanion(number);
  await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);
  await phone.send(customer, 'after');

  await expect.poll(() => shown(added)).toEqual(['after']);
});

test('a device that is gone is written to no more', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const tablet = wa.addCompanion(customer);
  await phone.send(customer, 'before');
  wa.removeCompanion(customer, tablet.number);
  await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);

  expect((await phone.send(customer, 'after')).kind).toBe('accepted');
  await expect.poll(() => wa.contact(customer).texts.length).toBe(2);
  expect(shown(tablet)).toEqual(['before']);
});

test('a new device without a notification shows in the hash of the next ack, and gets what follows', async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone();
  await phone.send(customer, 'before');
  const tablet = wa.addCompanion(customer, false);

  await phone.send(customer, 'the ack to this one carries another hash');
  await phone.send(customer, 'after');

  await expect.poll(() => shown(tablet)).toEqual(['after']);
});

test('a device that cannot decrypt gets the message again, it alone', async ({ wa, linkPhone }) => {
  const sent = new Map<string, SentMessage>();
  const phone = await linkPhone({ sent });
  const tablet = wa.addCompanion(customer);
  await phone.send(customer, 'first');
  await expect.poll(() => shown(tablet)).toEqual(['first']);
  tablet.party.forgetSessions();

  await phone.send(customer, 'second');

  await expect.poll(() => shown(tablet)).toEqual(['first', 'second']);
  expect(wa.contact(customer).arrivals.length).toBe(2);
});

test('a stranger who asks for a message to somebody else gets nothing', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const networkId = phone.newId();
  await phone.send(customer, 'for one person', networkId);
  const { taken } = wa.stats();

  wa.askAgain('5511955550000', own, networkId);
  await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);
  await phone.send(customer, 'next');

  expect(wa.stats().taken - taken).toBe(1);
  expect(wa.contact('5511955550000').arrivals).toEqual([]);
});

test('a contact that demands a token is answered with the one it gave, also after a restart', async ({
  wa,
  openPhone,
  linkPhone,
}) => {
  wa.contact(customer, { demandsToken: true });
  // Without its salt there is nothing that a stranger could show.
  wa.faults.sharesHistory = false;
  const before = await linkPhone();
  expect(await before.send(customer, 'cold')).toMatchObject({ kind: 'held', code: 'account_restricted' });
  await wa.incoming({ from: customer, to: own, text: 'Hello' });
  await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);

  expect((await before.send(customer, 'answer')).kind).toBe('accepted');
  await before.session.close();
  const after = openPhone({ store: before.store });
  await after.next('connected');
  expect((await after.send(customer, 'another')).kind).toBe('accepted');
});

test.for(['drop', 'none'] as const)(
  'after a message that could not be read the conversation goes on both ways (%s)',
  async (kind, { wa, linkPhone }) => {
    const phone = await linkPhone();
    await wa.incoming({ from: customer, to: own, text: 'Hello' });
    await phone.send(customer, 'one');
    await wa.incoming({ from: customer, to: own, text: 'spoilt', spoilt: true });
    if (kind === 'drop') {
      const connected = phone.next('connected');
      wa.kick(own, 'drop');
      await connected;
    }
    await phone.send(customer, 'two');
    await expect.poll(() => phone.incomingTexts).toEqual(['Hello', 'spoilt']);
    await phone.send(customer, 'three');
    await expect.poll(() => shown(wa.contact(customer))).toEqual(['one', 'two', 'three']);
  },
);

test('a message that is asked for again while WhatsApp has trouble with keys arrives afterwards', async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone();
  await phone.send(customer, 'one');
  wa.contact(customer).party.forgetSessions();
  wa.faults.keysError = 503;
  await phone.send(customer, 'two');
  await expect.poll(() => wa.stats().refusedQuestions).toBeGreaterThan(0);
  wa.faults.keysError = undefined;
  await expect.poll(() => shown(wa.contact(customer))).toEqual(['one', 'two']);
});
