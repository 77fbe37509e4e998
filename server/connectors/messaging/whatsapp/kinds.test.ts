import { expect } from 'vitest';
import type { Quote, SentMessage } from '#server/connectors/messaging/port.ts';
import { own, test } from '#tests/whatsapp/fixture.ts';

const customer = '5511977771234';
const quote: Quote = { network_id: 'QUESTION', is_own: false, type: 'text', text: 'Aberto?' };

test.for<[string, Omit<SentMessage, 'to'>, unknown]>([
  [
    'a place',
    {
      content: { type: 'location', location: { latitude: -23.5, longitude: -46.6, name: 'Loja', address: null } },
      quote: null,
    },
    { locationMessage: { degreesLatitude: -23.5, degreesLongitude: -46.6, name: 'Loja' } },
  ],
  [
    'a contact card',
    {
      content: { type: 'contact', contacts: [{ name: 'Ana; Lima', phones: [{ phone: '+55 11 9', type: null }] }] },
      quote: null,
    },
    {
      contactMessage: {
        displayName: 'Ana; Lima',
        vcard: expect.stringContaining('TEL;type=CELL;waid=55119:+55 11 9') as string,
      },
    },
  ],
  [
    'a reaction',
    { content: { type: 'reaction', emoji: '👍' }, quote },
    { reactionMessage: { text: '👍', key: { id: 'QUESTION', fromMe: false } } },
  ],
  [
    'an answer',
    { content: { type: 'text', text: 'Sim' }, quote },
    {
      extendedTextMessage: {
        text: 'Sim',
        contextInfo: { stanzaId: 'QUESTION', quotedMessage: { conversation: 'Aberto?' } },
      },
    },
  ],
])('%s is what the contact gets', async ([, message, expected], { wa, linkPhone }) => {
  const phone = await linkPhone();
  expect((await phone.deliver({ to: customer, ...message })).kind).toBe('accepted');
  await expect.poll(() => wa.contact(customer).arrivals.length).toBe(1);
  expect(wa.contact(customer).arrivals[0]?.message).toMatchObject(expected as object);
});

test('an answer names who wrote what it quotes, by the kind of address of the chat', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const answered = async (isOwn: boolean, place: number) => {
    const content = { type: 'text', text: 'Sim' } as const;
    await phone.deliver({ to: customer, content, quote: { ...quote, is_own: isOwn } });
    await expect.poll(() => wa.contact(customer).arrivals.length).toBe(place + 1);
    return wa.contact(customer).arrivals[place]?.message?.extendedTextMessage?.contextInfo?.participant;
  };
  expect(await answered(false, 0)).toBe(`${wa.contact(customer).lid}@lid`);
  expect(await answered(true, 1)).toBe(`${wa.contact(own).lid}@lid`);
});

test('a place that a device asks for again is the same place', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const networkId = phone.newId();
  const location = { latitude: 1, longitude: 2, name: null, address: null };
  await phone.deliver({ to: customer, content: { type: 'location', location }, quote: null }, networkId);
  await expect.poll(() => wa.contact(customer).arrivals.length).toBe(1);
  wa.askAgain(customer, own, networkId);
  await expect.poll(() => wa.contact(customer).arrivals.length).toBe(2);
  expect(wa.contact(customer).arrivals[1]?.message).toMatchObject({ locationMessage: { degreesLatitude: 1 } });
});
