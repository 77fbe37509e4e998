import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { verifyWebhook } from './index.ts';

const secret = `whsec_${randomBytes(24).toString('base64')}`;
const at = new Date('2026-11-21T10:00:00Z');
const now = at.getTime() / 1000;
const body = JSON.stringify({ type: 'message.read', timestamp: at.toISOString(), data: { id: 7, message: 'Grüße' } });

function signed(key = secret, text = body): Record<string, string> {
  return {
    'Webhook-Id': 'evt_1',
    'webhook-timestamp': String(now),
    'webhook-signature': new Webhook(key).sign('evt_1', at, text),
  };
}

test('the signature covers the event, with headers of any kind and a body of bytes', async () => {
  const event = await verifyWebhook({ body, headers: signed(), secret, now });
  expect(event).toMatchObject({ id: 'evt_1', type: 'message.read', data: { id: 7 } });
  const bytes = new TextEncoder().encode(body);
  expect(await verifyWebhook({ body: bytes, headers: new Headers(signed()), secret, now })).toEqual(event);
});

test('while a secret is replaced either is enough, on both sides', async () => {
  const other = `whsec_${randomBytes(24).toString('base64')}`;
  await verifyWebhook({ body, headers: signed(other), secret: [secret, other], now });
  const both = {
    ...signed(),
    'webhook-signature': `${signed(other)['webhook-signature']} ${signed()['webhook-signature']}`,
  };
  await verifyWebhook({ body, headers: both, secret, now });
});

test.each([
  ['another body', { body: `${body} ` }],
  ['another secret', { secret: `whsec_${randomBytes(24).toString('base64')}` }],
  ['no headers', { headers: {} }],
  ['a time that was changed', { headers: { ...signed(), 'webhook-timestamp': String(now + 1) } }],
  ['an id that was changed', { headers: { ...signed(), 'Webhook-Id': 'evt_2' } }],
  ['a signature that is none', { headers: { ...signed(), 'webhook-signature': 'v1,%%% v2,abc' } }],
  ['a delivery of six minutes ago', { now: now + 360 }],
  ['a delivery from the future', { now: now - 360 }],
])('%s is refused', async (_name, change) => {
  const delivery = { body, headers: signed(), secret, now, ...change };
  await expect(verifyWebhook(delivery)).rejects.toMatchObject({ name: 'InvalidSignatureError' });
});
