import { expect, test } from 'vitest';
import { unscannedWords } from '#contracts/phone-numbers.ts';
import { samplePhone } from '#web/testing/samples.ts';
import { ApiError } from '../api-error.ts';
import { linkProgress, nextAskMs, type LinkNews, type LinkProgress } from './link-progress.ts';

const expiresAt = '2026-11-20T14:08:20.000Z';
const code = { phone_id: 7, qr_code: 'data:image/png;base64,AA==', qr_payload: 'x', expires_at: expiresAt };
const refused = new ApiError(502, { code: 'link_failed', message: 'WhatsApp could not be reached.' });
const nothing: LinkNews = {
  answer: undefined,
  error: null,
  hasOfferedCode: false,
  phone: undefined,
  hasGivenUp: false,
};

test.each<[string, Partial<LinkNews>, LinkProgress]>([
  ['nothing yet', {}, { step: 'waiting' }],
  ['no code yet', { answer: { status: 'connecting', phone_id: 7 } }, { step: 'waiting' }],
  ['a code', { answer: code }, { step: 'code', qr: { image: code.qr_code, expiresAt } }],
  [
    'connected instead of a code',
    { answer: { status: 'connected', phone_id: 7 } },
    { step: 'connected', wasConnected: true },
  ],
  [
    'connected after a code',
    { answer: { status: 'connected', phone_id: 7 }, hasOfferedCode: true },
    { step: 'connected', wasConnected: false },
  ],
  [
    'a phone listed as connected',
    { answer: code, phone: samplePhone({ is_connected: true }) },
    { step: 'connected', wasConnected: false },
  ],
  ['a refusal', { error: refused }, { step: 'failed', reason: 'WhatsApp could not be reached.' }],
  [
    'a refusal after a code',
    { answer: code, error: refused },
    { step: 'failed', reason: 'WhatsApp could not be reached.' },
  ],
  [
    'a phone listed with a failure',
    { answer: code, phone: samplePhone({ error: 'Another number scanned' }) },
    { step: 'failed', reason: 'Another number scanned' },
  ],
  ['codes that ran out', { answer: code, phone: samplePhone({ error: unscannedWords }) }, { step: 'waiting' }],
  [
    'codes that ran out as the next was asked for',
    { answer: code, error: new ApiError(502, { code: 'link_failed', message: unscannedWords }) },
    { step: 'waiting' },
  ],
  [
    'codes that ran out after five minutes',
    { answer: code, phone: samplePhone({ error: unscannedWords }), hasGivenUp: true },
    { step: 'given-up' },
  ],
  ['five minutes without a scan', { answer: code, hasGivenUp: true }, { step: 'given-up' }],
  [
    'a scan at the last moment',
    { answer: code, hasGivenUp: true, phone: samplePhone({ is_connected: true }) },
    { step: 'connected', wasConnected: false },
  ],
])('%s', (_, news, expected) => {
  expect(linkProgress({ ...nothing, ...news })).toEqual(expected);
});

test.each([
  ['as the code expires', code, Date.parse(expiresAt) - 12_000, 12_000],
  ['soon, when it has expired already', code, Date.parse(expiresAt) + 1, 3000],
  ['in time, by a clock that is hours behind', code, Date.parse(expiresAt) - 7_200_000, 20_000],
  ['every three seconds without a code', { status: 'connecting', phone_id: 7 } as const, 0, 3000],
])('asks again %s', (_, answer, now, expected) => {
  expect(nextAskMs(answer, now)).toBe(expected);
});
