import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ambiguousWords, defaultSettings } from './default-words.ts';
import { normalizeWord } from './normalize-word.ts';
import { readReply } from './read-reply.ts';

describe('a message that is a word and nothing else', () => {
  test.each<[string, ReturnType<typeof readReply>]>([
    ['STOP', 'opt_out'],
    ['stop', 'opt_out'],
    ['  Stop.  ', 'opt_out'],
    ['STOP!!!', 'opt_out'],
    ['“stop”', 'opt_out'],
    ['S.T.O.P', 'opt_out'],
    ['stop 🙏🏽', 'opt_out'],
    ['🛑 STOP 🛑', 'opt_out'],
    ['Stop\n', 'opt_out'],
    ['stop\u200B', 'opt_out'],
    ['ＳＴＯＰ', 'opt_out'],
    ['opt-out', 'opt_out'],
    ['Opt   out', 'opt_out'],
    ['Unsubscribe', 'opt_out'],
    ['BAJA', 'opt_out'],
    ['Descadastrar', 'opt_out'],
    ['arret', 'opt_out'],
    ['ARRÊT', 'opt_out'],
    ['Abmelden', 'opt_out'],
    ['disiscrivimi', 'opt_out'],
    ['BERHENTI', 'opt_out'],
    ['DURDUR', 'opt_out'],
    ['Abonelikten çık', 'opt_out'],
    ['ABONELİKTEN ÇIK', 'opt_out'],
    ['الغاء الاشتراك', 'opt_out'],
    ['إلغاء الإشتراك', 'opt_out'],
    ['बंद करें', 'opt_out'],
    ['START', 'opt_in'],
    ['başla', 'opt_in'],
    ['BAŞLA', 'opt_in'],
    ['शुरू करें', 'opt_in'],
    ['stop it', undefined],
    ['Please stop', undefined],
    ['do not stop', undefined],
    ['stopped', undefined],
    ['non-stop', undefined],
    ['CANCEL', 'opt_out'],
    ['Quit', 'opt_out'],
    ['SALIR', 'opt_out'],
    ['बंद', 'opt_out'],
    ['СТОП', 'opt_out'],
    ['İPTAL', 'opt_out'],
    ['cancel it', undefined],
    ['', undefined],
    ['!!!', undefined],
    [`stop${' '.repeat(500)}`, undefined],
  ])('%j is %s', (text, reply) => {
    expect(readReply(text, defaultSettings)).toBe(reply);
  });
});

test.each([
  ['CANCEL', { isPressed: true, askedWith: '' }, undefined],
  ['Cancel', { isPressed: false, askedWith: 'Your table is at eight. Reply CANCEL to cancel.' }, undefined],
  ['CANCEL', { isPressed: false, askedWith: 'Spring sale: cancellations are free' }, 'opt_out'],
  ['STOP', { isPressed: true, askedWith: 'Reply STOP to get no more of these' }, 'opt_out'],
] as const)('%s, said so: %o, is %s', (text, said, reply) => {
  expect(readReply(text, defaultSettings, said)).toBe(reply);
});

test('words of the account take the place of the defaults', () => {
  const settings = { ...defaultSettings, opt_out_words: ['Keine Werbung!'], opt_in_words: [] };
  expect(readReply('keine werbung', settings)).toBe('opt_out');
  expect(readReply('STOP', settings)).toBeUndefined();
  expect(readReply('START', settings)).toBeUndefined();
});

test('nothing counts once replies are switched off', () => {
  expect(readReply('STOP', { ...defaultSettings, recognizes_replies: false })).toBeUndefined();
});

test('the defaults differ from each other, and none is for both', () => {
  const words = [...defaultSettings.opt_out_words, ...defaultSettings.opt_in_words].map(normalizeWord);
  expect(new Set(words).size).toBe(words.length);
  expect(words).not.toContain('');
});

test('the default texts are no words themselves, so that two accounts do not answer each other', () => {
  for (const text of [defaultSettings.opt_out_text, defaultSettings.opt_in_text]) {
    expect(readReply(text, defaultSettings)).toBeUndefined();
  }
});

test('the guide lists the words, and in italics those that also answer questions', () => {
  const guide = readFileSync(new URL('../../../../../web/docs/guides/08-opt-out.md', import.meta.url), 'utf8');
  const rows = guide.matchAll(/^\| (?!Language|---)[^|]+ \| ([^|]+) \|$/gm);
  const listed = [...rows].flatMap(([, words = '']) => words.split(', '));
  const normal = (words: readonly string[]) => [...new Set(words.map((word) => normalizeWord(word)))].toSorted();
  expect(normal(listed)).toEqual(normal(defaultSettings.opt_out_words));
  expect(normal(listed.filter((word) => word.startsWith('*')))).toEqual(normal(ambiguousWords));
});
