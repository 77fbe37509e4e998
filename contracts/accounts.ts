import { z } from 'zod';
import { Subscription } from './billing.ts';
import { endpoint } from './endpoint.ts';
import { Id, Timestamp } from './page.ts';
import { permissions } from './permissions.ts';
import { Role } from './roles.ts';

/** Trimmed; compared without case. */
export const EmailAddress = z.string().trim().max(254).pipe(z.email('Enter a valid email address'));
const Password = z.string().min(8, 'Use at least 8 characters').max(128, 'Use at most 128 characters');
const PersonName = z.string().trim().min(1, 'Enter your name').max(120, 'Use at most 120 characters');

/** IANA's own names of three letters. Intl has others, such as AET and PST, which PostgreSQL takes for none or for another. */
const shortZones = /^(?:EST|GMT|HST|MST|PRC|ROC|ROK|UCT|UTC)$/i;

/** Places that names stand for (IANA 2024b): PostgreSQL takes them for abbreviations, whose clocks never change, or has none such. */
const placesOf: Readonly<Record<string, string>> = {
  'US/PACIFIC-NEW': 'America/Los_Angeles',
  CET: 'Europe/Brussels',
  MET: 'Europe/Brussels',
  EET: 'Europe/Athens',
  WET: 'Europe/Lisbon',
};

/** An IANA time zone name, such as `Europe/Lisbon`. */
export const TimeZone = z
  .string()
  .max(64)
  // Offsets such as +01:00 pass Intl, but PostgreSQL reads their sign the other way round.
  .regex(/^[A-Za-z]/, 'Enter an IANA time zone, such as Europe/Lisbon')
  .overwrite((name) => placesOf[name.toUpperCase()] ?? name)
  .refine((name) => {
    if (name.length === 3 && !shortZones.test(name)) return false;
    try {
      Intl.DateTimeFormat('en', { timeZone: name });
      return true;
    } catch {
      return false;
    }
  }, 'Enter an IANA time zone, such as Europe/Lisbon');

const notALanguage = 'Enter a language tag, such as en or pt-BR';

/** A BCP 47 tag, kept in its usual form. */
export const LanguageTag = z
  .string(notALanguage)
  .trim()
  .max(35, notALanguage)
  .transform((text, context): string => {
    try {
      const tag = Intl.getCanonicalLocales(text.replaceAll('_', '-'))[0];
      if (tag !== undefined) return tag;
    } catch {
      // The issue below names what is wrong.
    }
    context.addIssue({ code: 'custom', message: notALanguage });
    return z.NEVER;
  });

/** ISO 3166; which codes there are is the server's to judge. */
export const CountryCode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'Use a country code of two letters');

const MessagesKeptDays = z
  .int('Enter a whole number of days')
  .min(30, 'Keep messages for at least 30 days')
  .max(3650, 'Enter at most 3650 days')
  .nullable();

export const User = z.object({
  id: Id.describe('Its id.'),
  name: z.string().describe('Its name, for people.'),
  email: z.string().describe('An email address.'),
  api_key: z
    .string()
    .nullable()
    .describe(
      'Null for members who may not manage keys, or are no owner and have not made it, and in a session whose last proof of who is signed in ' +
        'is older than 15 minutes: after `POST /api/auth/confirm` it is shown again.',
    ),
  language: z
    .string()
    .nullable()
    .describe(
      "The person's, BCP 47, such as `pt-BR`: at first their browser's. Null: unknown. Pages and mails are in English.",
    ),
  timezone: z.string().describe("The account's: an IANA name, such as `Europe/Lisbon`."),
  default_country: z
    .string()
    .nullable()
    .describe(
      'Two letters: numbers without + or 00 that are no full number are read as national numbers of it. Null: unknown; ' +
        'such numbers are refused.',
    ),
  email_confirmed: z
    .boolean()
    .describe('False until the link in the mail to the address is followed; until then no other mail goes there.'),
  messages_kept_days: MessagesKeptDays.describe(
    'After so many days messages and webhook records are deleted; null keeps them.',
  ),
  created_at: Timestamp.describe('When it was made.'),
});
export type User = z.infer<typeof User>;

export const SignedIn = z.object({
  token: z.string().describe('The session token, for `authorization`.'),
  user: User.describe('Who is signed in.'),
});
export type SignedIn = z.infer<typeof SignedIn>;

export const SignInMethod = z.enum(['totp', 'passkey', 'recovery_code']);
export type SignInMethod = z.infer<typeof SignInMethod>;

export const TwoFactorRequired = z.object({
  two_factor_required: z.literal(true).describe('The password was right, and a code is asked for.'),
  challenge: z.string().describe('For `POST /api/auth/two-factor`, once, within ten minutes.'),
  methods: z.array(SignInMethod).describe('The ways of the second step.'),
});
export type TwoFactorRequired = z.infer<typeof TwoFactorRequired>;

