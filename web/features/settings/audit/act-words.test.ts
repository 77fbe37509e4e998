import { expect, test } from 'vitest';
import { actsOf } from '#contracts/audit-acts.ts';
import { endpoints } from '#contracts/index.ts';
import type { Endpoint } from '#contracts/endpoint.ts';
import { actOf, actWords, isWorded } from './act-words.ts';

test('every act that has a row reads as a sentence', () => {
  const acts = new Set(endpoints.flatMap(({ audit }: Endpoint) => actsOf(audit)));
  expect([...acts].filter((act) => !isWorded(act))).toEqual([]);
});

test.each([
  ['campaign.started', ['started the campaign', '']],
  ['suppression.removed', ['let', 'be written to again']],
  ['member.left', ['left the account', null]],
  ['house.sold_again', ['house sold again', '']],
])('%s is said around the name of its target', (action, parts) => {
  expect(actWords(action)).toEqual(parts);
});

const actor = { type: 'user', id: 2, name: 'Maya Okafor' } as const;
const to = (after: unknown) => ({ before: 'something', after });

test.each([
  [{ assigned_to: to(2) }, 'took the conversation with'],
  [{ assigned_to: to(8) }, 'gave the conversation with'],
  [{ assigned_to: to(null), status: to('open') }, 'gave the conversation with'],
  [{ status: to('done'), snoozed_until: to(null) }, 'marked the conversation with'],
  [{ status: to('open') }, 'opened the conversation with'],
  [{ snoozed_until: to('2026-11-26T09:00:00Z'), status: to('open') }, 'put the conversation with'],
  [{ snoozed_until: to(null) }, 'brought the conversation with'],
  [{ label_ids: to([1]) }, 'labelled the conversation with'],
  [{}, 'changed the conversation with'],
])('a conversation with the changes %j reads "%s"', (changes, words) => {
  expect(actWords(actOf({ action: 'conversation.changed', actor, changes }))[0]).toBe(words);
});
