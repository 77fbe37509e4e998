import { expect } from 'vitest';
import { DatabaseUnavailableError } from '#server/platform/db/errors.ts';
import { own, test } from '#tests/whatsapp/fixture.ts';

const customer = '5511955551111';

test('a text comes with the sender, the name and the id', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();

  const id = await wa.incoming({ from: customer, to: own, text: 'Quero comprar', name: 'Ana' });

  await expect
    .poll(() => phone.incoming)
    .toEqual([
      {
        networkId: id,
        peer: { number: customer, lid: wa.contact(customer).lid },
        isFromHandset: false,
        content: { type: 'text', text: 'Quero comprar' },
        secret: expect.any(String),
        senderName: 'Ana',
        at: expect.any(Date),
      },
    ]);
});

test('a conversation goes both ways', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  await wa.incoming({ from: customer, to: own, text: 'one' });
  await wa.incoming({ from: customer, to: own, text: 'two', extended: true });
  await expect.poll(() => phone.incomingTexts).toEqual(['one', 'two']);

  await phone.send(customer, 'answer');
  await expect.poll(() => wa.contact(customer).texts.map(({ text }) => text)).toEqual(['answer']);
  await wa.incoming({ from: customer, to: own, text: 'three' });

  await expect.poll(() => phone.incomingTexts).toEqual(['one', 'two', 'three']);
  expect(wa.stats().undecryptable).toBe(0);
});

test('the first message of a contact is not overtaken by the next while what is known of the contact is read', async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone();
  const reading = Promise.withResolvers<void>();
  const read = Promise.withResolvers<void>();
  phone.store.beforeRead = async (type) => {
    if (type !== 'device-list') return;
    phone.store.beforeRead = async () => {};
    reading.resolve();
    await read.promise;
  };

  await wa.incoming({ from: customer, to: own, text: 'one' });
  await reading.promise;
  await wa.incoming({ from: customer, to: own, text: 'two' });
  // Answered behind the second message.
  await phone.send('5511955552222', 'to somebody else');
  read.resolve();

  await expect.poll(() => phone.incoming.length).toBe(2);
  expect(phone.incomingTexts).toEqual(['one', 'two']);
});

test('a sender who hides behind a LID comes with the number', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  wa.contact(customer, { hidesNumber: true });

  await wa.incoming({ from: customer, to: own, text: 'via LID' });

  await expect.poll(() => phone.incoming.map(({ peer }) => peer.number)).toEqual([customer]);
});

test('messages that came while the phone was away arrive after the restart, in order', async ({
  wa,
  openPhone,
  linkPhone,
}) => {
  const before = await linkPhone();
  await before.session.close();
  for (const text of ['one', 'two', 'three']) await wa.incoming({ from: customer, to: own, text });

  const after = openPhone({ store: before.store });

  await expect.poll(() => after.incomingTexts).toEqual(['one', 'two', 'three']);
  await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);
});

test('a message that could not be stored is not confirmed, and comes again', async ({ wa, linkPhone }) => {
  let refusals = 2;
  const phone = await linkPhone({
    storeIncoming: async () => {
      if (refusals-- > 0) throw new Error('the database is away');
    },
  });
  await phone.send(customer, 'Hello');
  const again = phone.next('connected');

  await wa.incoming({ from: customer, to: own, text: 'do not lose me' });
  await again;

  await expect.poll(() => phone.incomingTexts).toEqual(['do not lose me']);
  await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);
  await wa.incoming({ from: customer, to: own, text: 'next' });
  await expect.poll(() => phone.incomingTexts).toEqual(['do not lose me', 'next']);
});

test('a message whose sender could not be looked up is not dropped, and comes again', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const { lid } = wa.contact(customer, { hidesNumber: true });
  const again = phone.next('connected');
  phone.store.beforeRead = async (type) => {
    if (type !== 'lid-mapping') return;
    phone.store.beforeRead = async () => {};
    throw new DatabaseUnavailableError('it is restarted');
  };

  await wa.incoming({ from: customer, to: own, text: 'do not lose me', alone: true });
  await again;

  await expect.poll(() => phone.incoming).toMatchObject([{ peer: { lid }, content: { text: 'do not lose me' } }]);
  await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);
});

test('a message that could not be decrypted as its keys could not be read comes again by itself', async ({
  wa,
  openPhone,
  linkPhone,
}) => {
  const before = await linkPhone();
  await wa.incoming({ from: customer, to: own, text: 'one' });
  await expect.poll(() => before.incomingTexts).toEqual(['one']);
  await before.session.close();
  await wa.incoming({ from: customer, to: own, text: 'two' });
  const { store } = before;
  store.beforeRead = async (type) => {
    if (type !== 'session') return;
    store.beforeRead = async () => {};
    throw new DatabaseUnavailableError('it is restarted');
  };

  const after = openPhone({ store });

  await expect.poll(() => after.incomingTexts).toEqual(['two']);
  await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);
  expect(after.incoming).toHaveLength(1);
  expect(wa.stats().askedAgain).toBe(0);
});
