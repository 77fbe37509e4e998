import { z } from 'zod';
import { SignedIn } from './accounts.ts';
import { endpoint, ofOneself } from './endpoint.ts';
import { Timestamp } from './page.ts';
import { AuthenticationResponse } from './web-authn.ts';

const SignInCode = z
  .string()
  .trim()
  .min(1, 'Enter the code')
  .max(64, 'Use at most 64 characters')
  .describe('The six digits of the authenticator app, or a recovery code. Each is taken once.');

const Totp = z.object({ confirmed_at: Timestamp.describe('Since when sign-in asks for it.') });

export const TwoFactor = z.object({
  totp: Totp.nullable().describe('The authenticator app; null: none is asked for at sign-in.'),
  recovery_codes_left: z.int().nonnegative().describe('Of ten.'),
  passkeys: z.int().nonnegative().describe('How many passkeys the person has.'),
  has_password: z.boolean().describe('False for somebody who came by an identity provider and has set none.'),
  oidc: z
    .object({
      label: z.string().describe('Its name, as the operator calls it.'),
      linked_at: Timestamp.describe('Of the first sign-in there.'),
    })
    .nullable()
    .describe('The identity provider at which the person signs in; null for who has not, or where there is none.'),
});
export type TwoFactor = z.infer<typeof TwoFactor>;

export const NewTotp = z.object({
  secret: z.string().describe('For an app that cannot read the QR code; base 32.'),
  otpauth_url: z.string().describe('What the QR code holds.'),
  qr_code: z.string().describe('An image as a data URL.'),
  replacement: z.string().optional().describe('With `replace`: for the confirmation, for ten minutes and once.'),
});
export type NewTotp = z.infer<typeof NewTotp>;

export const RecoveryCodes = z.object({
  recovery_codes: z
    .array(z.string())
    .describe('Ten codes, each good for one sign-in, shown this once; none where a passkey has brought them before.'),
});
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

export const TotpConfirmation = z.object({
  code: SignInCode,
  replacement: z
    .string()
    .max(1000)
    .optional()
    .describe('Where the app takes the place of another: from the answer to `replace`.'),
});

export const SecondStep = z.object({
  challenge: z.string().min(1).max(200).describe('From the answer to the password, for ten minutes.'),
  code: SignInCode.optional().describe('The six digits of the authenticator app, or a recovery code.'),
  passkey: AuthenticationResponse.optional(),
  remember_device: z
    .boolean()
    .default(false)
    .describe('Sets a cookie with which the password is enough in this browser for 30 days.'),
});
export type SecondStep = z.infer<typeof SecondStep>;

export const IdentityProof = z.object({
  password: z
    .string()
    .min(1, 'Enter your password')
    .max(1024, 'Use at most 1024 characters')
    .optional()
    .describe('The password, 8 to 128 characters.'),
  code: SignInCode.optional().describe('Asked for in place of the password where a second factor is set up.'),
  passkey: AuthenticationResponse.optional(),
});
export type IdentityProof = z.infer<typeof IdentityProof>;

export const signInWithCode = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor',
  audit: { act: 'user.signed_in_with_code', row: 'none', because: 'The security events of the person have it.' },
  callers: 'anyone',
  summary: 'Second step of a sign-in; five wrong codes in a row are followed by a pause',
  body: SecondStep,
  response: { 200: SignedIn },
  errors: ['invalid_challenge', 'invalid_code', 'invalid_passkey', 'too_many_attempts'],
});

export const confirmIdentity = endpoint({
  ...ofOneself,
  method: 'POST',
  path: '/api/auth/confirm',
  audit: { act: 'user.identity_confirmed', row: 'none', because: 'Changes nothing of an account.' },
  summary: 'Show again who is signed in; sensitive acts ask for it 15 minutes after the last time',
  body: IdentityProof,
  response: { 200: z.object({ confirmed_until: Timestamp.describe('Sensitive acts ask again after it.') }) },
  errors: ['too_many_attempts', 'busy'],
});

export const getTwoFactor = endpoint({
  ...ofOneself,
  method: 'GET',
  path: '/api/user/two-factor',
  permission: 'self:read',
  summary: 'The second factors of the person',
  response: { 200: TwoFactor },
});

export const setUpTotp = endpoint({
  ...ofOneself,
  method: 'POST',
  path: '/api/user/two-factor/totp',
  audit: { act: 'user.two_factor_begun', row: 'none', because: 'Nothing counts before its code is confirmed.' },
  confirmsIdentity: true,
  summary: 'Begin with an authenticator app; sign-in asks for it once a code of it is confirmed',
  query: z.object({
    replace: z
      .enum(['true', 'false'])
      .default('false')
      .describe('`true` puts an app in the place of the one that is set up, which counts until then.'),
  }),
  response: { 200: NewTotp },
  errors: ['two_factor_active'],
});

export const confirmTotp = endpoint({
  ...ofOneself,
  method: 'POST',
  path: '/api/user/two-factor/totp/confirm',
  audit: { act: 'user.two_factor_enabled', row: 'by_verb' },
  confirmsIdentity: true,
  summary: 'Confirm the authenticator app with a code, which counts as used',
  body: TotpConfirmation,
  response: { 200: RecoveryCodes },
  errors: ['two_factor_active', 'too_many_attempts'],
});

export const removeTotp = endpoint({
  ...ofOneself,
  method: 'DELETE',
  path: '/api/user/two-factor/totp',
  audit: 'user.two_factor_removed',
  confirmsIdentity: true,
  summary: 'Sign in without the authenticator app; recovery codes and remembered browsers go too',
  response: { 204: undefined },
});

export const replaceRecoveryCodes = endpoint({
  ...ofOneself,
  method: 'POST',
  path: '/api/user/two-factor/recovery-codes',
  audit: 'user.recovery_codes_replaced',
  confirmsIdentity: true,
  summary: 'Ten new recovery codes; the earlier ones stop',
  response: { 200: RecoveryCodes },
});
