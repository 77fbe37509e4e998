import { randomBytes } from 'node:crypto';
import { proto } from 'baileys';
import { describe, expect, test } from 'vitest';
import { readContent, readReplyTo } from './read-content.ts';
import { readContext } from './read-context.ts';

const file = {
  url: 'https://mmg.whatsapp.net/x',
  directPath: '/x',
  mediaKey: Buffer.alloc(32, 1),
  fileEncSha256: Buffer.alloc(32, 2),
  fileSha256: Buffer.alloc(32, 3),
  fileLength: 1234,
};
const media = (mimeType: string, fileName: string | null = null) => ({
  mimeType,
  fileName,
  size: 1234,
  sha256: '03'.repeat(32),
  source: {
    url: file.url,
    directPath: '/x',
    mediaKey: Buffer.alloc(32, 1).toString('base64'),
    fileEncSha256: Buffer.alloc(32, 2).toString('base64'),
  },
});
const vcard = 'BEGIN:VCARD\nFN:Ana Lima\nitem1.TEL;type=CELL;waid=5511988887777:+55 11 98888-7777\nEND:VCARD';
const { REVOKE, MESSAGE_EDIT, EPHEMERAL_SETTING } = proto.Message.ProtocolMessage.Type;
const key = { id: 'ABC', fromMe: true };

/** As it comes off the wire. */
const decoded = (message: proto.IMessage) => proto.Message.decode(proto.Message.encode(message).finish());

const nothingBeside = {
  button: null,
  referral: null,
  forwarded: false,
  mentions: [],
  view_once: false,
  album: null,
  broadcast: false,
  play_as: null,
  preview: null,
};

test.for<[string, proto.IMessage, object | undefined]>([
  ['a plain text', { conversation: 'Oi' }, undefined],
  [
    'a pressed button',
    { buttonsResponseMessage: { selectedDisplayText: 'Sim', selectedButtonId: 'yes' } },
    { button: { id: 'yes', form: null } },
  ],
  [
    'a chosen row',
    { listResponseMessage: { title: 'Azul', singleSelectReply: { selectedRowId: 'row-2' } } },
    { button: { id: 'row-2', form: null } },
  ],
  [
    'a form that was filled in',
    {
      interactiveResponseMessage: {
        body: { text: 'Feito' },
        nativeFlowResponseMessage: { name: 'flow', paramsJson: '{"size":"M"}' },
      },
    },
    { button: { id: 'flow', form: '{"size":"M"}' } },
  ],
  [
    'a lead of an advertisement',
    {
      extendedTextMessage: {
        text: 'Quero saber mais',
        contextInfo: { externalAdReply: { ctwaClid: 'ARAk', sourceType: 'ad', sourceId: '120', title: 'Sapatos' } },
      },
    },
    {
      referral: {
        ctwa_clid: 'ARAk',
        source_type: 'ad',
        source_id: '120',
        source_url: null,
        headline: 'Sapatos',
        body: null,
      },
    },
  ],
  [
    'a link that is shown as an advertisement of itself',
    { extendedTextMessage: { text: 'x', contextInfo: { externalAdReply: { title: 'A page' } } } },
    undefined,
  ],
  [
    'a link with a preview',
    {
      extendedTextMessage: {
        text: 'See https://shop.example/sale',
        matchedText: 'https://shop.example/sale',
        title: 'Sale\u0000',
        description: 'd'.repeat(600),
        jpegThumbnail: Buffer.from([0xff, 0xd8, 0xff, 0x01]),
      },
    },
    {
      preview: {
        url: 'https://shop.example/sale',
        title: 'Sale',
        description: 'd'.repeat(500),
        picture: 'data:image/jpeg;base64,/9j/AQ==',
      },
    },
  ],
  [
    'a link with a preview whose picture is none',
    {
      extendedTextMessage: {
        text: 'a.example',
        matchedText: 'a.example',
        title: 'A',
        jpegThumbnail: Buffer.from('<svg'),
      },
    },
    { preview: { url: 'a.example', title: 'A', description: null, picture: null } },
  ],
  [
    'a forwarded text that mentions people',
    {
      extendedTextMessage: {
        text: 'Oi',
        contextInfo: { isForwarded: true, mentionedJid: ['5511988887777@s.whatsapp.net', '99@lid', 'x@newsletter'] },
      },
    },
    { forwarded: true, mentions: ['5511988887777', 'lid:99'] },
  ],
  [
    'a picture to be seen once',
    { viewOnceMessageV2: { message: { imageMessage: { ...file, mimetype: 'image/jpeg', viewOnce: true } } } },
    { view_once: true },
  ],
  [
    'a picture of an album',
    {
      imageMessage: { ...file, mimetype: 'image/jpeg' },
      messageContextInfo: { messageAssociation: { parentMessageKey: { id: 'ALBUM1' } } },
    },
    { album: 'ALBUM1' },
  ],
])('reads the context of %s', ([, message, expected]) => {
  expect(readContext(decoded(message))).toEqual(expected && { ...nothingBeside, ...expected });
});

