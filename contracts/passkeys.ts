import { z } from 'zod';
import { SignedIn } from './accounts.ts';
import { endpoint, ofOneself } from './endpoint.ts';
import { Id, IdParam, listOf, Timestamp } from './page.ts';
import { AuthenticationResponse, PasskeyOptions, RegistrationResponse } from './web-authn.ts';

const PasskeyName = z.string().trim().min(1, 'Enter a name').max(120, 'Use at most 120 characters');

export const Passkey = z.object({
  id: Id.describe('Its id.'),
  name: z.string().describe('Its name, for people.'),
  is_synced: z.boolean().describe('Whether it is kept by a service such as a password manager, beyond one device.'),
  created_at: Timestamp.describe('When it was made.'),
  last_used_at: Timestamp.nullable().describe('When it last signed in or confirmed; null: never.'),
});
export type Passkey = z.infer<typeof Passkey>;

export const NewPasskey = z.object({
  name: PasskeyName.optional().describe('To know it by; without it the name says which number it is.'),
  response: RegistrationResponse,
});
export type NewPasskey = z.infer<typeof NewPasskey>;

export const PasskeyAdded = Passkey.extend({
  recovery_codes: z
    .array(z.string())
    .nullable()
    .describe('Ten codes where it is the first second factor, shown this once; else null.'),
});
export type PasskeyAdded = z.infer<typeof PasskeyAdded>;

const noAct = {
  act: 'user.passkey_asked',
  row: 'none',
  because: 'Nothing counts before the browser answers.',
} as const;

export const listPasskeys = endpoint({
  ...ofOneself,
  method: 'GET',
  path: '/api/user/passkeys',
  permission: 'self:read',
  summary: 'The passkeys of the person, newest first',
  response: { 200: listOf(Passkey) },
});

export const beginPasskey = endpoint({
  ...ofOneself,
  method: 'POST',
  path: '/api/user/passkeys/options',
  audit: noAct,
  confirmsIdentity: true,
  summary: 'Begin with a passkey: the options for `navigator.credentials.create`, good for five minutes and once',
  response: { 200: PasskeyOptions },
  errors: ['passkey_limit'],
});

export const addPasskey = endpoint({
  ...ofOneself,
  method: 'POST',
  path: '/api/user/passkeys',
  audit: 'user.passkey_added',
  confirmsIdentity: true,
  summary: 'Add a passkey; it signs in alone from now on, and is a second factor beside the password',
  body: NewPasskey,
  response: { 201: PasskeyAdded },
  errors: ['passkey_refused', 'passkey_limit'],
});

export const PasskeyRenaming = z.object({ name: PasskeyName.describe('Its name, for people.') });

const passkeyParams = z.object({ passkeyId: IdParam.describe('Of the list of passkeys.') });

export const renamePasskey = endpoint({
  ...ofOneself,
  method: 'PATCH',
  path: '/api/user/passkeys/{passkeyId}',
  audit: 'user.passkey_renamed',
  summary: 'Give a passkey another name',
  params: passkeyParams,
  body: PasskeyRenaming,
  response: { 200: Passkey },
});

export const removePasskey = endpoint({
  ...ofOneself,
  method: 'DELETE',
  path: '/api/user/passkeys/{passkeyId}',
  audit: 'user.passkey_removed',
  confirmsIdentity: true,
  summary:
    'Remove a passkey; with the last second factor the recovery codes go too. Refused where nothing else signs the person in',
  params: passkeyParams,
  response: { 204: undefined },
  errors: ['last_way_in'],
});

export const beginPasskeySignIn = endpoint({
  method: 'POST',
  path: '/api/auth/passkey/options',
  audit: noAct,
  callers: 'anyone',
  summary: 'Begin to sign in with a passkey alone: the options for `navigator.credentials.get`',
  response: { 200: PasskeyOptions },
});

export const signInWithPasskey = endpoint({
  method: 'POST',
  path: '/api/auth/passkey',
  audit: { act: 'user.signed_in_with_passkey', row: 'none', because: 'The security events of the person have it.' },
  callers: 'anyone',
  summary: 'Sign in with a passkey alone, which has seen a fingerprint, a face or a PIN',
  body: z.object({ response: AuthenticationResponse }),
  response: { 200: SignedIn },
  errors: ['invalid_passkey'],
});

export const beginPasskeyStep = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor/passkey-options',
  audit: noAct,
  callers: 'anyone',
  summary: 'The options for `navigator.credentials.get` where a passkey is the second step of a sign-in',
  body: z.object({ challenge: z.string().min(1).max(200).describe('From the answer to the password.') }),
  response: { 200: PasskeyOptions },
  errors: ['invalid_challenge'],
});

export const beginPasskeyConfirmation = endpoint({
  ...ofOneself,
  method: 'POST',
  path: '/api/auth/confirm/passkey-options',
  audit: noAct,
  summary: 'The options for `navigator.credentials.get` where a passkey shows again who is signed in',
  response: { 200: PasskeyOptions },
});
