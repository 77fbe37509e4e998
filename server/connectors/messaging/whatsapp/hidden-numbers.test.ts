import { proto } from 'baileys';
import { expect } from 'vitest';
import { own, test } from '#tests/whatsapp/fixture.ts';

const customer = '5511955551111';
const { SHARE_PHONE_NUMBER } = proto.Message.ProtocolMessage.Type;

test('a person who hides the number is answered by the LID, asked for the number, and shows it', async ({
  wa,
  linkPhone,
}) => {
  const phone = await linkPhone();
  const contact = wa.contact(customer, { hidesNumber: true });
  const peer = { lid: contact.lid };
  const asked = await wa.incoming({ from: customer, to: own, text: 'Quem sou eu?', alone: true });
  await expect.poll(() => phone.incoming).toMatchObject([{ peer, content: { type: 'text' } }]);
  const to = `lid:${contact.lid}`;

  const answer = { to, content: { type: 'text', text: 'Boa pergunta' }, quote: null } as const;
  const quote = { network_id: asked, is_own: false, type: 'text', text: 'Quem sou eu?' } as const;
  expect(await phone.deliver({ ...answer, quote })).toMatchObject({ kind: 'accepted' });
  expect(await phone.deliver({ to, content: { type: 'number_request' }, quote: null })).toMatchObject({
    kind: 'accepted',
  });
  await expect.poll(() => wa.contact(customer).texts.length).toBe(2);
  const [first, second] = wa.contact(customer).arrivals;
  expect(first?.message?.extendedTextMessage?.contextInfo).toMatchObject({
    stanzaId: asked,
    participant: `${contact.lid}@lid`,
  });
  expect(second?.message?.requestPhoneNumberMessage).toBeTruthy();
  expect(wa.stats()).toMatchObject({ wrongShapes: [], undecryptable: 0 });

  const message = { protocolMessage: { type: SHARE_PHONE_NUMBER } };
  await wa.incoming({ from: customer, to: own, text: '', message });
  await expect
    .poll(() => phone.incoming.at(-1))
    .toMatchObject({
      peer: { number: customer, lid: contact.lid },
      content: { type: 'number_shared' },
    });
});

test('a person known by the LID gets a message again that could not be read', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const contact = wa.contact(customer, { hidesNumber: true });
  await wa.incoming({ from: customer, to: own, text: 'Oi', alone: true });
  await expect.poll(() => phone.incomingTexts).toEqual(['Oi']);
  const id = phone.newId();
  await phone.send(`lid:${contact.lid}`, 'Oi!', id);
  await expect.poll(() => wa.contact(customer).texts.length).toBe(1);
  wa.askAgain(customer, own, id);
  await expect.poll(() => wa.contact(customer).arrivals.length).toBe(2);
});
