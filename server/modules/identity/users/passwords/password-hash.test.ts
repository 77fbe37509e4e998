import { parseOptions } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { hashPassword, isPassword, nobodysHash, passwordWork } from './password-hash.ts';

const own = { key: '192.0.2.1', isKnown: false };

test('hashes with argon2id, m=19456, t=2, p=1, and a salt of its own', async () => {
  const [one, two] = await Promise.all([hashPassword('password one', own), hashPassword('password one', own)]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(two).not.toBe(one);
  expect(await isPassword('password one', one)).toBe(true);
  expect(await isPassword('password two', one)).toBe(false);
});

/** The processor time of ten checks; other than the time on the clock it does not grow with what else runs. */
async function workOfChecking(passwordHash: string | undefined): Promise<number> {
  const before = process.cpuUsage();
  for (let check = 0; check < 10; check += 1) await isPassword('password two', passwordHash);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

test('where there is no account, nothing matches, after the work that a wrong password takes', async () => {
  const real = await hashPassword('password one', own);
  expect(parseOptions(nobodysHash)).toEqual(parseOptions(real));
  expect(await isPassword('', undefined)).toBe(false);
  expect(await isPassword('password one', undefined)).toBe(false);
  expect(await workOfChecking(undefined)).toBeGreaterThan((await workOfChecking(real)) / 2);
});

test('a flood of hashes from one network waits a little, and beyond that is refused', async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const flood = Array.from({ length: 300 }, () => passwordWork.run(own, () => opened));
  const settled = Promise.allSettled(flood);
  await expect(hashPassword('password one', own)).rejects.toMatchObject({
    status: 503,
    code: 'busy',
    headers: { 'retry-after': '2' },
  });
  open();
  const outcomes = (await settled).map(({ status }) => status);
  expect(outcomes.filter((status) => status === 'fulfilled').length).toBeGreaterThanOrEqual(101);
  expect(await hashPassword('password one', own)).toMatch(/^\$argon2id/);
});
