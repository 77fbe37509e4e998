import { expect, test } from 'vitest';
import type { SuppressionEvent } from '#contracts/suppressions.ts';
import type { Message } from '#contracts/messages.ts';
import { sampleProfile } from '#web/testing/samples.ts';
import { timelineEntries } from './timeline-entries.ts';

const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T09:00:00.000Z`;
const profile = sampleProfile({ created_at: at(1) });
const messages = [
  { id: 3, direction: 'incoming', created_at: at(12) } as Message,
  { id: 2, direction: 'outgoing', created_at: at(10) } as Message,
];
const event = (day: number): SuppressionEvent => ({
  phone: profile.phone,
  action: 'opted_out',
  by: 'reply',
  at: at(day),
  evidence: null,
  note: null,
});

test.each([
  ['all that is known', [event(11)], true, ['received', 'opt', 'sent', 'created']],
  ['nothing from before the oldest message that is shown', [event(11), event(5)], false, ['received', 'opt', 'sent']],
  ['the beginning alone', [], true, ['received', 'sent', 'created']],
])('has %s, the newest first', (_, log, isWhole, kinds) => {
  expect(timelineEntries({ profile, messages, log }, isWhole).map(({ kind }) => kind)).toEqual(kinds);
});