export const Credentials = z.object({
  email: EmailAddress.describe('An email address.'),
  password: z
    .string()
    .min(1, 'Enter your password')
    .max(1024, 'Use at most 1024 characters')
    .describe('The password, 8 to 128 characters.'),
});
export type Credentials = z.infer<typeof Credentials>;

export const Registration = z.object({
  name: PersonName.describe('Its name, for people.'),
  email: EmailAddress.describe('An email address.'),
  password: Password.describe('The password, 8 to 128 characters.'),
  timezone: TimeZone.optional().describe('With the `accept-language` header it also gives `default_country`.'),
});
export type Registration = z.infer<typeof Registration>;

export const EmailChange = z.object({ email: EmailAddress.describe('An email address.') });
export type EmailChange = z.infer<typeof EmailChange>;

export const AddressChange = EmailChange.extend({
  currentPassword: z
    .string()
    .min(1, 'Enter your current password')
    .max(1024, 'Use at most 1024 characters')
    .optional()
    .describe('Asked for by the page.'),
});
export type AddressChange = z.infer<typeof AddressChange>;

export const PasswordChange = z.object({
  currentPassword: z
    .string()
    .min(1, 'Enter your current password')
    .max(1024, 'Use at most 1024 characters')
    .describe('The password as it is now.'),
  newPassword: Password.describe('The new one, 8 to 128 characters.'),
  rotateApiKey: z.boolean().default(false).describe('Replaces the api_key as well.'),
});
export type PasswordChange = z.infer<typeof PasswordChange>;

export const PasswordReset = z.object({
  token: z.string().min(1).max(200).describe('The token.'),
  password: Password.describe('The password, 8 to 128 characters.'),
});
export type PasswordReset = z.infer<typeof PasswordReset>;

export const UserChange = z.object({
  name: PersonName.optional().describe('Its name, for people.'),
  language: LanguageTag.nullable().optional().describe("The person's, BCP 47, such as `pt-BR`; null for none."),
  timezone: TimeZone.optional().describe('An IANA name, such as `Europe/Lisbon`.'),
  default_country: CountryCode.nullable().optional().describe('Two letters, ISO 3166; null for none.'),
  messages_kept_days: MessagesKeptDays.optional().describe(
    'For somebody who signed in, not for the api_key: what is older goes soon after, and cannot be brought back.',
  ),
});
export type UserChange = z.infer<typeof UserChange>;

export const CurrentUser = z.object({
  user: User.describe('Who is signed in.'),
  subscription: Subscription.describe('What the account has paid for.'),
  suspension: z
    .object({
      reason: z.string().describe('Why, as the operator wrote it.'),
      since: Timestamp.describe('From that moment on.'),
    })
    .nullable()
    .describe('Set while the operator of this server has suspended the account: nothing is sent or changed meanwhile.'),
  deletes_at: Timestamp.nullable().describe(
    'When the account is deleted, as an owner has asked: until then nothing is sent, and an owner can take it back.',
  ),
  account: z
    .object({
      id: Id.describe('Its id.'),
      name: z.string().describe('Its name, for people.'),
      requires_two_factor: z.boolean().describe('Whether everybody in it needs a second factor.'),
      project_limit: z.int().describe('How many projects it may have, by its plan or as the operator lets it.'),
    })
    .describe('The account that is worked in.'),
  second_factor_missing: z
    .boolean()
    .describe(
      'The account asks everybody for a second factor and the person has none: nothing but setting one up is open.',
    ),
  role: Role,
  permissions: z.array(z.enum(permissions)).describe('What the caller may do in the account.'),
  project_ids: z.array(Id).nullable().describe('The projects that the caller sees; null: all.'),
});
export type CurrentUser = z.infer<typeof CurrentUser>;

export const register = endpoint({
  method: 'POST',
  path: '/api/auth/register',
  audit: { act: 'user.signed_up', row: 'none', because: 'The security events of the person have it.' },
  callers: 'anyone',
  summary: 'Create an account and sign in',
  body: Registration,
  response: { 201: SignedIn },
  errors: ['email_taken', 'other_cell', 'sign_up_closed', 'busy'],
});

export const login = endpoint({
  method: 'POST',
  path: '/api/auth/login',
  audit: { act: 'user.signed_in', row: 'none', because: 'The security events of the person have it.' },
  callers: 'anyone',
  summary: 'Sign in; who has a second factor is answered a challenge for it',
  body: Credentials,
  response: { 200: z.union([SignedIn, TwoFactorRequired]) },
  errors: ['invalid_credentials', 'other_cell', 'too_many_attempts', 'busy'],
});

