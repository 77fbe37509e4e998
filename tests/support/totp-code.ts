import { Secret, TOTP } from 'otpauth';
import type { Clock } from '#server/platform/clock.ts';

const stepMs = 30_000;

/** The code that an authenticator app shows, now or some steps away. */
export function codeOf(secret: string, clock: Clock, steps = 0): string {
  const timestamp = clock.now().getTime() + steps * stepMs;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}
