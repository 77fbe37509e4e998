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
    network_id: 'A',
    is_queued: null,
    attempts: 0,
    retry_at: null,
    ...rest,
  };
}

const outcome = (value: Extract<News, { kind: 'outcome' }>['outcome']): News => ({ kind: 'outcome', outcome: value });
const receipt = (status: 'sent' | 'delivered' | 'read'): News => ({
  kind: 'receipt',
  receipt: { networkId: 'A', status, at },
});
const failedReceipt: News = {
  kind: 'receipt',
  receipt: { networkId: 'A', status: 'failed', code: 'network_refused', reason: 'Lost' },
};
const accepted = outcome({ kind: 'accepted', at });
const refused = outcome({ kind: 'refused', code: 'not_on_whatsapp', reason: 'This number is not on WhatsApp' });
const unknown = outcome({ kind: 'unknown', reason: 'The connection broke', isAttempted: true });
const untried = outcome({ kind: 'unknown', reason: 'The phone is not connected', isAttempted: false });
const until = new Date('2026-11-21T11:00:00Z');
const held = outcome({ kind: 'held', code: 'look_ups_paused', reason: 'Paused', until });
const restricted = outcome({ kind: 'held', code: 'account_restricted', reason: 'Restricted', until });

const harmless = { resendIsHarmless: true, now: at };
const harmful = { resendIsHarmless: false, now: at };

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
      'a failure after it was sent',
      state('sent', { sent_at: earlier }),
      failedReceipt,
      state('failed', { sent_at: earlier, error: 'Lost', error_code: 'network_refused' }),
    ],
    [
      'a late receipt settles an unknown delivery',
      failedUnknown,
      receipt('delivered'),
      state('delivered', { sent_at: at, delivered_at: at }),
    ],
    [
      'a receipt for a message that was being sent as its recipient opted out',
      state('failed', { error: 'Opted out of messages', error_code: 'opted_out' }),
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
    ['a failure of what arrived', state('delivered', { delivered_at: earlier }), failedReceipt],
    ['a refusal of what arrived', state('sent'), refused],
    ['a broken connection after the ack', state('sent'), unknown],
  ])('%s changes nothing', (_name, before, news) => {
    expect(settle(before, news, harmless)).toBeUndefined();
  });

  test('a broken connection puts it back where a resend is harmless', () => {
    expect(settle(state('sending'), unknown, harmless)).toEqual(state('pending', { attempts: 1 }));
  });

  test.each([
    [1, 5],
    [2, 10],
    [3, 20],
    [4, 40],
    [8, 300],
  ])('after attempt %i without an answer the next is %i s later', (attempts, seconds) => {
    const retryAt = new Date(at.getTime() + seconds * 1000);
    const after = state('pending', { attempts: attempts + 1, retry_at: retryAt });
    expect(settle(state('sending', { attempts }), unknown, harmless)).toEqual(after);
  });

  test('the tenth attempt without an answer is the last, and says so', () => {
    expect(settle(state('sending', { attempts: 9 }), unknown, harmless)).toMatchObject({
      status: 'failed',
      error_code: 'delivery_unknown',
      error: 'Tried 10 times. The connection broke',
    });
  });

  test('a message that was not even tried costs no attempt', () => {
    expect(settle(state('sending', { attempts: 5 }), untried, harmless)).toEqual(state('pending', { attempts: 5 }));
  });

  test('a message whose connection is to blame rests as long as it is told to, at no attempt', () => {
    const resting = outcome({ kind: 'unknown', reason: 'The connection broke', isAttempted: false, until });
    const after = state('pending', { attempts: 9, retry_at: until });
    expect(settle(state('sending', { attempts: 9 }), resting, harmless)).toEqual(after);
  });

  test('a message that the network holds waits until then', () => {
    expect(settle(state('sending'), held, harmless)).toEqual(state('pending', { attempts: 1, retry_at: until }));
  });

  test('a message refused because of the account goes back to its queue, as if it had never left', () => {
    const queued = { is_queued: true, attempts: 5 };
    expect(settle(state('sending', queued), restricted, harmless)).toEqual(
      state('pending', { ...queued, network_id: null }),
    );
  });

  test('a caller that waits gets the answer instead', () => {
    expect(settle(state('sending'), restricted, harmless)).toMatchObject({
      status: 'failed',
      error_code: 'account_restricted',
      error: 'Restricted',
    });
  });

  test('a broken connection fails it as unknown where a resend is not', () => {
    expect(settle(state('sending'), unknown, harmful)).toEqual(failedUnknown);
  });

  // The indexes of what waits are of this alone (`isUnsent`): a message that waits outside of them would never be sent.
  test('a message that waits, or is being sent, has neither been sent nor failed', () => {
    const waits = ({ status }: MessageState) => status === 'pending' || status === 'sending';
    const all = [
      accepted,
      refused,
      unknown,
      untried,
      held,
      restricted,
      failedReceipt,
      receipt('sent'),
      receipt('read'),
    ];
    let reached = [state('sending'), state('pending'), state('sending', { is_queued: true, attempts: 8 })];
    for (let step = 0; step < 4; step += 1) {
      reached = reached.flatMap((from) =>
        all.flatMap((news) => [harmless, harmful].flatMap((how) => settle(from, news, how) ?? [])),
      );
      const waiting = reached.filter(waits);
      if (step === 0) expect(waiting.length).toBeGreaterThan(5);
      expect(waiting.filter(({ sent_at: sentAt, error }) => sentAt !== null || error !== null)).toEqual([]);
      // Answered again once it is tried again.
      reached = reached.map((each) => (each.status === 'pending' ? { ...each, status: 'sending' } : each));
    }
  });
});
