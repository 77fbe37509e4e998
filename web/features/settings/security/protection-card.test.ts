import { expect, test } from 'vitest';
import type { TwoFactor } from '#contracts/two-factor.ts';
import { protectionOf } from './protection-card.tsx';

const bare: TwoFactor = { totp: null, passkeys: 0, recovery_codes_left: 0, has_password: true, oidc: null };
const totp = { confirmed_at: '2026-11-26T06:00:00Z' };
const oidc = { label: 'Example ID', linked_at: '2026-11-26T06:00:00Z' };

test.each([
  [bare, false, 'Add a passkey or an authenticator app: then a stolen password opens nothing.'],
  [{ ...bare, totp, recovery_codes_left: 7 }, true, 'An authenticator app. 7 recovery codes are left.'],
  [
    { ...bare, totp, passkeys: 2, recovery_codes_left: 10 },
    true,
    '2 passkeys and an authenticator app. 10 recovery codes are left.',
  ],
  [{ ...bare, passkeys: 1, recovery_codes_left: 1 }, false, 'A passkey. 1 recovery code is left. Make new ones.'],
  [{ ...bare, has_password: false, oidc }, true, 'There is no password to be guessed.'],
])('%j: safe is %s, %s', (factors, isSafe, detail) => {
  expect(protectionOf(factors)).toMatchObject({ isSafe, detail });
});
