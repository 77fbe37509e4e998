import { z } from 'zod';
import type { Clock } from '#server/platform/clock.ts';

const TokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

/** A token that is about to end could end on its way. */
const marginMs = 60_000;

export type AccessToken = {
  /** The token at hand, or a new one; callers that come together share one request. */
  get(signal: AbortSignal): Promise<string>;
  /** PayPal refused this one, whatever its time: the next call gets another. */
  forget(token: string): void;
};

type Options = { clock: Clock; request(signal: AbortSignal): Promise<unknown> };

/** OAuth's client credentials: one token for the whole process, kept until it is nearly over. */
export function createAccessToken({ clock, request }: Options): AccessToken {
  let current: { token: string; usableUntil: number } | undefined;
  let underWay: Promise<string> | undefined;

  async function fetchToken(signal: AbortSignal): Promise<string> {
    const { access_token: token, expires_in } = TokenAnswer.parse(await request(signal));
    current = { token, usableUntil: clock.now().getTime() + expires_in * 1000 - marginMs };
    return token;
  }

  return {
    async get(signal) {
      if (current && clock.now().getTime() < current.usableUntil) return current.token;
      underWay ??= fetchToken(signal).finally(() => {
        underWay = undefined;
      });
      return underWay;
    },
    forget(token) {
      if (current?.token === token) current = undefined;
    },
  };
}
