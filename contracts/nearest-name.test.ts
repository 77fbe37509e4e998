import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.ts';

const known = ['to', 'message', 'send_at', 'override_opt_out', 'is_paused', 'pageSize', 'webhook_url'];

test.each([
  ['sendAt', 'send_at'],
  ['send-at', 'send_at'],
  ['overrideOptOut', 'override_opt_out'],
  ['paused', 'is_paused'],
  ['page_size', 'pageSize'],
  ['mesage', 'message'],
  ['messgae', 'message'],
  ['webhookUrl', 'webhook_url'],
  ['foo', undefined],
  ['x', undefined],
  ['colour', undefined],
  ['send_at'.repeat(100), undefined],
  ['', undefined],
])('%s means %s', (name, expected) => {
  expect(nearestName(name, known)).toBe(expected);
});
