import { expect, test } from 'vitest';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import type { Project, Sending } from '#contracts/projects.ts';
import type { WebhookHealth } from '#contracts/webhooks.ts';
import { samplePhone, sampleProject } from '#web/testing/samples.ts';
import { attentionItems } from './attention-items.ts';

const project = sampleProject();
const since = '2026-11-21T08:00:00.000Z';
const failing: WebhookHealth = { is_failing: true, failures: 3, failing_since: since, error: 'HTTP 500' };
const well: WebhookHealth = { is_failing: false, failures: 0, failing_since: null, error: null };

const stuck: Sending = {
  can_send: false,
  connector: null,
  reason: 'sandbox_resting',
  message: 'It rests',
  until: null,
};

const itemsOf = (phones?: readonly PhoneNumber[], webhook?: WebhookHealth) =>
  attentionItems([{ project, phones, webhook }]);

test.each<[PhoneNumber['status'], boolean]>([
  ['disconnected', true],
  ['auth_failed', true],
  ['banned', true],
  ['connected', false],
  ['created', false],
])('a phone that is %s', (status, isListed) => {
  const phone = samplePhone({ status });
  expect(itemsOf([phone])).toEqual(isListed ? [{ kind: 'phone', phone, status }] : []);
});

test.each<[Partial<Project>, boolean]>([
  [{}, false],
  [{ sending: stuck }, true],
  [{ sending: { ...stuck, reason: 'no_connected_phone' } }, false],
  [{ sending: stuck, is_connected: false }, false],
])('a project with %j needs attention: %s', (changes, isListed) => {
  const changed = sampleProject(changes);
  const items = attentionItems([{ project: changed, phones: [], webhook: undefined }]);
  expect(items).toEqual(isListed ? [{ kind: 'sending', project: changed }] : []);
});

test('a webhook that was switched off is listed, whatever its last deliveries', () => {
  const off = sampleProject({ webhook_url: 'https://shop.example/hook', webhook_disabled_at: since });
  const items = attentionItems([{ project: off, phones: [], webhook: failing }]);
  expect(items).toEqual([{ kind: 'webhook-off', project: off }]);
});

test('a phone out of the rotation is left alone', () => {
  expect(itemsOf([samplePhone({ status: 'disconnected', is_active: false })])).toEqual([]);
});

test('phones come before webhooks; what loads or is well is not listed', () => {
  expect(itemsOf()).toEqual([]);
  expect(itemsOf([samplePhone({ status: 'connected' })], well)).toEqual([]);
  const items = itemsOf([samplePhone({ status: 'banned' })], failing);
  expect(items.map(({ kind }) => kind)).toEqual(['phone', 'webhook']);
});