describe('reading content', () => {
  test.for<[string, proto.IMessage, unknown]>([
    ['a text', { conversation: 'Oi' }, { type: 'text', text: 'Oi' }],
    ['a text with formatting', { extendedTextMessage: { text: 'Oi' } }, { type: 'text', text: 'Oi' }],
    [
      'a text in a disappearing chat',
      { ephemeralMessage: { message: { conversation: 'Oi' } } },
      { type: 'text', text: 'Oi' },
    ],
    [
      'a picture with its caption',
      { imageMessage: { ...file, mimetype: 'image/jpeg', caption: 'Veja' } },
      { type: 'image', text: 'Veja', media: media('image/jpeg') },
    ],
    [
      'a picture to be seen once',
      { viewOnceMessageV2: { message: { imageMessage: { ...file, mimetype: 'image/jpeg' } } } },
      { type: 'image', text: '', media: media('image/jpeg') },
    ],
    [
      'a film',
      { videoMessage: { ...file, mimetype: 'video/mp4' } },
      { type: 'video', text: '', media: media('video/mp4') },
    ],
    [
      'a voice note',
      { audioMessage: { ...file, mimetype: 'audio/ogg', ptt: true } },
      { type: 'voice', text: '', media: media('audio/ogg') },
    ],
    [
      'music',
      { audioMessage: { ...file, mimetype: 'audio/mp4' } },
      { type: 'audio', text: '', media: media('audio/mp4') },
    ],
    [
      'a document with a caption',
      {
        documentWithCaptionMessage: {
          message: { documentMessage: { ...file, mimetype: 'application/pdf', fileName: 'a.pdf', caption: 'Nota' } },
        },
      },
      { type: 'document', text: 'Nota', media: media('application/pdf', 'a.pdf') },
    ],
    [
      'a sticker',
      { stickerMessage: { ...file, mimetype: 'image/webp' } },
      { type: 'sticker', text: '', media: media('image/webp') },
    ],
    [
      'a place',
      { locationMessage: { degreesLatitude: -23.5, degreesLongitude: -46.6, name: 'Loja', address: 'Rua 1' } },
      { type: 'location', text: '', location: { latitude: -23.5, longitude: -46.6, name: 'Loja', address: 'Rua 1' } },
    ],
    [
      'a contact card',
      { contactMessage: { displayName: 'Ana', vcard } },
      {
        type: 'contact',
        text: '',
        contacts: [{ name: 'Ana', phones: [{ phone: '+55 11 98888-7777', type: 'cell' }] }],
      },
    ],
    [
      'contact cards',
      { contactsArrayMessage: { contacts: [{ vcard }] } },
      {
        type: 'contact',
        text: '',
        contacts: [{ name: 'Ana Lima', phones: [{ phone: '+55 11 98888-7777', type: 'cell' }] }],
      },
    ],
    [
      'a pressed button',
      { buttonsResponseMessage: { selectedDisplayText: 'Sim' } },
      { type: 'text', text: 'Sim', isPressed: true },
    ],
    [
      'a pressed template button',
      { templateButtonReplyMessage: { selectedDisplayText: 'SAIR' } },
      { type: 'text', text: 'SAIR', isPressed: true },
    ],
    ['a chosen row', { listResponseMessage: { title: 'Azul' } }, { type: 'text', text: 'Azul', isPressed: true }],
    [
      'a flow answer',
      { interactiveResponseMessage: { body: { text: 'Feito' } } },
      { type: 'text', text: 'Feito', isPressed: true },
    ],
    ['a reaction', { reactionMessage: { key, text: '👍' } }, { type: 'reaction', target: 'ABC', emoji: '👍' }],
    ['a reaction taken back', { reactionMessage: { key, text: '' } }, { type: 'reaction', target: 'ABC', emoji: '' }],
    ['a message taken back', { protocolMessage: { key, type: REVOKE } }, { type: 'revocation', target: 'ABC' }],
    [
      'an edit',
      { protocolMessage: { key, type: MESSAGE_EDIT, editedMessage: { conversation: 'Olá' } } },
      { type: 'edit', target: 'ABC', text: 'Olá' },
    ],
    [
      'an edit that mentions somebody',
      {
        protocolMessage: {
          key,
          type: MESSAGE_EDIT,
          editedMessage: { extendedTextMessage: { text: '@99', contextInfo: { mentionedJid: ['99@lid'] } } },
        },
      },
      { type: 'edit', target: 'ABC', text: '@99', context: { ...nothingBeside, mentions: ['lid:99'] } },
    ],
    [
      'an edit in its envelope',
      {
        editedMessage: {
          message: { protocolMessage: { key, type: MESSAGE_EDIT, editedMessage: { conversation: 'Olá' } } },
        },
      },
      { type: 'edit', target: 'ABC', text: 'Olá' },
    ],
    [
      'a poll',
      { pollCreationMessageV3: { name: 'Qual?', options: [{ optionName: 'A' }], selectableOptionsCount: 0 } },
      { type: 'poll', text: 'Qual?', poll: { question: 'Qual?', options: ['A'], multiple: true } },
    ],
    ['a vote', { pollUpdateMessage: {} }, { type: 'unsupported', text: '', protocolType: 'pollUpdateMessage' }],
    [
      'an order',
      {
        orderMessage: {
          orderId: '77',
          orderTitle: 'Pedido 7',
          itemCount: 3,
          message: 'Por favor',
          totalAmount1000: 149_900,
          totalCurrencyCode: 'BRL',
        },
      },
      {
        type: 'order',
        text: 'Por favor',
        order: { id: '77', title: 'Pedido 7', item_count: 3, amount: '149.90', currency: 'BRL' },
      },
    ],
    [
      'a request for money',
      {
        requestPaymentMessage: {
          noteMessage: { extendedTextMessage: { text: 'Almoço' } },
          amount: { value: 12_345, offset: 100, currencyCode: 'BRL' },
        },
      },
      { type: 'payment', text: 'Almoço', payment: { kind: 'request', amount: '123.45', currency: 'BRL' } },
    ],
    [
      'money that was sent',
      { sendPaymentMessage: { noteMessage: { conversation: 'Pago' } } },
      { type: 'payment', text: 'Pago', payment: { kind: 'sent', amount: null, currency: null } },
    ],
    [
      'a place that is none',
      { locationMessage: { degreesLatitude: 400, degreesLongitude: 0 } },
      { type: 'unsupported', text: '', protocolType: 'locationMessage' },
    ],
    [
      'what is newer than the library',
      { messageContextInfo: {} },
      { type: 'unsupported', text: '', protocolType: 'unknown' },
    ],
    ['a setting of the chat', { protocolMessage: { key, type: EPHEMERAL_SETTING } }, undefined],
    ['a key between devices', { senderKeyDistributionMessage: { groupId: 'x' } }, undefined],
  ])('%s', ([, message, expected]) => {
    expect(readContent(decoded(message))).toEqual(expected);
  });

  test('random bytes as a message never throw beyond the decoder', () => {
    for (let round = 0; round < 500; round += 1) {
      let message: proto.IMessage;
      try {
        message = proto.Message.decode(randomBytes(round % 64));
      } catch {
        continue;
      }
      expect(() => readContent(message)).not.toThrow();
    }
  });

  test('an answer names what it answers', () => {
    const message = { imageMessage: { ...file, contextInfo: { stanzaId: 'ABC' } } };
    expect(readReplyTo(decoded(message))).toBe('ABC');
    expect(readReplyTo(decoded({ conversation: 'Oi' }))).toBeUndefined();
  });
});
