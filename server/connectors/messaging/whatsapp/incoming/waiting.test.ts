import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'vitest';
import { own, test } from '#tests/whatsapp/fixture.ts';

const customer = '5511955551111';

test('an unreadable message waits under its id until it comes again', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const id = await wa.incoming({ from: customer, to: own, text: 'at last', spoilt: true });
  await expect
    .poll(() => phone.incoming)
    .toMatchObject([
      { networkId: id, peer: { number: customer }, content: { type: 'waiting' } },
      { networkId: id, peer: { number: customer }, content: { type: 'text', text: 'at last' } },
    ]);
});

test('a message that its sender never sends well stays waiting, and holds nothing back', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  await wa.incoming({ from: customer, to: own, text: 'never', spoilt: 'for_good' });
  await wa.incoming({ from: '5511955552222', to: own, text: 'after' });
  await expect.poll(() => phone.incomingTexts).toEqual(['after']);
  expect(phone.incoming.filter(({ content }) => content.type === 'waiting')).toHaveLength(1);
  await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);
});

test('a message that the owner wrote and this device cannot read waits as theirs', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const id = await wa.fromHandset(own, customer, { conversation: 'by hand' }, true);
  await expect
    .poll(() => phone.incoming)
    .toMatchObject([
      { networkId: id, isFromHandset: true, peer: { number: customer }, content: { type: 'waiting' } },
      { networkId: id, isFromHandset: true, content: { text: 'by hand' } },
    ]);
});

test('the lead of an advertisement that the device is not given comes from the handset', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const lead = { extendedTextMessage: { text: 'I want it', contextInfo: { externalAdReply: { ctwaClid: 'CLICK' } } } };
  const id = wa.unavailable(customer, own, '', lead);
  await expect.poll(() => phone.incoming).toMatchObject([{ networkId: id, content: { type: 'waiting' } }]);
  // Baileys asks the handset two seconds later.
  await expect
    .poll(() => phone.readable)
    .toMatchObject([
      {
        networkId: id,
        peer: { number: customer },
        content: { text: 'I want it' },
        context: { referral: { ctwa_clid: 'CLICK' } },
      },
    ]);
});

test('a handset that does not answer is asked again on the same connection', async ({ wa, linkPhone }) => {
  const phone = await linkPhone({ connector: { missingGrowth: { firstMs: 100, longestMs: 1_000 } } });
  const id = wa.unavailable(customer, own, '');
  const asks = () => wa.stats().askedOfHandset.filter((asked) => asked === id).length;
  // Baileys asks once.
  await expect.poll(asks).toBeGreaterThan(3);
  wa.contact(own).keptByHandset.set(id, { from: wa.contact(customer), message: { conversation: 'at last' } });
  await expect.poll(() => phone.readable).toMatchObject([{ networkId: id, content: { text: 'at last' } }]);
});

test('where the handset sends nothing either, the message stays waiting and nothing waits for it', async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone();
  const id = wa.unavailable(customer, own, '');
  await expect.poll(() => wa.stats().askedOfHandset).toEqual([id]);
  await wa.incoming({ from: customer, to: own, text: 'after' });
  await expect.poll(() => phone.incomingTexts).toEqual(['after']);
  expect(phone.incoming.filter(({ networkId }) => networkId === id)).toMatchObject([{ content: { type: 'waiting' } }]);
});

const lead = { conversation: 'I want it' };

test('a connection that ends before the handset was asked leaves that to the next, and no later one asks', async ({
  wa,
  openPhone,
  linkPhone,
}) => {
  const before = await linkPhone();
  const id = wa.unavailable(customer, own, '', lead);
  await expect.poll(() => before.incoming).toMatchObject([{ networkId: id, content: { type: 'waiting' } }]);
  await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);
  const moment = before.store.copy();
  before.session.abandon();
  expect(wa.stats().askedOfHandset).toEqual([]);

  const after = openPhone({ store: moment });
  await expect.poll(() => after.incoming).toMatchObject([{ networkId: id, content: { text: 'I want it' } }]);
  await after.session.close();

  const last = openPhone({ store: after.store });
  await wa.incoming({ from: customer, to: own, text: 'after' });
  await expect.poll(() => last.incomingTexts).toEqual(['after']);
  expect(wa.stats().askedOfHandset).toEqual([id]);
});

test('an answer of the handset that could not be stored comes again', async ({ wa, linkPhone }) => {
  let refusals = 1;
  const phone = await linkPhone({
    storeIncoming: async ({ content }) => {
      if (content.type !== 'waiting' && refusals-- > 0) throw new Error('the database is away');
    },
  });
  const id = wa.unavailable(customer, own, '', lead);
  await expect.poll(() => phone.readable).toMatchObject([{ networkId: id, content: { text: 'I want it' } }]);
  await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);
});

test.for(['held back', 'unreadable'])(
  'a session that is closed while a message that is %s is stored loses nothing: the next one asks for it',
  async (kind, { wa, openPhone, linkPhone }) => {
    const stored = Promise.withResolvers<void>();
    let closing: Promise<void> | undefined;
    const before = await linkPhone({
      storeIncoming: async () => {
        // The confirmation waits for this by then.
        for (let turns = 0; turns < 100; turns += 1) await turn();
        closing ??= before.session.close();
        await turn();
        stored.resolve();
      },
    });
    await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);
    const id =
      kind === 'held back'
        ? wa.unavailable(customer, own, '', lead)
        : await wa.incoming({ from: customer, to: own, text: 'I want it', spoilt: true });
    await stored.promise;
    await closing;

    const after = openPhone({ store: before.store });
    await expect.poll(() => after.readable).toMatchObject([{ networkId: id, content: { text: 'I want it' } }]);
  },
);
