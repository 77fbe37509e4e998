import { expect, test } from 'vitest';
import { startStandIn } from './client.ts';
import { TestPhone } from './test-phone.ts';
import { trustTestRoot } from './test-root.ts';

const own = '5511900000001';
const customer = '5511977771234';

test('a stand-in in its own process links a phone and shows what arrived', async () => {
  trustTestRoot();
  const wa = await startStandIn();
  const phone = new TestPhone(wa);
  const connected = phone.next('connected');
  const { payload } = await phone.next('qr');
  await wa.control.scan(payload, own);
  await connected;

  const networkId = phone.newId();
  expect((await phone.send(customer, 'Hello', networkId)).kind).toBe('accepted');
  await expect
    .poll(async () => (await wa.control.readContact(customer)).texts)
    .toEqual([{ id: networkId, from: own, text: 'Hello' }]);
  await wa.control.incoming({ from: customer, to: own, text: 'Hi' });
  await expect.poll(() => phone.incomingTexts).toEqual(['Hi']);
  await expect(wa.control.kick(customer, 'close')).rejects.toThrow(`${customer} has no linked device`);

  await phone.session.close();
  await wa.stop();
});
