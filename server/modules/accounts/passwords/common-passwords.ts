import { dictionary } from '@zxcvbn-ts/language-common';
import { InvalidInputError } from '#server/platform/errors.ts';

const shortestPassword = 8;
/** So many are tried first by whoever guesses. */
const refusedCount = 3_000;

/** The package has the most common first, in lower case, and shorter ones among them. */
const commonPasswords: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter((password) => password.length >= shortestPassword).slice(0, refusedCount),
);

/** For a password that somebody chooses; who has an old one keeps signing in with it. `field` names it in the body. */
export function refuseCommonPassword(password: string, field: 'password' | 'newPassword'): void {
  if (!commonPasswords.has(password.toLowerCase())) return;
  const message = 'This password is among those that people use most and others try first. Choose another one.';
  throw new InvalidInputError([{ path: field, message }]);
}
