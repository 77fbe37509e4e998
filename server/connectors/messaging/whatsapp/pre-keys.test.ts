import { expect } from 'vitest';
import { own, test } from '#tests/whatsapp/fixture.ts';

const whole = 812;

test('told that few keys are left, the phone uploads all that are missing, and is written to by strangers', async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone();
  const left = () => wa.contact(own).device?.preKeys.length;
  wa.leavePreKeys(own, 3);
  await expect.poll(left).toBe(whole);
  await wa.incoming({ from: '5511977773001', to: own, text: 'Hello' });
  await expect.poll(() => phone.incomingTexts).toEqual(['Hello']);
  expect(left()).toBe(whole - 1);
});

test('keys that went while the phone was away are replaced when it connects', async ({ wa, linkPhone, openPhone }) => {
  const phone = await linkPhone();
  await phone.session.close();
  wa.leavePreKeys(own, 4, false);
  openPhone({ store: phone.store });
  await expect.poll(() => wa.contact(own).device?.preKeys.length).toBe(whole);
});
