import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { MessageType } from '#contracts/message-content.ts';
import { own, test } from '#tests/whatsapp/fixture.ts';

const customer = '5511977771234';
const text = { type: 'text', text: 'See https://shop.example/sale now' } as const;
const sale = {
  url: 'https://shop.example/sale',
  title: 'Sale',
  description: 'Half of it',
  thumbnail: new Uint8Array([1, 2, 3]),
};

test('a link goes with its preview, or without one where that is asked', async ({ wa, linkPhone }) => {
  const asked: string[] = [];
  const phone = await linkPhone({ preview: (words) => (asked.push(words), sale) });
  await phone.deliver({ to: customer, content: text, quote: null });
  await phone.deliver({ to: customer, content: text, quote: null, manner: { preview: false } });
  await expect.poll(() => wa.contact(customer).texts.length).toBe(2);
  const shown = wa.contact(customer).arrivals.flatMap(({ message }) => {
    const { matchedText, title, description, jpegThumbnail } = message?.extendedTextMessage ?? {};
    return title
      ? [{ matchedText, title, description, thumbnail: Buffer.from(jpegThumbnail ?? []).toString('hex') }]
      : [];
  });
  expect(shown).toEqual([{ matchedText: sale.url, title: 'Sale', description: 'Half of it', thumbnail: '010203' }]);
  expect(new Set(asked)).toEqual(new Set([text.text]));
  expect(wa.stats().wrongShapes).toEqual([]);
});

test('mentions and forwarding stand in the context of a text and of a caption', async ({ wa, linkPhone }) => {
  const phone = await linkPhone();
  const manner = { mentions: ['5511988887777', 'lid:1234567890'], forwarded: true } as const;
  const image = phone.media.content('image', randomBytes(500), { text: 'Look @5511988887777' });
  const quote = { network_id: 'ASKED', is_own: true, type: 'image', text: 'A photo?' } as const;
  await phone.deliver({
    to: customer,
    content: { type: 'text', text: '@5511988887777' },
    quote,
    manner: { ...manner, mentions: [...manner.mentions] },
  });
  await phone.deliver({
    to: customer,
    content: image,
    quote: null,
    manner: { ...manner, mentions: [...manner.mentions] },
  });
  await expect.poll(() => wa.contact(customer).arrivals.length).toBe(2);
  const [first, second] = wa.contact(customer).arrivals.map(({ message }) => message);
  const context = {
    mentionedJid: ['5511988887777@s.whatsapp.net', '1234567890@lid'],
    isForwarded: true,
    forwardingScore: 1,
  };
  expect(first?.extendedTextMessage?.contextInfo).toMatchObject({
    ...context,
    quotedMessage: { imageMessage: { caption: 'A photo?' } },
  });
  expect(second?.imageMessage?.contextInfo).toMatchObject(context);
});

test.for<['gif' | 'round', object]>([
  ['gif', { videoMessage: { gifPlayback: true, seconds: 3 } }],
  ['round', { ptvMessage: { seconds: 3 } }],
])('a video goes as %s', async ([play_as, expected], { wa, linkPhone }) => {
  const phone = await linkPhone();
  const content = phone.media.content('video', randomBytes(500), { mimeType: 'video/mp4' });
  await phone.deliver({ to: customer, content, quote: null, manner: { play_as } });
  await expect.poll(() => wa.contact(customer).arrivals.length).toBe(1);
  expect(wa.contact(customer).arrivals[0]?.message).toMatchObject(expected);
});

test.for<['gif' | 'round', object]>([
  ['gif', { videoMessage: { mimetype: 'video/mp4', gifPlayback: true } }],
  ['round', { ptvMessage: { mimetype: 'video/mp4' } }],
])('a video that comes as %s says so', async ([playAs, message], { wa, linkPhone }) => {
  const phone = await linkPhone();
  await wa.incoming({ from: customer, to: own, text: '', message });
  await expect.poll(() => phone.incoming).toMatchObject([{ content: { type: 'video' }, context: { play_as: playAs } }]);
});

test.for<[MessageType, object]>([
  ['text', { conversation: 'words' }],
  ['video', { videoMessage: { caption: 'words' } }],
  ['document', { documentMessage: { caption: 'words' } }],
  ['voice', { audioMessage: { ptt: true } }],
  ['poll', { pollCreationMessageV3: { name: 'words' } }],
])('a message of type %s is quoted as such', async ([type, quotedMessage], { wa, linkPhone }) => {
  const phone = await linkPhone();
  const quote = { network_id: 'ASKED', is_own: false, type, text: 'words' };
  await phone.deliver({
    to: customer,
    content: { type: 'location', location: { latitude: 1, longitude: 2, name: null, address: null } },
    quote,
  });
  await expect.poll(() => wa.contact(customer).arrivals.length).toBe(1);
  const { contextInfo } = wa.contact(customer).arrivals[0]?.message?.locationMessage ?? {};
  expect(contextInfo).toMatchObject({ stanzaId: 'ASKED', quotedMessage });
});
