import { expect, test } from 'vitest';
import { isOwnEmail, weaknessOf } from './common-passwords.ts';

test.each([
  ['password', 'most_used'],
  ['PassWord1', 'most_used'],
  ['iloveyou1', 'most_used'],
  ['aaaaaaaa', 'repeated'],
  ['00000000', 'repeated'],
  ['1111111111', 'repeated'],
  ['hahahaha', 'repeated'],
  ['123123123', 'repeated'],
  ['12341234', 'repeated'],
  ['Qwerqwer', 'repeated'],
  ['☂☂☂☂☂☂☂☂', 'repeated'],
  ['abcdefgh', 'run'],
  ['0123456789', 'run'],
  ['7890123456', 'run'],
  ['987654321', 'run'],
])('%s is weak: %s', async (password, weakness) => {
  expect(await weaknessOf(password)).toBe(weakness);
});

test.each(['correct horse battery', 'abcdefgx', '12345689', '123412345x', 'dovepost by night', 'zyxwvut5', '90909091'])(
  '%s is not',
  async (password) => {
    expect(await weaknessOf(password)).toBeUndefined();
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
