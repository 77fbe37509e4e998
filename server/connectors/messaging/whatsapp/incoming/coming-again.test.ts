import { expect } from 'vitest';
import { own, test } from '#tests/whatsapp/fixture.ts';

const customer = '5511955551111';

test('a message that comes again, because its confirmation got lost, is confirmed without asking anybody for it', async ({
  wa,
  openPhone,
  linkPhone,
}) => {
  const before = await linkPhone();
  wa.faults.losesConfirmations = true;
  await wa.incoming({ from: customer, to: own, text: 'begins a conversation' });
  await expect.poll(() => before.incoming.length).toBe(1);
  await before.send(customer, 'an answer');
  await wa.incoming({ from: customer, to: own, text: 'goes on' });
  await wa.fromHandset(own, customer, { conversation: 'by hand' });
  await expect.poll(() => before.incoming.length).toBe(3);
  await before.session.close();
  wa.faults.losesConfirmations = false;

  const after = openPhone({ store: before.store });
  await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);
  await wa.incoming({ from: customer, to: own, text: 'after the restart' });

  await expect.poll(() => after.incomingTexts).toEqual(['after the restart']);
  expect(wa.stats().idsAskedAgain).toEqual([]);
});

test('a late message of an earlier conversation leaves the one in use whole', async ({ wa, openPhone, linkPhone }) => {
  const before = await linkPhone();
  await wa.incoming({ from: customer, to: own, text: 'one' });
  await expect.poll(() => before.incoming.length).toBe(1);
  await before.send(customer, 'an answer');
  await before.session.close();
  await wa.incoming({ from: customer, to: own, text: 'late' });
  await wa.startAnew(customer, own);
  await wa.incoming({ from: customer, to: own, text: 'two' });
  const waiting = wa.contact(own).device?.unconfirmed;
  const late = [...(waiting ?? [])].find(([, { tag }]) => tag === 'message');
  waiting?.delete(late?.[0] ?? '');
  waiting?.set(...(late ?? never()));

  const after = openPhone({ store: before.store });
  await expect.poll(() => after.incomingTexts).toEqual(['two', 'late']);
  await wa.incoming({ from: customer, to: own, text: 'three' });
  await expect.poll(() => after.incomingTexts).toEqual(['two', 'late', 'three']);
  await after.send(customer, 'another answer');

  expect(wa.contact(customer).texts.map(({ text }) => text)).toEqual(['an answer', 'another answer']);
  expect(wa.stats()).toMatchObject({ idsAskedAgain: [], undecryptable: 0 });
});

test('a message that the owner wrote on the handset and that cannot be decrypted is asked for and arrives', async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone();
  const id = await wa.fromHandset(own, customer, { conversation: 'by hand' }, true);
  await expect.poll(() => phone.readable).toMatchObject([{ networkId: id, isFromHandset: true }]);
  expect(wa.stats().idsAskedAgain).toEqual([id]);
});

test('a message under way while its contact starts the session anew can be read', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  await phone.send(customer, 'one');
  await wa.incoming({ from: customer, to: own, text: 'an answer' });
  await expect.poll(() => phone.incoming.length).toBe(1);

  await wa.startAnew(customer, own);
  await phone.send(customer, 'two');

  expect(wa.contact(customer).texts.map(({ text }) => text)).toEqual(['one', 'two']);
  expect(wa.stats().undecryptable).toBe(0);
});

function never(): never {
  throw new Error('Nothing waits');
}
