import { dictionary } from '@zxcvbn-ts/language-common';
import { InvalidInputError } from '#server/platform/errors.ts';

const shortestPassword = 8;
/** So many are tried first by whoever guesses. */
const refusedCount = 3_000;

/** The package has the most common first, in lower case, and shorter ones among them. */
const commonPasswords: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter((password) => password.length >= shortestPassword).slice(0, refusedCount),
);

/** The package leaves out what is one short piece over and over, which is as common as what it has. */
const repeated = /^(.{1,4})\1+$/su;

/** `abcdefgh`, `987654321`: a step up, or down, from each character to the next; 0 follows 9. */
function isRun(password: string): boolean {
  const codes = Array.from(password, (character) => character.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  const fromNineToZero = -9;
  return steps.every((step) => step === 1 || step === fromNineToZero) || steps.every((step) => step === -1);
}

export function isCommonPassword(password: string): boolean {
  const folded = password.toLowerCase();
  return commonPasswords.has(folded) || repeated.test(folded) || isRun(folded);
}

/** For a password that somebody chooses; who has an old one keeps signing in with it. `field` names it in the body. */
export function refuseCommonPassword(password: string, field: 'password' | 'newPassword'): void {
  if (!isCommonPassword(password)) return;
  const message = 'This password is among those that people use most and others try first. Choose another one.';
  throw new InvalidInputError([{ path: field, message }]);
}
