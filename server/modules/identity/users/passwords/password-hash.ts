import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { BusyError } from '#server/platform/errors.ts';
import { createFairLimit } from '#server/platform/fair-limit.ts';
import type { Share } from '#server/platform/fair-limit.ts';

/** OWASP's parameters for argon2id, which is what the library makes unless told otherwise. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * A hash takes a core and 19 MiB for some 15 ms on one of libuv's four threads, of which files and names need one.
 * A hundred waiting is a second or two: who comes after that is asked to come back, or whoever waits with most.
 * The shares are networks.
 */
export const passwordWork = createFairLimit({
  maxRunning: Math.min(availableParallelism(), 3),
  maxWaiting: 100,
  refusal: () => new BusyError('Too many people are signing in at once. Try again in a moment.', 2),
});

/** The hash of nobody's password: it is checked where there is no account, so that both cases take the same work. */
export const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$QyOet4DYPehPJKsOvYuO1g$HbHvKVYjQvBh4KNnMm0s6PadhJdU1JdoHpwMC+oHXJc';

/** In place of the hash of somebody who has no password: nobody can find one whose hash is all zeros. */
export const noPassword = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Takes a turn of `passwordWork`. Throws `BusyError`. */
export function hashPassword(password: string, share: Share): Promise<string> {
  return passwordWork.run(share, () => hash(password, parameters));
}

/** For work that holds a turn of `passwordWork`. False for an account that is not there, after as much work. */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const isMatch = await verify(passwordHash ?? nobodysHash, password);
  return isMatch && passwordHash !== undefined;
}
