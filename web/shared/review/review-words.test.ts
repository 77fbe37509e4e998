import { expect, test } from 'vitest';
import { noSkips } from '#web/testing/samples.ts';
import { doneWords, placeholderWords, skippedWords, warningWords } from './review-words.ts';

const now = new Date('2026-11-20T10:00:00Z');
const at = { timeZone: 'Europe/Lisbon', now };
const forecast = { count: 1, phones: 1, days: [], waiting_for: null, starts_at: now.toISOString() };

test.each([
  [null, 'No end is in sight'],
  ['2026-11-20T10:00:30Z', 'Done at once'],
  ['2026-11-20T16:00:00Z', 'Done today about 16:00'],
  ['2026-11-21T00:30:00Z', 'Done tomorrow about 00:30'],
  ['2026-11-26T16:00:00Z', 'Done on Thursday about 16:00'],
  ['2027-01-08T16:00:00Z', 'Done on 8 January 2027, in 49 days'],
])('until %s it reads %j', (doneAt, words) => {
  expect(doneWords({ ...forecast, done_at: doneAt }, at)).toBe(words);
});

test('messages left for the first minutes of tomorrow are told with those of today', () => {
  const days = [
    { date: '2026-11-20', count: 998 },
    { date: '2026-11-21', count: 2 },
  ];
  expect(doneWords({ ...forecast, days, done_at: '2026-11-21T00:00:20Z' }, at)).toBe(
    '998 today, the rest just after midnight',
  );
});

test('a message that starts later is told by its date', () => {
  const later = { ...forecast, starts_at: '2026-12-20T10:00:00Z', done_at: '2026-12-20T12:00:00Z' };
  expect(doneWords(later, at)).toBe('Done on 20 December 2026 about 12:00');
});

test.each([
  [{ fallback: null, empty: 0, is_unknown: false }, '{shop}: everyone has one.'],
  [
    { fallback: null, empty: 1200, is_unknown: false },
    '1,200 people have no shop; they read “Hi ,”. Add a default: {shop|…}',
  ],
  [
    { fallback: null, empty: 1, is_unknown: false },
    '1 person has no shop; the message reads “Hi ,”. Add a default: {shop|…}',
  ],
  [{ fallback: 'us', empty: 24, is_unknown: false }, '24 people have no shop; they read “us”.'],
  [
    { fallback: null, empty: 5000, is_unknown: true },
    'None of the 5,000 people has a shop; they read “Hi ,”. Add a default: {shop|…}',
  ],
])('a placeholder with %j', (part, words) => {
  expect(placeholderWords([{ placeholder: '{shop}', path: 'shop', reads: 'Hi ,', ...part }], 5000)).toEqual([words]);
});

test('the words for skipped recipients', () => {
  expect(skippedWords({ ...noSkips, invalid_number: 341, opted_out: 1906, empty_message: 2 })).toEqual([
    '1,906 opted out',
    '341 with an invalid number',
    '2 whose message would be empty',
  ]);
  expect(skippedWords(noSkips)).toEqual([]);
});

test('a warning says for how many it holds, and what to do instead', () => {
  expect(warningWords({ code: 'link', first_contacts: 1 })).toMatchObject({
    title: 'It holds a link',
    text: expect.stringMatching(/^1 person never wrote to you\./),
  });
  expect(warningWords({ code: 'identical_text', first_contacts: 1284 }).text).toMatch(/^1,284 people never wrote/);
});
