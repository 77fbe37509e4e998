import { expect } from 'vitest';
import { own, test } from '#tests/whatsapp/fixture.ts';

const customer = '5511955551111';
const texts = ['one', 'two', 'three'];

test('messages are read while those before them are stored, and confirmed once they are', async ({ wa, linkPhone }) => {
  const stored = Promise.withResolvers<void>();
  const asked: string[] = [];
  const phone = await linkPhone({
    storeIncoming: ({ content }) => {
      asked.push('text' in content ? content.text : '');
      return stored.promise;
    },
  });

  for (const text of texts) await wa.incoming({ from: customer, to: own, text });
  await expect.poll(() => asked).toEqual(texts);
  const unconfirmed = wa.contact(own).device?.unconfirmed.size;
  stored.resolve();
  expect(unconfirmed).toBe(texts.length);

  await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);
  expect(phone.incomingTexts).toEqual(texts);
});

test('nothing is stored behind a message that could not be stored: all come again, in order', async ({
  wa,
  openPhone,
  linkPhone,
}) => {
  const before = await linkPhone();
  await before.session.close();
  for (const text of texts) await wa.incoming({ from: customer, to: own, text });
  let refusals = 1;

  const after = openPhone({
    store: before.store,
    storeIncoming: async () => {
      if (refusals-- > 0) throw new Error('the database is away');
    },
  });

  await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);
  expect(after.incomingTexts).toEqual(texts);
  await wa.incoming({ from: customer, to: own, text: 'four' });
  await expect.poll(() => after.incomingTexts).toEqual([...texts, 'four']);
  expect(wa.stats().undecryptable).toBe(0);
});

test('a connection that is cut off while messages are stored gets them again', async ({ wa, openPhone, linkPhone }) => {
  const asked: string[] = [];
  const stored = Promise.withResolvers<void>();
  const before = await linkPhone({
    storeIncoming: ({ content }) => {
      asked.push('text' in content ? content.text : '');
      return stored.promise;
    },
  });
  for (const text of texts) await wa.incoming({ from: customer, to: own, text });
  await expect.poll(() => asked).toEqual(texts);
  const moment = before.store.copy();
  before.session.abandon();
  stored.reject(new Error('the process has ended'));

  const after = openPhone({ store: moment });

  await expect.poll(() => after.incomingTexts).toEqual(texts);
  await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);
});
