import { expect, test } from 'vitest';
import { decideAfterClose } from './after-close.ts';

const end = { message: '', isLinked: true, refusals: 0 };

test.each([
  [401, { next: 'end', status: 'auth_failed', forgetsCredentials: true }],
  [402, { next: 'end', status: 'banned', forgetsCredentials: false }],
  [403, { next: 'end', status: 'banned', forgetsCredentials: false }],
  [405, { next: 'reconnect', delay: 'backoff', isVersionRefused: true }],
  [408, { next: 'reconnect', delay: 'backoff' }],
  [411, { next: 'end', status: 'auth_failed', forgetsCredentials: true }],
  [428, { next: 'reconnect', delay: 'backoff' }],
  [440, { next: 'end', status: 'disconnected', forgetsCredentials: false }],
  [500, { next: 'reconnect', delay: 'backoff' }],
  [503, { next: 'reconnect', delay: 'backoff' }],
  [515, { next: 'reconnect', delay: 'none' }],
  [0, { next: 'reconnect', delay: 'backoff' }],
])('code %i', (code, expected) => {
  expect(decideAfterClose({ ...end, code })).toMatchObject(expected);
});

test('the third 500 in a row ends the session and keeps the credentials', () => {
  expect(decideAfterClose({ ...end, code: 500, refusals: 2 }).next).toBe('reconnect');
  const last = decideAfterClose({ ...end, code: 500, refusals: 3 });
  expect(last).toMatchObject({ next: 'end', status: 'auth_failed', forgetsCredentials: false });
});

test('QR codes that ran out end a link, but never a linked phone', () => {
  const message = 'QR refs attempts ended';
  expect(decideAfterClose({ ...end, code: 408, message, isLinked: false })).toMatchObject({ status: 'disconnected' });
  expect(decideAfterClose({ ...end, code: 408, message }).next).toBe('reconnect');
});