export const logout = endpoint({
  method: 'POST',
  path: '/api/auth/logout',
  audit: { act: 'user.signed_out', row: 'none', because: 'The security events of the person have it.' },
  callers: ['user'],
  permission: 'self:write',
  ofPerson: true,
  needsSubscription: false,
  summary: 'Revoke the session token',
  response: { 204: undefined },
});

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/api/auth/forgot-password',
  audit: { act: 'user.password_reset_requested', row: 'none', because: 'The security events of the person have it.' },
  callers: 'anyone',
  summary: 'Mail a link that resets the password; the answer is the same for an unknown address',
  body: EmailChange,
  response: { 202: z.object({ message: z.string().describe('The text.') }) },
});

export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/auth/reset-password',
  audit: { act: 'user.password_reset', row: 'none', because: 'The security events of the person have it.' },
  callers: 'anyone',
  summary: 'Set a new password with the token from the mail',
  body: PasswordReset,
  response: { 200: z.object({ message: z.string().describe('The text.') }) },
  errors: ['invalid_reset_token', 'other_cell', 'busy'],
});

export const updateEmail = endpoint({
  method: 'POST',
  path: '/api/auth/update-email',
  audit: { act: 'user.email_changed', row: 'by_verb' },
  callers: ['user'],
  permission: 'self:write',
  needsSubscription: false,
  confirmsIdentity: true,
  summary: 'Change the email address; it takes effect once the link in a mail to the new one is followed',
  body: AddressChange,
  response: { 200: User },
  errors: ['email_taken', 'too_many_attempts', 'busy'],
});

export const updatePassword = endpoint({
  method: 'POST',
  path: '/api/auth/update-password',
  audit: { act: 'user.password_changed', row: 'by_verb' },
  callers: ['user'],
  permission: 'self:write',
  needsSubscription: false,
  confirmsIdentity: true,
  summary: 'Change the password and end every other session',
  body: PasswordChange,
  response: { 200: User },
  errors: ['too_many_attempts', 'busy'],
});

export const regenerateApiKey = endpoint({
  method: 'POST',
  path: '/api/auth/regenerate-api-key',
  audit: 'account.api_key_replaced',
  idempotency: 'atomic',
  callers: ['user'],
  permission: 'keys:write',
  acrossProjects: true,
  needsSubscription: false,
  confirmsIdentity: true,
  summary: 'Replace the API key; the old one stops at once',
  response: { 200: z.object({ api_key: z.string().describe("The account's key, for `authorization`.") }) },
});

export const confirmEmail = endpoint({
  method: 'POST',
  path: '/api/auth/confirm-email',
  audit: { act: 'user.email_confirmed', row: 'none', because: 'The security events of the person have it.' },
  callers: 'anyone',
  summary: 'Confirm an email address with the token from the mail',
  body: z.object({ token: z.string().min(1).max(200).describe('The token.') }),
  response: { 200: z.object({ message: z.string().describe('The text.') }) },
  errors: ['invalid_email_link', 'email_taken', 'other_cell'],
});

export const resendConfirmation = endpoint({
  method: 'POST',
  path: '/api/auth/resend-confirmation',
  audit: { act: 'user.confirmation_resent', row: 'none', because: 'The security events of the person have it.' },
  callers: ['user'],
  permission: 'self:write',
  needsSubscription: false,
  withoutSecondFactor: true,
  summary: 'Mail another link that confirms the email address',
  response: { 202: z.object({ message: z.string().describe('The text.') }) },
  errors: ['too_many_attempts'],
});

export const getCurrentUser = endpoint({
  method: 'GET',
  path: '/api/user/me',
  callers: ['user', 'api_key'],
  permission: 'self:read',
  needsSubscription: false,
  withoutSecondFactor: true,
  summary: 'The signed-in user and their subscription',
  response: { 200: CurrentUser },
});

export const updateCurrentUser = endpoint({
  method: 'PUT',
  path: '/api/user/me',
  audit: 'account.changed',
  callers: ['user', 'api_key'],
  permission: 'self:write',
  needsSubscription: false,
  summary: 'Change the name, the language, the time zone, the default country or how long messages are kept',
  body: UserChange,
  response: { 200: User },
  errors: ['session_required'],
});

/** Of the person, as they typed it: where pages send them a test of a message. */
export const TestNumber = z.object({
  phone: z
    .string()
    .trim()
    .min(1, 'Enter your number')
    .max(40, 'Use at most 40 characters')
    .nullable()
    .describe('As it was typed; null: none.'),
});
export type TestNumber = z.infer<typeof TestNumber>;

export const getTestNumber = endpoint({
  method: 'GET',
  path: '/api/user/test-number',
  callers: ['user'],
  permission: 'self:read',
  needsSubscription: false,
  summary: 'Your own number, to which pages offer to send tests',
  response: { 200: TestNumber },
});

export const setTestNumber = endpoint({
  method: 'PUT',
  path: '/api/user/test-number',
  audit: { act: 'user.test_number_changed', row: 'none', because: 'It is of the person alone.' },
  callers: ['user'],
  permission: 'self:write',
  needsSubscription: false,
  summary: 'Remember your own number for tests, in whatever account you work',
  body: TestNumber,
  response: { 200: TestNumber },
});
