import { expect, test } from 'vitest';
import { readDialogMessage } from './dialog-messages.ts';

const dialogUrl = 'https://www.facebook.com/v25.0/dialog/oauth?client_id=1';

const finished = (data: object, event = 'FINISH') => JSON.stringify({ type: 'WA_EMBEDDED_SIGNUP', event, data });

test.each(['https://www.facebook.com', 'https://business.facebook.com', 'https://facebook.com'])(
  'the ids of a sign-up are taken from %s',
  (origin) => {
    const data = finished({ waba_id: '102290129340398', phone_number_id: '106540352242922' });
    expect(readDialogMessage({ origin, data }, dialogUrl)).toEqual({
      kind: 'shared',
      businessAccountId: '102290129340398',
      phoneNumberId: '106540352242922',
    });
  },
);

test.each([
  'https://facebook.com.evil.example',
  'https://evilfacebook.com',
  'http://www.facebook.com',
  'https://evil.example',
  'null',
  '',
])('nothing is taken from %s', (origin) => {
  expect(readDialogMessage({ origin, data: finished({ waba_id: '102290129340398' }) }, dialogUrl)).toBeUndefined();
});

test('a dialog elsewhere, as of a stand-in, is known by its own origin alone', () => {
  const data = finished({ waba_id: '102290129340398' });
  const local = 'http://127.0.0.1:4000/v25.0/dialog/oauth';
  expect(readDialogMessage({ origin: 'http://127.0.0.1:4000', data }, local)).toMatchObject({ kind: 'shared' });
  expect(readDialogMessage({ origin: 'http://127.0.0.1:4001', data }, local)).toBeUndefined();
});

test('of a number that stays in the Business app the account alone is named', () => {
  const data = finished({ waba_id: '102290129340398' }, 'FINISH_WHATSAPP_BUSINESS_APP_ONBOARDING');
  expect(readDialogMessage({ origin: 'https://www.facebook.com', data }, dialogUrl)).toEqual({
    kind: 'shared',
    businessAccountId: '102290129340398',
    phoneNumberId: undefined,
  });
});

test.each([
  [{ current_step: 'PHONE_NUMBER_SETUP' }, 'You left Meta as it asked for the phone number, so nothing was connected.'],
  [{ current_step: 'SOMETHING_NEW' }, 'You left Meta before it was finished, so nothing was connected.'],
  [{ error_message: 'Your name is taken', error_id: '5' }, 'Meta says: Your name is taken'],
])('a dialog that was left says where: %j', (data, reason) => {
  const posted = finished(data, 'CANCEL');
  expect(readDialogMessage({ origin: 'https://www.facebook.com', data: posted }, dialogUrl)).toEqual({
    kind: 'left',
    reason,
  });
});

test.each(['not JSON', '{"type":"other"}', null, 5, finished({ waba_id: '<script>' }).replace('FINISH', 'NEWS')])(
  'other messages count for nothing: %j',
  (data) => {
    expect(readDialogMessage({ origin: 'https://www.facebook.com', data }, dialogUrl)).toBeUndefined();
  },
);
