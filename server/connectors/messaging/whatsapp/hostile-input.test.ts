import { expect } from 'vitest';
import { UnstorableError } from '#server/connectors/messaging/port.ts';
import { own, test } from '#tests/whatsapp/fixture.ts';

const customer = '5511955551111';

test.for([
  ['NUL', 'a\u0000b', 'ab'],
  ['half a surrogate pair', 'a\ud83d', 'a\ufffd'],
  ['more than WhatsApp allows', 'x'.repeat(200_000), 'x'.repeat(65_536)],
] as const)('a text with %s comes clean, and the next one comes too', async ([, text, clean], { wa, linkPhone }) => {
  const phone = await linkPhone();

  await wa.incoming({ from: customer, to: own, text, name: 'A\u0000na' });
  await wa.incoming({ from: customer, to: own, text: 'next' });

  await expect.poll(() => phone.incoming.length).toBe(2);
  expect(phone.incomingTexts[0] === clean).toBe(true);
  expect(phone.incoming[0]?.senderName).toBe('Ana');
  expect(wa.stats().logins).toBe(1);
});

test('a receipt whose id holds NUL is confirmed and ignored', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const networkId = phone.newId();
  wa.contact(customer, { delivers: false });
  await phone.send(customer, 'Hello', networkId);

  wa.sendReceipt(customer, own, `${networkId}\u0000`, 'delivered');
  wa.sendReceipt(customer, own, networkId, 'read');

  await expect.poll(() => phone.receiptsOf(networkId)).toEqual(['read']);
  expect(phone.receipts).toHaveLength(1);
  await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);
});

test('a message that can never be stored is confirmed, logged and not sent again', async ({ wa, linkPhone }) => {
  const phone = await linkPhone({
    storeIncoming: async ({ content }) => {
      if ('text' in content && content.text === 'poison') throw new UnstorableError(new Error('refused'));
    },
  });

  await wa.incoming({ from: customer, to: own, text: 'poison' });
  await wa.incoming({ from: customer, to: own, text: 'next' });

  await expect.poll(() => phone.incomingTexts).toEqual(['next']);
  await expect.poll(() => wa.contact(own).device?.unconfirmed.size).toBe(0);
  expect(phone.unusable).toEqual(['The message can never be stored']);
  expect(wa.stats().logins).toBe(1);
});
