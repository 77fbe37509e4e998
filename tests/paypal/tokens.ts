import type { Clock } from '#server/platform/clock.ts';
import { newId } from './subscription.ts';

export type Credentials = { clientId: string; clientSecret: string };

/** OAuth tokens, which end with time and can be revoked. */
export class Tokens {
  /** How many have been given out. */
  issued = 0;
  readonly #valid = new Map<string, number>();
  readonly #credentials: Credentials;
  readonly #clock: Clock;
  readonly lifetimeSeconds = 32_400;

  constructor(clock: Clock, credentials: Credentials) {
    this.#clock = clock;
    this.#credentials = credentials;
  }

  /** Undefined for wrong credentials. */
  issue(authorization: string | undefined): string | undefined {
    const { clientId, clientSecret } = this.#credentials;
    const expected = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    if (authorization !== expected) return undefined;
    const token = newId('A21AA', 80);
    this.#valid.set(token, this.#clock.now().getTime() + this.lifetimeSeconds * 1000);
    this.issued += 1;
    return token;
  }

  isValid(authorization: string | undefined): boolean {
    const endsAt = this.#valid.get(authorization?.replace(/^Bearer /, '') ?? '');
    return endsAt !== undefined && this.#clock.now().getTime() < endsAt;
  }

  revokeAll(): void {
    this.#valid.clear();
  }
}
