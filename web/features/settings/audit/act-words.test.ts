import { expect, test } from 'vitest';
import { actsOf } from '#contracts/audit-acts.ts';
import { endpoints } from '#contracts/index.ts';
import type { Endpoint } from '#contracts/endpoint.ts';
import { actWords, isWorded } from './act-words.ts';

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
