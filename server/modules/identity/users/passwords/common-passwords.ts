import { InvalidInputError } from '#server/platform/errors.ts';

const shortestPassword = 8;
/** So many are tried first by whoever guesses. */
const refusedCount = 3_000;

let commonPasswords: Promise<ReadonlySet<string>> | undefined;

/** The package has the most common first, in lower case, and shorter ones among them. Its lists take some 20 MiB. */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const long = dictionary['passwords-common'].filter((password) => password.length >= shortestPassword);
  return new Set(long.slice(0, refusedCount));
}

/** The package leaves out what is one short piece over and over, which is as common as what it has. */
const repeated = /^(.{1,4})\1+$/su;

/** `abcdefgh`, `987654321`: a step up, or down, from each character to the next; 0 follows 9. */
function isRun(password: string): boolean {
  const codes = Array.from(password, (character) => character.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  const fromNineToZero = -9;
  return steps.every((step) => step === 1 || step === fromNineToZero) || steps.every((step) => step === -1);
}

/** Why others try a password first; undefined where they do not. */
export async function weaknessOf(password: string): Promise<'most_used' | 'repeated' | 'run' | undefined> {
  const folded = password.toLowerCase();
  if (repeated.test(folded)) return 'repeated';
  if (isRun(folded)) return 'run';
  commonPasswords ??= loadCommonPasswords();
  return (await commonPasswords).has(folded) ? 'most_used' : undefined;
}

const weaknessWords = {
  most_used: 'This password is among those that people use most and others try first. Choose another one.',
  repeated: 'This password is one piece repeated, which others try first. Choose another one.',
  run: 'This password is a row of neighbouring characters, which others try first. Choose another one.',
};

/** The address itself, or what stands before its at sign. */
export function isOwnEmail(password: string, email: string): boolean {
  const fold = (text: string) => text.trim().toLowerCase();
  return [fold(email), fold(email).split('@', 1)[0]].includes(fold(password));
}

type Chosen = {
  password: string;
  email: string;
  /** Its name in the body. */
  field: 'password' | 'newPassword';
};

/** For a password that somebody chooses; who has an old one keeps signing in with it. */
export async function refuseGuessablePassword({ password, email, field }: Chosen): Promise<void> {
  const refuse = (message: string) => {
    throw new InvalidInputError([{ path: field, message }]);
  };
  const weakness = await weaknessOf(password);
  if (weakness) refuse(weaknessWords[weakness]);
  if (isOwnEmail(password, email)) refuse('Your email address is what others try first. Choose another password.');
}
