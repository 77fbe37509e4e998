import { expect, test } from 'vitest';
import { WhatsAppStandIn } from '#tests/whatsapp/stand-in.ts';
import { TestPhone } from '#tests/whatsapp/test-phone.ts';

// The one test that does not load the test root.
test("a server that WhatsApp's own root does not vouch for is refused", async () => {
  const wa = await WhatsAppStandIn.listen();
  const phone = new TestPhone(wa);
  await phone.next('reconnecting');
  expect(phone.states.map(({ status }) => status)).toEqual(['connecting', 'reconnecting']);
  expect(phone.log.join('')).toContain('noise intermediate certificate signature invalid');
  await phone.session.close();
  await wa.close();
});
