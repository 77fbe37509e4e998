import { expect, test } from 'vitest';
import type { IncomingMessage } from '../port.ts';
import { readWebhook } from './read-webhook.ts';

const now = new Date('2026-11-25T12:00:00Z');

function read(message: object): IncomingMessage {
  const value = {
    metadata: { phone_number_id: '1' },
    messages: [{ id: 'wamid.1', from: '4915110000001', timestamp: '1764000000', ...message }],
  };
  const [news] = readWebhook({ entry: [{ id: '1', changes: [{ field: 'messages', value }] }] }, now);
  if (news?.kind !== 'message') throw new Error('No message was read');
  return news.message;
}

const nothing = {
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

const text = { type: 'text', text: { body: 'Hello' } };

test('a message with nothing beside its content has no context', () => {
  expect(read(text)).not.toHaveProperty('context');
  expect(read({ ...text, context: { from: '1', id: 'wamid.0' } })).not.toHaveProperty('context');
});

test.each([
  [
    'a button of a template',
    { type: 'button', button: { text: 'Yes', payload: 'confirm-7' } },
    { id: 'confirm-7', form: null },
    'Yes',
  ],
  [
    'a button',
    { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: 'a', title: 'Yes' } } },
    { id: 'a', form: null },
    'Yes',
  ],
  [
    'a row of a list',
    {
      type: 'interactive',
      interactive: { type: 'list_reply', list_reply: { id: 'row-3', title: 'Blue', description: 'x' } },
    },
    { id: 'row-3', form: null },
    'Blue',
  ],
  [
    'a form',
    {
      type: 'interactive',
      interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"size":"M"}' } },
    },
    { id: 'flow', form: '{"size":"M"}' },
    'Sent',
  ],
])('%s that was pressed brings its id', (_what, message, button, title) => {
  expect(read(message)).toMatchObject({
    content: { type: 'text', text: title, isPressed: true },
    context: { ...nothing, button },
  });
});

test('a message that an advertisement led to brings what was clicked', () => {
  const referral = {
    source_url: 'https://fb.me/x',
    source_type: 'ad',
    source_id: '120',
    headline: 'Shoes',
    body: 'Half price',
    media_type: 'image',
    ctwa_clid: 'ARAk',
  };
  const { media_type: _type, ...said } = referral;
  expect(read({ ...text, referral }).context).toEqual({ ...nothing, referral: said });
  expect(read({ ...text, referral: { source_url: 7, ctwa_clid: 'AR\u0000Ak' } }).context?.referral).toEqual({
    ctwa_clid: 'ARAk',
    source_type: null,
    source_id: null,
    source_url: null,
    headline: null,
    body: null,
  });
  expect(read({ ...text, referral: 'ad' })).not.toHaveProperty('context');
});

test.each(['forwarded', 'frequently_forwarded'])('a message that is %s says so', (mark) => {
  expect(read({ ...text, context: { [mark]: true } }).context).toEqual({ ...nothing, forwarded: true });
});

const item = { product_retailer_id: 'sku-1', quantity: 2, item_price: 12.35, currency: 'BRL' };

test.each([
  ['of one kind of thing', [item], { item_count: 2, amount: '24.70', currency: 'BRL' }],
  [
    'of several, whose prices are written as text',
    [item, { ...item, quantity: '1', item_price: '0.1' }],
    { item_count: 3, amount: '24.80', currency: 'BRL' },
  ],
  ['in two currencies', [item, { ...item, currency: 'USD' }], { item_count: 4, amount: null, currency: null }],
  ['with a thing that cannot be read', [item, { quantity: -1 }], { item_count: null, amount: null, currency: 'BRL' }],
  ['of nothing', [], { item_count: null, amount: null, currency: null }],
])('an order %s', (_what, product_items, order) => {
  const { content } = read({ type: 'order', order: { catalog_id: '9', text: 'Please', product_items } });
  expect(content).toEqual({ type: 'order', text: 'Please', order: { id: null, title: null, ...order } });
});

test.each([
  ['a new text', { type: 'text', text: { body: 'Hello' } }, { type: 'edit', target: 'wamid.0', text: 'Hello' }],
  ['a caption that is gone', { type: 'image', image: { id: '5' } }, { type: 'edit', target: 'wamid.0', text: '' }],
  ['no text', { type: 'text', text: {} }, { type: 'unsupported', text: '', protocolType: 'edit' }],
  ['nothing that can be read', { type: 'hologram' }, { type: 'unsupported', text: '', protocolType: 'edit' }],
])('an edit with %s', (_what, message, content) => {
  expect(read({ type: 'edit', edit: { original_message_id: 'wamid.0', message } }).content).toEqual(content);
});

test.each([
  { latitude: 91, longitude: 0 },
  { latitude: 0, longitude: -180.1 },
])('a place beyond the ends of the world is none: %j', (location) => {
  const { content } = read({ type: 'location', location });
  expect(content).toEqual({ type: 'unsupported', text: '', protocolType: 'location' });
});
