import { expect, test } from 'vitest';
import { languageFor } from './language-for.ts';

const languages = ['en_US', 'en_GB', 'es_MX', 'es', 'pt_BR'];

test.for([
  ['pt-BR', 'pt_BR'],
  ['PT_br', 'pt_BR'],
  ['pt-PT', 'pt_BR'],
  ['pt', 'pt_BR'],
  ['es-AR', 'es'],
  ['en', 'en_GB'],
  ['en-AU', 'en_GB'],
  ['de', 'en_GB'],
  [null, 'en_GB'],
  ['', 'en_GB'],
])('a person with %j gets %s', ([own, expected]) => {
  expect(languageFor(own ?? null, languages, 'en_GB')).toBe(expected);
});
