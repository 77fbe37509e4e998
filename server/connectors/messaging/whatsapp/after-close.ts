import { StaleLeaseError } from '../port.ts';
import { eventOfCode, lifeRules } from './phone-life.ts';
import type { LifeEvent } from './phone-life.ts';

/** How a connection ended: the library's status code and message, and what led up to it. */
export type ConnectionEnd = {
  code: number;
  message: string;
  /** The server's data beside the code. */
  data?: unknown;
  isLinked: boolean;
  /** How many connections in a row, this one included, ended with this code without a stable one between. */
  repeats: number;
  now: Date;
};

/** The session's last state, and whether its credentials are of no more use. */
export type SessionEnd = {
  status: 'disconnected' | 'auth_failed' | 'banned';
  reason: string;
  forgetsCredentials: boolean;
  /** WhatsApp, or somebody at the handset, took this device off the account. */
  isRemoved?: boolean;
};

export type AfterClose =
  | { next: 'reconnect'; event: LifeEvent; reason: string; delay: 'none' | 'backoff' }
  | { next: 'wait'; reason: string; until: Date }
  | ({ next: 'end' } & SessionEnd);

/** Pairing that fails this often in a row will not succeed by itself. */
const maxPairings = 3;
/** Two that replace each other in turn would never end. */
const maxReplacements = 5;

/** Decides what to do after each way a connection can end. */
export function decideAfterClose(end: ConnectionEnd): AfterClose {
  const event = eventOf(end);
  return event === 'locked_for_a_time' ? waitForLock(end) : follow(event);
}

function eventOf({ code, message, isLinked, repeats }: ConnectionEnd): LifeEvent {
  const event = eventOfCode(code);
  // The library reports the last code's end as a timeout like any other.
  if (!isLinked && message.includes('QR refs')) return 'codes_ran_out';
  if (!isLinked && code === 500 && repeats >= maxPairings) return 'pairing_failed';
  if (event === 'replaced' && repeats >= maxReplacements) return 'replaced_again';
  return event ?? 'connection_lost';
}

/** Applies a rule of the table. */
export function follow(event: LifeEvent): AfterClose {
  const rule = lifeRules[event];
  switch (rule.outcome) {
    case 'retry':
      return { next: 'reconnect', event, reason: rule.sentence, delay: 'backoff' };
    case 'retry_at_once':
      return { next: 'reconnect', event, reason: rule.sentence, delay: 'none' };
    case 'wait':
      throw new Error(`${event} needs the time until which to wait`);
    default:
      return {
        next: 'end',
        status: rule.outcome,
        reason: rule.sentence,
        forgetsCredentials: (rule.credentials as string) === 'deleted',
        ...(event === 'logged_out' && { isRemoved: true }),
      };
  }
}

const lockReasons: Record<string, string> = {
  '101': 'it wrote to too many people',
  '102': 'too many people blocked it',
  '103': 'it made too many groups',
  '104': 'it sent the same message too often',
  '106': 'it made too many broadcast lists',
};

const defaultLockMs = 60 * 60_000;
const maxLockMs = 30 * 24 * 60 * 60_000;

/** `expire` is how many seconds the lock lasts (tulir/whatsmeow `TempBanReason`), `code` why. */
function waitForLock({ data, now }: ConnectionEnd): AfterClose {
  const { expire, code } = (data ?? {}) as { expire?: string; code?: string };
  const seconds = Number(expire);
  const lastsMs = Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, maxLockMs) : defaultLockMs;
  const until = new Date(now.getTime() + lastsMs);
  const why = lockReasons[code ?? ''];
  const time = `${until.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const reason =
    `WhatsApp has locked this account until ${time}${why ? ` because ${why}` : ''}. ` +
    'It connects by itself afterwards; write to fewer strangers then.';
  return { next: 'wait', reason, until };
}

/** Decides what to do after keys or messages could not be stored, and the connection was closed for it. */
export function decideAfterStoreFailure(error: unknown): AfterClose {
  // The lease went to another worker, which has the phone's connection by now.
  return follow(error instanceof StaleLeaseError ? 'taken_over' : 'not_stored');
}
