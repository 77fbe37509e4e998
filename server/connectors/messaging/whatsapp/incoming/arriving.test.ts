import { expect } from 'vitest';
import { own, test } from '#tests/whatsapp/fixture.ts';

const customer = '5511955551111';

test('a sender known by the LID alone comes with the LID, later with the number too', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const { lid } = wa.contact(customer, { hidesNumber: true });

  await wa.incoming({ from: customer, to: own, text: 'who am I', alone: true });
  await expect.poll(() => phone.incoming.map(({ peer }) => peer)).toEqual([{ lid }]);

  await wa.incoming({ from: customer, to: own, text: 'now you know' });
  await expect.poll(() => phone.incoming.map(({ peer }) => peer.number)).toEqual([undefined, customer]);
});

test('a number whose LID nobody names is taken at once, without a question that would wait for itself', async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone();
  wa.faults.tellsLids = false;
  const started = performance.now();

  await wa.incoming({ from: customer, to: own, text: 'no LID', alone: true });

  await expect.poll(() => phone.incomingTexts).toEqual(['no LID']);
  expect(performance.now() - started).toBeLessThan(5_000);
});

test('a message that the owner writes on the handset arrives as theirs, with the recipient', async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone();

  const id = await wa.fromHandset(own, customer, { conversation: 'I answer by hand' });

  await expect
    .poll(() => phone.incoming)
    .toMatchObject([
      {
        networkId: id,
        isFromHandset: true,
        peer: { number: customer },
        content: { type: 'text', text: 'I answer by hand' },
      },
    ]);
  await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);
});

test('a placeholder for what linked devices do not get is recorded as one', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  wa.unavailable(customer, own, 'view_once_unavailable_fanout');
  await expect
    .poll(() => phone.incoming)
    .toMatchObject([{ peer: { number: customer }, content: { type: 'unsupported', protocolType: 'view_once' } }]);
});

test('groups, broadcasts, newsletters and what cannot be decrypted are confirmed plainly, and hold nothing back', async ({
  wa,
  openPhone,
  linkPhone,
}) => {
  const before = await linkPhone();
  await wa.incoming({ from: customer, to: own, text: 'before' });
  await expect.poll(() => before.incomingTexts).toEqual(['before']);
  await before.session.close();
  for (const chat of ['group', 'broadcast', 'newsletter', 'status'] as const) wa.toMany(customer, own, chat);
  await wa.incoming({ from: customer, to: own, text: 'cannot be read', spoilt: true });
  await wa.incoming({ from: '5511955552222', to: own, text: 'after' });

  const after = openPhone({ store: before.store });

  // The unreadable message may come again after this one.
  await expect.poll(() => after.incomingTexts[0]).toBe('after');
  await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);
  expect(wa.stats().refusals).toEqual([]);
});

test('a message the phone has the key for no more comes again when asked', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  await wa.incoming({ from: customer, to: own, text: 'first try fails', spoilt: true });
  await expect.poll(() => wa.stats().askedAgain).toBe(1);
  await expect.poll(() => phone.incomingTexts).toEqual(['first try fails']);
});

test('more waits than one batch holds: all of it comes, in order', async ({ wa, openPhone, linkPhone }) => {
  const before = await linkPhone();
  await before.session.close();
  const texts = Array.from({ length: 230 }, (_, index) => `message ${index}`);
  for (const text of texts) await wa.incoming({ from: customer, to: own, text });

  const after = openPhone({ store: before.store });

  await expect.poll(() => after.incoming.length).toBe(230);
  expect(after.incomingTexts).toEqual(texts);
});
