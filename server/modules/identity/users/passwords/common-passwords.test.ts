import { expect, test } from 'vitest';
import { isCommonPassword, isOwnEmail } from './common-passwords.ts';

test.each([
  'password',
  'PassWord1',
  'iloveyou1',
  'aaaaaaaa',
  '00000000',
  '1111111111',
  'hahahaha',
  '123123123',
  '12341234',
  'Qwerqwer',
  '☂☂☂☂☂☂☂☂',
  'abcdefgh',
  '0123456789',
  '7890123456',
  '987654321',
])('%s is common', (password) => {
  expect(isCommonPassword(password)).toBe(true);
});

test.each(['correct horse battery', 'abcdefgx', '12345689', '123412345x', 'dovepost by night', 'zyxwvut5', '90909091'])(
  '%s is not',
  (password) => {
    expect(isCommonPassword(password)).toBe(false);
  },
);

test.each([
  ['ada.lovelace@example.com', true],
  ['Ada.Lovelace@Example.com ', true],
  ['ada.lovelace', true],
  ['ada.lovelace and Charles', false],
  ['@example.com', false],
])('of ada.lovelace@example.com “%s” is one’s own address: %s', (password, isOwn) => {
  expect(isOwnEmail(password, 'ada.lovelace@example.com')).toBe(isOwn);
});
