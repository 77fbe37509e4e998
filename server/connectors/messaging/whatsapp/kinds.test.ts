import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Quote, SealedChange, SentMessage } from '#server/connectors/messaging/port.ts';
import { openSealed } from './incoming/sealed-changes.ts';
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
    'a reaction taken back',
    { content: { type: 'reaction', emoji: '' }, quote },
    { reactionMessage: { text: '', key: { id: 'QUESTION', fromMe: false } } },
  ],
  [
    'contact cards',
    {
      content: {
        type: 'contact',
        contacts: ['Ana', 'Bo'].map((name) => ({ name, phones: [{ phone: '+55 11 9', type: null }] })),
      },
      quote: null,
    },
    { contactsArrayMessage: { contacts: [{ displayName: 'Ana' }, { displayName: 'Bo' }] } },
  ],
  [
    'a poll with one answer',
    {
      content: {
        type: 'poll',
        text: 'Colour?',
        poll: { question: 'Colour?', options: ['Red', 'Blue'], multiple: false },
      },
      quote: null,
    },
    {
      pollCreationMessageV3: {
        name: 'Colour?',
        options: [{ optionName: 'Red' }, { optionName: 'Blue' }],
        selectableOptionsCount: 1,
      },
    },
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
  expect(wa.stats().wrongShapes).toEqual([]);
});

test('an edit and a deletion change what the contact is shown', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const networkId = phone.newId();
  await phone.send(customer, 'See you at 8', networkId);
  await phone.send(customer, 'Bye');
  const sent = { network_id: networkId, is_own: true, type: 'text', text: 'See you at 8' } as const;
  const shown = () =>
    wa
      .contact(customer)
      .texts.map(({ text }) => text)
      .filter((text) => text !== '');
  const manner = { mentions: ['5511977770000'] };
  await phone.deliver({ to: customer, content: { type: 'edit', text: 'See you at 9' }, quote: sent, manner });
  await expect.poll(shown).toEqual(['See you at 9', 'Bye']);
  const edited = wa.contact(customer).arrivals.at(-1)?.message?.protocolMessage?.editedMessage;
  expect(edited?.extendedTextMessage?.contextInfo).toMatchObject({ mentionedJid: ['5511977770000@s.whatsapp.net'] });
  await phone.deliver({ to: customer, content: { type: 'deletion' }, quote: sent });
  await expect.poll(shown).toEqual(['Bye']);
  expect(wa.stats().wrongShapes).toEqual([]);
});

test('a vote in a poll of ours is opened without anything kept for the poll', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const networkId = phone.newId();
  const poll = { question: 'Colour?', options: ['Red', 'Blue'], multiple: true };
  await phone.deliver({ to: customer, content: { type: 'poll', text: 'Colour?', poll }, quote: null }, networkId);
  await expect.poll(() => wa.contact(customer).arrivals.length).toBe(1);
  await wa.vote({ from: customer, to: own, id: networkId, options: ['Blue'], as: 'lid' });
  await expect.poll(() => phone.incoming.length).toBe(1);
  const change = phone.incoming[0]?.content as SealedChange;
  expect(change).toMatchObject({ type: 'sealed', isOfOwn: true, target: networkId });
  const blue = createHash('sha256').update('Blue').digest('hex');
  expect(openSealed(change, change.ownSecret ?? '')).toEqual({ type: 'vote', target: networkId, hashes: [blue] });
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
