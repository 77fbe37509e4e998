import { describe, expect, test } from 'vitest';
import { deliveryUnknown, settle } from './settlement.ts';
import type { MessageState, News } from './settlement.ts';

const at = new Date('2026-11-21T10:00:00Z');
const earlier = new Date('2026-11-21T09:00:00Z');

function state(status: MessageState['status'], rest: Partial<MessageState> = {}): MessageState {
  return {
    status,
    error: null,
    error_code: null,
    sent_at: null,
    delivered_at: null,
    read_at: null,
    lease_token: status === 'sending' ? 7 : null,
    ...rest,
  };
}

const outcome = (value: Extract<News, { kind: 'outcome' }>['outcome']): News => ({ kind: 'outcome', outcome: value });
const receipt = (status: 'sent' | 'delivered' | 'read'): News => ({
  kind: 'receipt',
  receipt: { networkId: 'A', status, at },
});
const accepted = outcome({ kind: 'accepted', at });
const refused = outcome({ kind: 'refused', code: 'not_on_whatsapp', reason: 'This number is not on WhatsApp' });
const unknown = outcome({ kind: 'unknown', reason: 'The connection broke' });

const harmless = { resendIsHarmless: true };
const harmful = { resendIsHarmless: false };

describe('settle', () => {
  const failedUnknown = state('failed', { error: deliveryUnknown.reason, error_code: deliveryUnknown.code });
  const failedForGood = state('failed', { error: 'No', error_code: 'not_on_whatsapp' });

  test.each([
    ['an ack makes it sent', state('sending'), accepted, state('sent', { sent_at: at })],
    [
      'a delivery receipt',
      state('sent', { sent_at: earlier }),
      receipt('delivered'),
      state('delivered', { sent_at: earlier, delivered_at: at }),
    ],
    [
      'a read receipt that skips delivery',
      state('sent', { sent_at: earlier }),
      receipt('read'),
      state('read', { sent_at: earlier, delivered_at: at, read_at: at }),
    ],
    [
      'a receipt before its ack',
      state('sending'),
      receipt('delivered'),
      state('delivered', { sent_at: at, delivered_at: at }),
    ],
    [
      'a refusal',
      state('sending'),
      refused,
      state('failed', { error: 'This number is not on WhatsApp', error_code: 'not_on_whatsapp' }),
    ],
    [
      'a late receipt settles an unknown delivery',
      failedUnknown,
      receipt('delivered'),
      state('delivered', { sent_at: at, delivered_at: at }),
    ],
  ])('%s', (_name, before, news, after) => {
    expect(settle(before, news, harmful)).toEqual(after);
  });

  test.each([
    ['an ack after its receipt', state('delivered', { sent_at: earlier, delivered_at: earlier }), accepted],
    ['a delivery after it was read', state('read', { read_at: earlier }), receipt('delivered')],
    ['the same receipt again', state('delivered', { delivered_at: earlier }), receipt('delivered')],
    ['a receipt for what was refused', failedForGood, receipt('delivered')],
    ['a refusal of what arrived', state('sent'), refused],
    ['a broken connection after the ack', state('sent'), unknown],
  ])('%s changes nothing', (_name, before, news) => {
    expect(settle(before, news, harmless)).toBeUndefined();
  });

  test('a broken connection puts it back where a resend is harmless', () => {
    expect(settle(state('sending'), unknown, harmless)).toEqual(state('pending'));
  });

  test('a broken connection fails it as unknown where a resend is not', () => {
    expect(settle(state('sending'), unknown, harmful)).toEqual(failedUnknown);
  });
});
