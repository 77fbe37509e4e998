import { unscannedWords } from '#contracts/phone-numbers.ts';
import type { LinkState, PhoneNumber } from '#contracts/phone-numbers.ts';
import { errorText } from '../api-error.ts';

export const pollMs = 3000;
/** The longest wait for the next code, for a browser whose clock is behind the server's. */
const maxCodeMs = 20_000;

/** How far a link has come, as the person with the handset sees it. */
export type LinkProgress =
  | { step: 'waiting' }
  | { step: 'code'; qr: { image: string; expiresAt: string } }
  | { step: 'failed'; reason: string }
  | { step: 'given-up' }
  /** `wasConnected`: it needed no code. */
  | { step: 'connected'; wasConnected: boolean };

export type LinkNews = {
  /** The last answer of `connect`; undefined before it has come. */
  answer: LinkState | undefined;
  /** Why `connect` was refused. */
  error: unknown;
  /** Whether `connect` has offered a code in this attempt. */
  hasOfferedCode: boolean;
  /** The phone as listed since the attempt began. */
  phone: PhoneNumber | undefined;
  hasGivenUp: boolean;
};

export function linkProgress({ answer, error, hasOfferedCode, phone, hasGivenUp }: LinkNews): LinkProgress {
  if (phone?.is_connected === true) return { step: 'connected', wasConnected: false };
  if (answer !== undefined && 'status' in answer && answer.status === 'connected') {
    return { step: 'connected', wasConnected: !hasOfferedCode };
  }
  // Asking for a link clears the reason of the last failure: one that is there now is this attempt's.
  const reason = error === null ? phone?.error : errorText(error, 'Failed to connect phone');
  // WhatsApp offers a few codes in a row: who still looks for the handset gets the next ones.
  const isUnscanned = reason === unscannedWords;
  if (reason && !isUnscanned) return { step: 'failed', reason };
  if (hasGivenUp) return { step: 'given-up' };
  if (isUnscanned) return { step: 'waiting' };
  if (answer !== undefined && 'qr_code' in answer) {
    return { step: 'code', qr: { image: answer.qr_code, expiresAt: answer.expires_at } };
  }
  return { step: 'waiting' };
}

/** Nothing more is asked of the server. */
export function isOver({ step }: LinkProgress): boolean {
  return step === 'connected' || step === 'failed' || step === 'given-up';
}

/** When to ask for the code again: as it expires, or by polling until there is one. */
export function nextAskMs(answer: LinkState, now: number): number {
  if (!('qr_code' in answer)) return pollMs;
  const leftMs = Date.parse(answer.expires_at) - now;
  return leftMs <= 0 ? pollMs : Math.min(leftMs, maxCodeMs);
}
